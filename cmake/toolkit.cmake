# CUDA's toolkit, if it is completely installed, and the tests that need it: label `nvcc`. In
# ci/test, only these tests find the toolkit, and a skipped test among them counts as failed (for
# tests in Python: BANKPROOF_TOOLKIT).
if(DEFINED ENV{CUDA_HOME})
  set(toolkits "$ENV{CUDA_HOME}")
else()
  set(toolkits "$ENV{CUDA_PATH}" /usr/local/cuda)
endif()
find_program(BANKPROOF_NVCC NAMES nvcc PATHS ${toolkits} PATH_SUFFIXES bin
             DOC "CUDA's compiler, for the program for GPU machines and for tests")

# The nvcc in the PATH may be a script or a link, so nvcc itself has to report the folder of its
# toolkit. A toolkit without NVIDIA's libraries counts as missing.
set(nvcc_is "missing")
if(BANKPROOF_NVCC)
  execute_process(COMMAND "${BANKPROOF_NVCC}" --dryrun -x cu -c /dev/null
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(said MATCHES "[ \n]TOP=([^\n]+)")
    file(REAL_PATH "${CMAKE_MATCH_1}" toolkit)
    # The toolkit's own libraries come first. A CUB of the distribution's, in the compiler's own
    # folders, is of another version, and belongs to the distribution's nvcc.
    find_path(BANKPROOF_CUB cub/cub.cuh PATHS "${toolkit}/include/cccl" "${toolkit}/include"
              NO_DEFAULT_PATH DOC "The folder of NVIDIA's CUB and libcu++, which come with nvcc")
    find_path(BANKPROOF_CUB cub/cub.cuh)
    set(nvcc_is "without CUB (-DBANKPROOF_CUB= and its folder mends that)")
  else()
    set(nvcc_is "broken (${BANKPROOF_NVCC} --dryrun does not tell where its toolkit is)")
  endif()
  if(NOT BANKPROOF_CUB)
    set(BANKPROOF_NVCC "")
  endif()
endif()

set(toolkit_environment "")
set(skipped [[SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]"]])
if(BANKPROOF_NVCC)
  set(toolkit_environment "PATH=path_list_append:${toolkit}/bin" "CUDA_HOME=set:${toolkit}"
      "BANKPROOF_TOOLKIT=set:installed")
  # The output of a version of nvcc is compared only with recorded output of the same version.
  set(skipped [[SKIP_REGULAR_EXPRESSION "OF THE VERSION THAT MADE THEM"
                         FAIL_REGULAR_EXPRESSION "\\[  SKIPPED \\]"]])
endif()

# These tests, made by add_test, need the toolkit.
function(bankproof_tests_need_nvcc)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS nvcc)
  set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT_MODIFICATION ${toolkit_environment})
endfunction()

# All tests of these GoogleTest programs (label `property`) of the current folder need the toolkit.
# CTest knows the names of the tests only after it has listed the program's tests.
function(bankproof_programs_need_nvcc)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/tests_that_need_nvcc.cmake")
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
