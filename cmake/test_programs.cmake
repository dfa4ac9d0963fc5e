# bankproof_test_program: a GoogleTest program. Labels of tests: property, proof, canary, exhaustive,
# cli; nvcc (toolkit.cmake); house and scripts (ci/CMakeLists.txt).
include(GoogleTest)
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)

# Sets how the sources of tests are compiled.
function(bankproof_compile_tests target level)
  target_link_libraries(${target} PRIVATE bankproof_options bankproof::testing rapidcheck_gtest)
  target_compile_definitions(${target} PRIVATE BANKPROOF_SOURCE="${PROJECT_SOURCE_DIR}")
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" OR BANKPROOF_SANITIZE)
    target_compile_options(${target} PRIVATE ${level})
  endif()
endfunction()
# Precompiles the headers that all tests include, once for each optimization level.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled.cpp" CONTENT "// Nothing but headers.\n")
foreach(level IN ITEMS -O0 -O1)
  add_library(bankproof_precompiled${level} OBJECT "${PROJECT_BINARY_DIR}/precompiled.cpp")
  bankproof_compile_tests(bankproof_precompiled${level} ${level})
  bankproof_precompile(bankproof_precompiled${level}
    <algorithm> <filesystem> <functional> <map> <optional> <string> <vector>
    <gmock/gmock.h> <gtest/gtest.h> <rapidcheck.h> <rapidcheck/gtest.h>)
endforeach()

# CTest runs each suite of the program, with each parameter, as one test.
function(bankproof_discover_suites name)
  set(suites "${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake")
  add_custom_command(TARGET ${name} POST_BUILD VERBATIM BYPRODUCTS "${suites}"
    COMMAND "${CMAKE_COMMAND}" "-DNAME=${name}" "-DPROGRAM=$<TARGET_FILE:${name}>"
            "-DFILE=${suites}" "-DFOLDER=${PROJECT_BINARY_DIR}"
            -P "${PROJECT_SOURCE_DIR}/cmake/suites.cmake")
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${name}_tests.cmake")
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT [[
if(EXISTS "@suites@")
  include("@suites@")
else()
  add_test(@name@_NOT_BUILT @name@_NOT_BUILT)
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${file}")
endfunction()

#   bankproof_test_program(name label [PLAIN | OPTIMIZED] [BY_SUITE] SOURCES source…)
#
# Programs are optimized a little: full optimization would add more compile time (a third) than it
# saves when the tests run. PLAIN programs, whose tests only call libraries, are not optimized.
# Under the sanitizers, only OPTIMIZED programs are optimized: the checks triple the code that must
# be compiled.
#
# CTest starts the program once for each test. With BY_SUITE it starts the program once for each suite,
# whose tests then share a file that every start compiles. A program without tests is a build error.
function(bankproof_test_program name label)
  cmake_parse_arguments(PARSE_ARGV 2 test "PLAIN;OPTIMIZED;BY_SUITE" "" SOURCES)
  add_executable(${name} ${test_SOURCES})
  set(level -O1)
  if(test_PLAIN OR (BANKPROOF_SANITIZE AND NOT test_OPTIMIZED))
    set(level -O0)
  endif()
  bankproof_compile_tests(${name} ${level})
  target_link_libraries(${name} PRIVATE GTest::gmock_main)
  bankproof_precompile_as(${name} bankproof_precompiled${level})
  bankproof_together(${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  add_custom_command(TARGET ${name} POST_BUILD VERBATIM
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${name}>"
            -P "${PROJECT_SOURCE_DIR}/cmake/holds_tests.cmake")
  if(test_BY_SUITE)
    bankproof_discover_suites(${name})
  else()
    gtest_discover_tests(${name} NO_PRETTY_TYPES NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
                         WORKING_DIRECTORY "${PROJECT_BINARY_DIR}"
                         PROPERTIES LABELS "${label}" TIMEOUT 600)
  endif()
endfunction()
