# Fails if the GoogleTest program PROGRAM holds no test: a program without tests would pass.
execute_process(COMMAND "${PROGRAM}" --gtest_list_tests OUTPUT_VARIABLE tests RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests fails: ${status}")
endif()
if(NOT tests MATCHES "\n  ")
  message(FATAL_ERROR "${PROGRAM} holds no test")
endif()
