# Without nvcc, clang compiles the kernels for the chips of gpu.cmake, to
# kernels_by_clang/FILE.cu.sm_90.ptx in the build folder. So an error in code under an #if for only
# one chip fails the build. A call of a constexpr function that is not marked for the device fails
# here as it does with nvcc. ci/tests/kernels_for_chips_test.py checks that no kernel is missing.
set(kernels_by_clang "${PROJECT_BINARY_DIR}/kernels_by_clang")
set(kernels_by_clang_flags -std=c++20 -Xclang -fno-cuda-host-device-constexpr)

function(bankproof_knows_sm_90 result program)
  execute_process(
    COMMAND "${program}" -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90
            --cuda-path=/dev/null -S /dev/null -o /dev/null
    RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
  if(NOT code EQUAL 0)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
find_program(BANKPROOF_CLANG_FOR_CHIPS
  NAMES "${BANKPROOF_CLANG}" clang++ clang++-19 clang++-18 clang++-17 clang++-16
  VALIDATOR bankproof_knows_sm_90
  DOC "A clang that knows sm_90, for the kernels where nvcc is missing")
if(NOT BANKPROOF_CLANG_FOR_CHIPS)
  message(FATAL_ERROR "without nvcc, the kernels need clang 16 or newer, which knows sm_90: "
                      "apt install clang-16, or leave chips out with -DBANKPROOF_GPU=OFF")
endif()

set(ptx_for_chips "")
foreach(source IN LISTS kernels)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE name)
  foreach(chip IN ITEMS sm_80 sm_90)
    set(ptx "${kernels_by_clang}/${name}.${chip}.ptx")
    cmake_path(GET ptx PARENT_PATH folder)
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(OUTPUT "${ptx}" VERBATIM
      COMMAND "${CMAKE_COMMAND}" -E env "BANKPROOF_CUDA_COMPILER=${BANKPROOF_CLANG_FOR_CHIPS}"
              "BANKPROOF_CUDA_HEADERS=${bankproof_CUDA_HEADERS}"
              $<TARGET_FILE:bankproof_for_chips> "${source}" "${ptx}"
              ${kernels_by_clang_flags} --cuda-gpu-arch=${chip}
      DEPENDS "${source}" bankproof_for_chips
      DEPFILE "${ptx}.d"
      COMMENT "Compiling ${name} for ${chip}")
    list(APPEND ptx_for_chips "${ptx}")
  endforeach()
endforeach()
add_custom_target(kernels_by_clang ALL DEPENDS ${ptx_for_chips})
# For ci/tests/kernels_for_chips_test.py.
set_target_properties(kernels_by_clang PROPERTIES
  PTX_FOLDER "${kernels_by_clang}" COMPILER_FLAGS "${kernels_by_clang_flags}")
