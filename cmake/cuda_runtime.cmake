# bankproof_machine_sources: .cu files in a target whose CUDA runtime is the reference machine, so
# that a whole CUDA program, host code and all, runs without a GPU.
#
#   add_executable(program main.cpp)
#   bankproof_machine_sources(program kernels.cu OPTIONS -std=c++20 -Iinclude)
#
# The device's code is compiled by nvcc where there is one and else by clang; the host's code by
# clang, with the PTX embedded; launches run on the library bankproof_runtime. Of kernels in unnamed
# namespaces the two compilers have different names: a launch then says that there is no such kernel.
set(runtime_sources runtime memory variables launches streams device)
list(TRANSFORM runtime_sources PREPEND "${PROJECT_SOURCE_DIR}/cuda/runtime/")
list(TRANSFORM runtime_sources APPEND ".cpp")
add_library(bankproof_runtime STATIC EXCLUDE_FROM_ALL ${runtime_sources})
target_include_directories(bankproof_runtime PUBLIC "${PROJECT_SOURCE_DIR}/cuda/include")
target_link_libraries(bankproof_runtime
  PUBLIC bankproof_kernel PRIVATE fmt::fmt $<BUILD_INTERFACE:bankproof_options>)

add_executable(bankproof_embed EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/cuda/runtime/embed.cpp")
target_link_libraries(bankproof_embed PRIVATE bankproof_cuda_compile fmt::fmt bankproof_options)

find_program(BANKPROOF_CLANG
  NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14
  DOC "The clang that compiles the host code of CUDA programs for the reference machine")

function(bankproof_machine_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 machine "" "" "OPTIONS")
  if(NOT BANKPROOF_CLANG)
    message(FATAL_ERROR "bankproof_machine_sources(${target}): clang is missing: apt install clang")
  endif()
  set(headers "${PROJECT_SOURCE_DIR}/cuda/include")
  foreach(source IN LISTS machine_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    cmake_path(GET source STEM name)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/machine/${target}/${name}.o")
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/machine/${target}")
    add_custom_command(OUTPUT "${object}" VERBATIM
      COMMAND "${CMAKE_COMMAND}" -E env "BANKPROOF_CUDA_HEADERS=${headers}"
              $<TARGET_FILE:bankproof_embed> "${source}" "${object}.ptx" ${machine_OPTIONS}
      COMMAND "${BANKPROOF_CLANG}" -x cuda --cuda-host-only -nocudainc -nocudalib
              -Wno-unknown-cuda-version "-I${headers}" -include "${headers}/cuda_runtime.h"
              -Xclang -fcuda-include-gpubinary -Xclang "${object}.ptx"
              -O1 ${machine_OPTIONS} -MD -MT "${object}" -MF "${object}.d"
              -c "${source}" -o "${object}"
      DEPENDS "${source}" bankproof_embed
      DEPFILE "${object}.d"
      COMMENT "Compiling ${source} for the reference machine")
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE "${object}")
  endforeach()
  target_link_libraries(${target} PRIVATE bankproof_runtime)
endfunction()
