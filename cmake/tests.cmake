# The tests: properties/x.cpp (or properties/x/) is the program properties_x, cli/tests/*.cpp is
# cli_tests, and each cli/tests/x_test.py is one test. Labels: property, proof, canary, exhaustive,
# cli; nvcc (toolkit.cmake); house and scripts (house.cmake).
include(GoogleTest)
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
include(cmake/python_tests.cmake)
include(cmake/toolkit.cmake)

# Programs whose tests only call libraries are not optimized. The others are optimized a little:
# full optimization would add more compile time (a third) than it saves when the tests run.
set(plain_tests cli_tests properties_compile properties_formulas properties_session properties_ptx
    properties_ptx_reports properties_runtime properties_toolkit)
# The sanitizers' checks triple the code that must be compiled for these sources.
set(optimized_under_sanitizers properties_algorithms properties_exhaustive properties_ptx_rows)

# How the sources of tests are compiled.
function(bankproof_compile_tests target level)
  target_link_libraries(${target} PRIVATE bankproof_options bankproof::testing rapidcheck_gtest)
  target_compile_definitions(${target} PRIVATE BANKPROOF_SOURCE="${PROJECT_SOURCE_DIR}")
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" OR BANKPROOF_SANITIZE)
    target_compile_options(${target} PRIVATE ${level})
  endif()
endfunction()
# The headers that all tests include, compiled once per level.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled.cpp" CONTENT "// Nothing but headers.\n")
foreach(level IN ITEMS -O0 -O1)
  add_library(bankproof_precompiled${level} OBJECT "${PROJECT_BINARY_DIR}/precompiled.cpp")
  bankproof_compile_tests(bankproof_precompiled${level} ${level})
  bankproof_precompile(bankproof_precompiled${level}
    <algorithm> <filesystem> <functional> <map> <optional> <string> <vector>
    <gmock/gmock.h> <gtest/gtest.h> <rapidcheck.h> <rapidcheck/gtest.h>)
endforeach()

