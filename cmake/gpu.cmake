# bin/bankproof-gpu: the CUDA kernels' differential tests, scenarios, microkernels and benchmarks in
# one program that needs nothing but a driver and glibc 2.36, for ci/gpu; and beside it
# bin/bankproof-gpu.json, what the reference machine predicts that a profiler counts of it.
#
# CUDA's nvcc compiles it. BANKPROOF_GPU: AUTO where there is nvcc, ON to demand it, OFF.
set(BANKPROOF_GPU AUTO CACHE STRING "Build the program for GPU machines: AUTO (with nvcc), ON, OFF")
find_program(BANKPROOF_NVCC NAMES nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda
             PATH_SUFFIXES bin DOC "CUDA's compiler, for the program for GPU machines")
if(BANKPROOF_GPU STREQUAL "OFF" OR (BANKPROOF_GPU STREQUAL "AUTO" AND NOT BANKPROOF_NVCC))
  file(GLOB left_out RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/cuda/*.cu")
  list(LENGTH left_out count)
  message(STATUS "nvcc compiles none of ${count} files of kernels: "
                 "it is missing or BANKPROOF_GPU is OFF; no program for GPU machines")
  return()
endif()
if(NOT BANKPROOF_NVCC)
  message(FATAL_ERROR "the program for GPU machines needs CUDA's nvcc 12.0 or newer; "
                      "give its path: -DBANKPROOF_NVCC=…")
endif()

set(CMAKE_CUDA_COMPILER "${BANKPROOF_NVCC}")
set(CMAKE_CUDA_ARCHITECTURES 80-real 90)  # of the newest its PTX, too, for chips to come
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

file(GLOB gpu_kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cuda/*.cu"
     "${PROJECT_SOURCE_DIR}/properties/cuda/*.cu" "${PROJECT_SOURCE_DIR}/cuda/bench/*.cu")
bankproof_sources_of(properties/cuda gpu_sources)
add_executable(bankproof_gpu ${gpu_sources} ${cuda_bench} ${gpu_kernels})
target_compile_features(bankproof_gpu PRIVATE cxx_std_20)
set_target_properties(bankproof_gpu PROPERTIES
  OUTPUT_NAME bankproof-gpu RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin"
  LINKER_LANGUAGE CXX EXPORT_COMPILE_COMMANDS OFF CUDA_RUNTIME_LIBRARY Static)
# Stand-ins for oneTBB come before the installed headers.
target_include_directories(bankproof_gpu BEFORE PRIVATE "${PROJECT_SOURCE_DIR}/properties/cuda/serial")
target_compile_definitions(bankproof_gpu PRIVATE BANKPROOF_SOURCE="${PROJECT_SOURCE_DIR}")
# The host's code has little to do here, and less to compile unoptimized. nvcc's 186: a loop to a
# template's 0 is no mistake.
target_compile_options(bankproof_gpu PRIVATE
  "$<$<COMPILE_LANGUAGE:CXX>:-O0;-Wall;-Wextra;-Wconversion>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr;-lineinfo;--diag-suppress=186>"
  "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${BANKPROOF_WERROR}>>:-Werror>"
  "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${BANKPROOF_WERROR}>>:-Werror=all-warnings>")
target_link_libraries(bankproof_gpu PRIVATE
  rapidcheck_gtest GTest::gmock nlohmann_json::nlohmann_json CUDA::cudart_static ${CMAKE_DL_LIBS})
target_link_options(bankproof_gpu PRIVATE -static-libstdc++ -static-libgcc)

add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/bin/bankproof-gpu.json" VERBATIM
  COMMAND "${CMAKE_COMMAND}" -E env --unset=BANKPROOF_MACHINE
          $<TARGET_FILE:properties_cuda> predict "${PROJECT_BINARY_DIR}/bin/bankproof-gpu.json"
  DEPENDS properties_cuda
  COMMENT "Predicting what a profiler counts")
add_custom_target(gpu_portable ALL DEPENDS "${PROJECT_BINARY_DIR}/bin/bankproof-gpu.json" bankproof_gpu)
