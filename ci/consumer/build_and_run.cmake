# Installs the build BUILD, moves the installed files, and builds and runs the project of this
# folder with them, with and without the component testing. PROGRAM: whether the build has the tool.
set(scratch "${BUILD}/consumer test")
file(REMOVE_RECURSE "${scratch}")

# Runs a command and stores its output in `output`.
function(must_work)
  execute_process(COMMAND ${ARGV} OUTPUT_VARIABLE output ERROR_VARIABLE output
                  RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "fails with ${status}: ${ARGV}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Builds the project with an installed tree and compares its output.
function(must_build_and_run folder)
  must_work("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${scratch}/${folder}" -G Ninja
            "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${scratch}/moved" ${ARGN})
  must_work("${CMAKE_COMMAND}" --build "${scratch}/${folder}")
  must_work("${scratch}/${folder}/consumer")
  if(NOT output STREQUAL "2 stages\n")
    message(FATAL_ERROR "the consumer prints: ${output}")
  endif()
  message("${folder}: ${output}")
endfunction()

must_work("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${scratch}/installed")
file(RENAME "${scratch}/installed" "${scratch}/moved")
if(PROGRAM)
  # columns.cu uses this macro to recognize the installed headers.
  file(APPEND "${scratch}/moved/share/bankproof/cuda/cuda_runtime.h" "#define INSTALLED\n")
endif()
if(PROGRAM)
  must_work("${scratch}/moved/bin/bankproof" --help)
endif()
must_build_and_run(plain -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON
                   -DCMAKE_DISABLE_FIND_PACKAGE_rapidcheck=ON)
must_build_and_run(testing -DWITH_TESTING=ON)
must_work("${scratch}/testing/suite")
if(NOT output MATCHES "PASSED  . 1 test")
  message(FATAL_ERROR "the consumer's suite prints: ${output}")
endif()
if(PROGRAM)
  must_build_and_run(kernel -DWITH_KERNEL=ON)
  must_work("${scratch}/kernel/kernel_suite")
  must_work("${CMAKE_CTEST_COMMAND}" --test-dir "${scratch}/kernel" --no-tests=error)
  if(NOT EXISTS "${scratch}/kernel/good.html")
    message(FATAL_ERROR "bankproof_add_kernel_test wrote no page")
  endif()
endif()
if(PROGRAM)
  # A whole CUDA program, built with the installed bankproof.
  must_work("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/../../examples/cuda"
            -B "${scratch}/cuda" -G Ninja "-DCMAKE_CXX_COMPILER=${CXX}"
            "-DCMAKE_PREFIX_PATH=${scratch}/moved")
  must_work("${CMAKE_COMMAND}" --build "${scratch}/cuda")
  must_work("${CMAKE_CTEST_COMMAND}" --test-dir "${scratch}/cuda" --no-tests=error)
  must_work("${scratch}/cuda/prefix_sums")
  if(NOT output STREQUAL "the last one is 300000\n")
    message(FATAL_ERROR "the CUDA program prints: ${output}")
  endif()
endif()
file(REMOVE_RECURSE "${scratch}")
