# Lists the tests of the GoogleTest program PROGRAM and writes FILE, which adds a CTest test for
# each suite (for each parameter of a suite that has parameters) and sets NAME_TESTS. These tests
# run in FOLDER. This is for suites whose tests share something that takes long to make.
execute_process(COMMAND "${PROGRAM}" --gtest_list_tests OUTPUT_VARIABLE listed
                COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" lines "${listed}")
set(filters "")
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+\\.)")
    set(suite "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^  [^ ]+(/[0-9]+)")
    list(APPEND filters "${suite}*${CMAKE_MATCH_1}")
  elseif(line MATCHES "^  ")
    list(APPEND filters "${suite}*")
  endif()
endforeach()
list(REMOVE_DUPLICATES filters)
set(tests "")
set(text "")
foreach(filter IN LISTS filters)
  string(REPLACE ".*" "" test "${filter}")
  list(APPEND tests "${test}")
  string(APPEND text "add_test([==[${test}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${filter}]==])\n"
                     "set_tests_properties([==[${test}]==] PROPERTIES TIMEOUT 600 "
                     "WORKING_DIRECTORY [==[${FOLDER}]==])\n")
endforeach()
file(WRITE "${FILE}" "set(${NAME}_TESTS \"${tests}\")\n${text}")
