# bin/bankproof-gpu holds the CUDA kernels' differential tests, scenarios, microkernels and
# benchmarks in one program for ci/gpu, which needs only a driver and glibc 2.36. The program also
# holds the reference machine's predictions of the values that a profiler counts.
#
# nvcc compiles the program for sm_80 and sm_90. BANKPROOF_GPU is AUTO (build it if there is nvcc),
# ON (fail without nvcc) or OFF. With AUTO and no nvcc, clang compiles the kernels for the same
# chips, and no program is built.
set(BANKPROOF_GPU AUTO CACHE STRING "Build the program for GPU machines: AUTO (with nvcc), ON, OFF")
file(GLOB gpu_peers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/gpu/*.cu")
set(without_nvcc "${PROJECT_BINARY_DIR}/without-nvcc.txt")  # shown by ci/test
file(REMOVE "${without_nvcc}")
if(BANKPROOF_GPU STREQUAL "OFF" OR (BANKPROOF_GPU STREQUAL "AUTO" AND NOT BANKPROOF_NVCC))
  list(LENGTH kernels kernel_count)
  list(LENGTH gpu_peers peer_count)
  math(EXPR count "${kernel_count} + ${peer_count}")
  set(told "nvcc compiles none of ${count} files of kernels")
  if(BANKPROOF_GPU STREQUAL "OFF")
    string(APPEND told ": BANKPROOF_GPU is OFF")
  else()
    string(APPEND told ", since it is ${nvcc_is}: clang compiles ${kernel_count} of them for sm_80 and "
           "sm_90, and none those with NVIDIA's libraries; no program for GPU machines")
    include(by_clang.cmake)
  endif()
  message(STATUS "${told}")
  file(WRITE "${without_nvcc}" "${told}\n")
  return()
endif()
if(NOT BANKPROOF_NVCC)
  message(FATAL_ERROR "the program for GPU machines needs CUDA's nvcc 12.0 or newer; "
                      "give its path: -DBANKPROOF_NVCC=…")
endif()

set(CMAKE_CUDA_COMPILER "${BANKPROOF_NVCC}")
set(CMAKE_CUDA_ARCHITECTURES 80-real 90)  # with the PTX of the newest, for later chips
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

# Every build checks that nvcc compiles the kernels. The program would compile all tests of kernels
# a second time, so it is built only on request: `cmake --build build --target gpu_portable`.
add_library(bankproof_gpu_kernels OBJECT ${kernels} ${gpu_peers})
add_executable(bankproof_gpu EXCLUDE_FROM_ALL ${sources} ${cuda_bench})
target_link_libraries(bankproof_gpu PRIVATE bankproof_gpu_kernels)
set_target_properties(bankproof_gpu PROPERTIES
  OUTPUT_NAME bankproof-gpu RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin"
  LINKER_LANGUAGE CXX EXPORT_COMPILE_COMMANDS OFF CUDA_RUNTIME_LIBRARY Static)
foreach(target IN ITEMS bankproof_gpu_kernels bankproof_gpu)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_definitions(${target} PRIVATE BANKPROOF_SOURCE="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE rapidcheck_gtest GTest::gmock)
endforeach()
# The headers that replace oneTBB's come before the installed headers.
target_include_directories(bankproof_gpu BEFORE PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/serial")
# The host code does little work here, and takes less time to compile without optimization.
foreach(target IN ITEMS bankproof_gpu_kernels bankproof_gpu)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:-O0;-Wall;-Wextra;-Wconversion>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;-lineinfo>"
    "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${BANKPROOF_WERROR}>>:-Werror>"
    "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${BANKPROOF_WERROR}>>:-Werror=all-warnings>")
endforeach()
bankproof_precompile(bankproof_gpu
  "$<$<COMPILE_LANGUAGE:CXX>:<gmock/gmock.h$<ANGLE-R>>"
  "$<$<COMPILE_LANGUAGE:CXX>:<rapidcheck.h$<ANGLE-R>>" "$<$<COMPILE_LANGUAGE:CXX>:<functional$<ANGLE-R>>")
# The benchmarks, however, also time the host and make large permutations.
set_source_files_properties(${cuda_bench} PROPERTIES
                            COMPILE_OPTIONS -O2 SKIP_PRECOMPILE_HEADERS ON)
target_link_libraries(bankproof_gpu PRIVATE
  nlohmann_json::nlohmann_json CUDA::cudart_static ${CMAKE_DL_LIBS})
target_link_options(bankproof_gpu PRIVATE -static-libstdc++ -static-libgcc)

set(predictions "${PROJECT_BINARY_DIR}/predictions.json")
add_custom_command(OUTPUT "${predictions}" VERBATIM
  COMMAND "${CMAKE_COMMAND}" -E env --unset=BANKPROOF_MACHINE
          $<TARGET_FILE:properties_cuda> predict "${predictions}"
  DEPENDS properties_cuda
  COMMENT "Predicting what a profiler counts")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/predictions.cpp" @ONLY CONTENT [[
asm(R"(.section .rodata
.global bankproof_predictions
bankproof_predictions:
.incbin "@predictions@"
.byte 0
.text)");
]])
set_source_files_properties("${PROJECT_BINARY_DIR}/predictions.cpp" PROPERTIES
                            OBJECT_DEPENDS "${predictions}")
target_sources(bankproof_gpu PRIVATE "${PROJECT_BINARY_DIR}/predictions.cpp")
add_custom_target(gpu_portable DEPENDS bankproof_gpu)
