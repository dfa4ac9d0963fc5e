# bankproof_machine_sources adds .cu files to a target whose CUDA runtime is the reference machine,
# so that a whole CUDA program, host code included, runs without a GPU.
#
#   add_executable(program main.cpp)
#   bankproof_machine_sources(program kernels.cu OPTIONS -std=c++20)
#
# BANKPROOF_CUDA_COMPILER compiles the device code. BANKPROOF_CLANG compiles the host code, with the
# PTX embedded. Launches run on the library bankproof::runtime. cuda/compile/compile.cpp explains
# why clang gets a folder without a toolkit and a fixed version of CUDA. Both compilers get the
# OPTIONS and the target's include directories and definitions; only the device's compiler gets the
# DEVICE_OPTIONS. ${bankproof_CUDA_SOURCES} is the folder of bankproof's own kernels.
find_program(BANKPROOF_CLANG
  NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14
  DOC "The clang that compiles the host code of CUDA programs for the reference machine")
set(BANKPROOF_CUDA_COMPILER "" CACHE STRING
    "What compiles their device's code: nvcc, clang (the same as the host's) or a path; \
without it nvcc where there is one, and else clang")

function(bankproof_machine_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 machine "" "" "OPTIONS;DEVICE_OPTIONS")
  if(NOT BANKPROOF_CLANG)
    message(FATAL_ERROR "bankproof_machine_sources(${target}): clang is missing: apt install clang")
  endif()
  # The target's include directories, as for its other sources, without the headers of bankproof
  # that replace CUDA's: nvcc uses CUDA's own headers, and clang gets bankproof's headers below.
  string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" stand_ins "${bankproof_CUDA_HEADERS}")
  set(folders "$<FILTER:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,EXCLUDE,^${stand_ins}/?$>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(folders "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>")
  set(definitions "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>")
  foreach(source IN LISTS machine_UNPARSED_ARGUMENTS)
    if(NOT source MATCHES "\\.cu$")
      message(FATAL_ERROR "bankproof_machine_sources(${target}): ${source} is no .cu file; "
                          "write options for the compilers after OPTIONS or DEVICE_OPTIONS")
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    # Objects are named as CMake names them: by the path of the source.
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
               OUTPUT_VARIABLE name)
    string(REPLACE ".." "__" name "${name}")
    set(object "${CMAKE_CURRENT_BINARY_DIR}/machine/${target}/${name}.o")
    cmake_path(GET object PARENT_PATH folder)
    file(MAKE_DIRECTORY "${folder}")
    # Two commands, because the device code and the host code may include different files.
    add_custom_command(OUTPUT "${object}.ptx" VERBATIM COMMAND_EXPAND_LISTS
      COMMAND "${CMAKE_COMMAND}" -E env "BANKPROOF_CUDA_HEADERS=${bankproof_CUDA_HEADERS}"
              "BANKPROOF_CUDA_COMPILER=${BANKPROOF_CUDA_COMPILER}" "BANKPROOF_CLANG=${BANKPROOF_CLANG}"
              $<TARGET_FILE:bankproof::embed> "${source}" "${object}.ptx"
              "${folders}" "${definitions}" ${machine_OPTIONS} ${machine_DEVICE_OPTIONS}
      DEPENDS "${source}" bankproof::embed
      DEPFILE "${object}.ptx.d"
      COMMENT "Compiling ${source} for the reference machine")
    add_custom_command(OUTPUT "${object}" VERBATIM COMMAND_EXPAND_LISTS
      COMMAND "${BANKPROOF_CLANG}" -x cuda --cuda-host-only -nocudainc -nocudalib
              "--cuda-path=${bankproof_CUDA_HEADERS}" -Xclang -target-sdk-version=11.5
              "-I${bankproof_CUDA_HEADERS}" -include "${bankproof_CUDA_HEADERS}/cuda_runtime.h"
              -Xclang -fcuda-include-gpubinary -Xclang "${object}.ptx"
              -O1 "${folders}" "${definitions}" ${machine_OPTIONS} -MD -MT "${object}" -MF "${object}.d"
              -c "${source}" -o "${object}"
      DEPENDS "${source}" "${object}.ptx"
      DEPFILE "${object}.d"
      COMMENT "Compiling the host's part of ${source}")
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE "${object}")
  endforeach()
  target_link_libraries(${target} PRIVATE bankproof::runtime)
endfunction()