# CTest runs each suite of these programs, with each parameter, as one test. The tests of a suite
# need the same compiled file, and each start of the program would compile it again.
set(tests_by_suite properties_toolkit)
function(bankproof_discover_suites name)
  set(suites "${PROJECT_BINARY_DIR}/${name}_suites.cmake")
  add_custom_command(TARGET ${name} POST_BUILD VERBATIM BYPRODUCTS "${suites}"
    COMMAND "${CMAKE_COMMAND}" "-DNAME=${name}" "-DPROGRAM=$<TARGET_FILE:${name}>"
            "-DFILE=${suites}" -P "${PROJECT_SOURCE_DIR}/cmake/suites.cmake")
  set(file "${PROJECT_BINARY_DIR}/${name}_tests.cmake")
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT [[
if(EXISTS "@suites@")
  include("@suites@")
else()
  add_test(@name@_NOT_BUILT @name@_NOT_BUILT)
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${file}")
endfunction()

# A GoogleTest program. A program without tests is a build error.
function(bankproof_test_program name label)
  add_executable(${name} ${ARGN})
  set(level -O1)
  if(name IN_LIST plain_tests OR
     (BANKPROOF_SANITIZE AND NOT name IN_LIST optimized_under_sanitizers))
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
  if(name IN_LIST tests_by_suite)
    bankproof_discover_suites(${name})
  else()
    gtest_discover_tests(${name} NO_PRETTY_TYPES NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
                         PROPERTIES LABELS "${label}" TIMEOUT 600)
  endif()
endfunction()

bankproof_programs_of(properties names)
if(BANKPROOF_SANITIZE)
  list(REMOVE_ITEM names proofs) # the solvers take the time there, and they are not instrumented
endif()
# Compiled alone: after the terms of the proofs have been included, names in its own includes would
# mean other functions.
set_property(SOURCE "${PROJECT_SOURCE_DIR}/properties/proofs/tightness.cpp"
             PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
foreach(name IN LISTS names)
  bankproof_sources_of(properties/${name} sources)
  if(NOT BANKPROOF_SANITIZE AND NOT BANKPROOF_SEPARATE) # for clang-tidy
    list(FILTER sources EXCLUDE REGEX "/sanitizers\\.cpp$")
  endif()
  if(name STREQUAL "canaries")
    set(label canary)
  elseif(name STREQUAL "exhaustive")
    set(label exhaustive)
  elseif(name STREQUAL "proofs")
    set(label proof)
  else()
    set(label property)
  endif()
  bankproof_test_program(properties_${name} ${label} ${sources})
endforeach()

if(TARGET properties_proofs)
  target_link_libraries(properties_proofs PRIVATE bankproof_proofs)
endif()
target_link_libraries(properties_formulas PRIVATE bankproof_proofs)
target_link_libraries(properties_ptx PRIVATE bankproof_ptx)
# Without contractions, a product and a sum round twice, as in the engine.
set_property(SOURCE properties/ptx/reference/arithmetic.cpp properties/ptx/reference/matrices.cpp
             APPEND PROPERTY COMPILE_OPTIONS -ffp-contract=off)
# These sources have oracles that try every order of steps, or every pair of accesses.
bankproof_optimize(-O1 properties/ptx/races.cpp properties/ptx/interleavings/interleavings.cpp
  properties/ptx/interleavings/races.cpp properties/ptx/interleavings/tiny_kernel.cpp)
target_link_libraries(properties_session PRIVATE bankproof_kernel)
target_link_libraries(properties_toolkit PRIVATE bankproof_kernel)
target_compile_definitions(properties_toolkit PRIVATE
  "BANKPROOF_CUB=\"$<$<BOOL:${BANKPROOF_NVCC}>:${BANKPROOF_CUB}>\"")
find_package(pugixml REQUIRED)
target_link_libraries(properties_ptx_reports PRIVATE bankproof_ptx pugixml::pugixml)
target_link_libraries(properties_compile PRIVATE
  bankproof_cuda_compile bankproof_processes bankproof_ptx fmt::fmt)
bankproof_programs_need_nvcc(properties_toolkit properties_compile)
target_link_libraries(properties_processes PRIVATE bankproof_processes)
# These tests check sums of two doubles, so products must not be fused with sums.
set_source_files_properties(
  properties/compile/mathematics.cpp properties/compile/special_functions.cpp PROPERTIES
  COMPILE_OPTIONS -ffp-contract=off)
target_link_libraries(properties_ptx_rows PRIVATE bankproof_ptx)
# The CUDA kernels' differential tests on the reference machine.
file(GLOB cuda_sources CONFIGURE_DEPENDS
     "${PROJECT_SOURCE_DIR}/cuda/kernels/*/*.cu" "${PROJECT_SOURCE_DIR}/properties/cuda/*.cu")
find_package(nlohmann_json REQUIRED)
file(GLOB cuda_bench CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/gpu/*.cpp")
target_sources(properties_cuda PRIVATE ${cuda_bench})
target_link_libraries(properties_cuda PRIVATE nlohmann_json::nlohmann_json)
bankproof_machine_sources(properties_cuda ${cuda_sources} OPTIONS -std=c++20)
target_compile_definitions(properties_cuda PRIVATE BANKPROOF_ON_MACHINE)
# The same tests with the rules of a chip. It prices wide accesses differently: plans for elements
# of 8 bytes are made for its banks.
add_test(NAME properties_cuda.on_sm_90
         COMMAND properties_cuda --gtest_filter=Microkernels*:DeviceScenarios*:Device*Permutation*)
set_tests_properties(properties_cuda.on_sm_90 PROPERTIES
  LABELS property TIMEOUT 600 ENVIRONMENT "BANKPROOF_MACHINE=sm_90"
  FAIL_REGULAR_EXPRESSION "0 tests from 0 test suites")
# The example of a whole CUDA program.
add_executable(example_prefix_sums "${PROJECT_SOURCE_DIR}/examples/cuda/prefix_sums.cpp")
target_link_libraries(example_prefix_sums PRIVATE bankproof_options bankproof::algorithms)
bankproof_machine_sources(example_prefix_sums "${PROJECT_SOURCE_DIR}/cuda/kernels/prefix_sums/prefix_sums.cu"
                          OPTIONS -std=c++20)
bankproof_test_program(example_reverse property "${PROJECT_SOURCE_DIR}/examples/cuda/reverse_test.cpp")
bankproof_machine_sources(example_reverse "${PROJECT_SOURCE_DIR}/examples/cuda/reverse.cu")
add_test(NAME examples.prefix_sums COMMAND example_prefix_sums)
set_tests_properties(examples.prefix_sums PROPERTIES
  LABELS property TIMEOUT 60 PASS_REGULAR_EXPRESSION "the last one is 300000")
add_test(NAME examples.unknown_machine COMMAND example_prefix_sums)
set_tests_properties(examples.unknown_machine PROPERTIES
  LABELS property TIMEOUT 60 ENVIRONMENT "BANKPROOF_MACHINE=sm_13"
  PASS_REGULAR_EXPRESSION "BANKPROOF_MACHINE: no machine 'sm_13' prices kernels")
# CUDA's runtime on the reference machine.
file(GLOB_RECURSE runtime_tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/properties/runtime/*.cu")
bankproof_machine_sources(properties_runtime ${runtime_tests} OPTIONS -std=c++20)
target_compile_definitions(properties_formulas PRIVATE BANKPROOF_COMPILER="${CMAKE_CXX_COMPILER}")

if(TARGET bankproof_program)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/tests/*.cpp")
  if(sources)
    bankproof_test_program(cli_tests cli ${sources})
    list(TRANSFORM bankproof_COMMANDS_APART PREPEND bankproof_cli_ OUTPUT_VARIABLE commands)
    target_link_libraries(cli_tests PRIVATE ${commands})
    # arrays_on_device.cpp passes files of arrays to kernels.
    foreach(name IN ITEMS convolution/line_convolution permutation/permutation
                          permutation/scheduled_permutation transpose/transpose)
      bankproof_machine_sources(cli_tests "${PROJECT_SOURCE_DIR}/cuda/kernels/${name}.cu"
                                OPTIONS -std=c++20)
    endforeach()
  endif()

  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/tests/*_test.py")
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME_WE)
    bankproof_python_test(cli.${name} cli "${file}" "BANKPROOF=$<TARGET_FILE:bankproof_program>")
  endforeach()
  # The longest tests begin first, so that none runs alone at the end.
  set_tests_properties(cli.prove_test cli.tables_test PROPERTIES COST 90)
  bankproof_tests_need_nvcc(cli.kernel_matrices_test)
  if(BANKPROOF_NVCC) # once more, compiled by nvcc
    foreach(name IN ITEMS kernel_examples_test planned_kernels_test)
      bankproof_python_test(cli.${name}_with_nvcc cli "${PROJECT_SOURCE_DIR}/cli/tests/${name}.py"
                            "BANKPROOF=$<TARGET_FILE:bankproof_program>")
      bankproof_tests_need_nvcc(cli.${name}_with_nvcc)
    endforeach()
  endif()
endif()
