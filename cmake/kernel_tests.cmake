# bankproof_add_kernel_test: a test that runs a CUDA kernel on the reference machine, without a GPU.
# The test fails if the kernel has a fault, such as a race or an access outside of its buffers, or
# more conflicts than allowed.
#
#   bankproof_add_kernel_test(transpose_is_clean
#     FILE transpose.cu KERNEL transpose<32> GRID 32,32 BLOCK 32,8
#     ARGUMENTS buffer:f32:1024x1024 buffer:f32:1024x1024=iota i32:1024
#     MAX_EXCESS 0)
#
# LAUNCH launches.json may replace KERNEL, GRID, BLOCK, SHARED and ARGUMENTS. Further options:
# MACHINE name, MAX_SHARED_EXCESS number, MAX_GLOBAL_EXCESS number, MAX_INSTRUCTIONS number,
# RESIDENT number, SCHEDULE number, SYMBOLS name=f32:16=iota…, FAIL_ON kinds, SUPPRESS file, HTML
# file, COMPILER name, COMPILE_OPTIONS flag…, LABELS label…. `bankproof kernel --help` explains
# them. Files, and folders after -I, are relative to the current source folder; HTML is relative to
# the current binary folder.
function(bankproof_add_kernel_test name)
  # Options whose values go to the program unchanged.
  set(plain KERNEL GRID BLOCK SHARED MACHINE FAIL_ON MAX_EXCESS MAX_SHARED_EXCESS MAX_GLOBAL_EXCESS
            MAX_INSTRUCTIONS RESIDENT SCHEDULE COMPILER)
  set(single ${plain} FILE LAUNCH SUPPRESS HTML)
  set(several ARGUMENTS SYMBOLS COMPILE_OPTIONS LABELS)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "${single}" "${several}")
  if(test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "bankproof_add_kernel_test(${name}): unknown: ${test_UNPARSED_ARGUMENTS}")
  endif()
  if(test_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
            "bankproof_add_kernel_test(${name}): no value of ${test_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT test_FILE)
    message(FATAL_ERROR "bankproof_add_kernel_test(${name}): FILE is missing")
  endif()
  if(TARGET bankproof::program)
    set(program bankproof::program)
  else()
    message(FATAL_ERROR "bankproof_add_kernel_test(${name}): bankproof was built without its "
                        "program, which runs the test")
  endif()

  set(words "")
  foreach(option IN LISTS plain)
    if(DEFINED test_${option})
      string(TOLOWER "--${option}" flag)
      string(REPLACE "_" "-" flag "${flag}")
      list(APPEND words "${flag}" "${test_${option}}")
    endif()
  endforeach()
  foreach(option IN ITEMS LAUNCH SUPPRESS)
    if(DEFINED test_${option})
      string(TOLOWER "--${option}" flag)
      cmake_path(ABSOLUTE_PATH test_${option} BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
      list(APPEND words "${flag}" "${test_${option}}")
    endif()
  endforeach()
  foreach(symbol IN LISTS test_SYMBOLS)
    list(APPEND words --symbol "${symbol}")
  endforeach()
  if(DEFINED test_HTML)
    cmake_path(ABSOLUTE_PATH test_HTML BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    list(APPEND words --html "${test_HTML}")
  endif()
  if(test_COMPILE_OPTIONS)
    list(APPEND test_ARGUMENTS -- ${test_COMPILE_OPTIONS})
  endif()
  cmake_path(ABSOLUTE_PATH test_FILE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  add_test(NAME ${name} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
           COMMAND ${program} kernel "${test_FILE}" ${words} ${test_ARGUMENTS})
  if(test_LABELS)
    set_tests_properties(${name} PROPERTIES LABELS "${test_LABELS}")
  endif()
endfunction()
