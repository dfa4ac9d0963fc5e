# CUDA's toolkit, where it is installed, and the tests that need it: label `nvcc`. They alone find it
# when ci/test runs them, and there being skipped is a failure (of tests in Python: BANKPROOF_TOOLKIT).
if(DEFINED ENV{CUDA_HOME})
  set(toolkits "$ENV{CUDA_HOME}")
else()
  set(toolkits "$ENV{CUDA_PATH}" /usr/local/cuda)
endif()
find_program(BANKPROOF_NVCC NAMES nvcc PATHS ${toolkits} PATH_SUFFIXES bin
             DOC "CUDA's compiler, for the program for GPU machines and for tests")

set(toolkit_environment "")
set(skipped [[SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]"]])
if(BANKPROOF_NVCC)
  cmake_path(GET BANKPROOF_NVCC PARENT_PATH toolkit_programs)
  cmake_path(GET toolkit_programs PARENT_PATH toolkit)
  set(toolkit_environment "PATH=path_list_append:${toolkit_programs}" "CUDA_HOME=set:${toolkit}"
      "BANKPROOF_TOOLKIT=set:installed")
  # What one version of nvcc made is compared with that version only.
  set(skipped [[SKIP_REGULAR_EXPRESSION "OF THE VERSION THAT MADE THEM"
                         FAIL_REGULAR_EXPRESSION "\\[  SKIPPED \\]"]])
endif()

# These tests of add_test need the toolkit.
function(bankproof_tests_need_nvcc)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS nvcc)
  set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT_MODIFICATION ${toolkit_environment})
endfunction()

# All tests of these GoogleTest programs, label `property`, need it. CTest learns which they are when
# it has listed the program's tests.
function(bankproof_programs_need_nvcc)
  set(file "${PROJECT_BINARY_DIR}/tests_that_need_nvcc.cmake")
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT [[
foreach(program IN ITEMS @ARGN@)
  foreach(test IN LISTS ${program}_TESTS)
    set_tests_properties("${test}" PROPERTIES LABELS "property;nvcc" @skipped@
                         ENVIRONMENT_MODIFICATION "@toolkit_environment@")
  endforeach()
endforeach()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${file}")
endfunction()
