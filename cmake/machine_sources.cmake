# bankproof_machine_sources adds .cu files to a target whose CUDA runtime is the reference machine,
# so that a whole CUDA program, host code included, runs without a GPU.
#
#   add_executable(program main.cpp)
#   bankproof_machine_sources(program kernels.cu OPTIONS -std=c++20)
#
# `bankproof nvcc -c` compiles each file: nvcc where there is one, and else clang (cuda.md). It gets
# the OPTIONS, which are nvcc's, and the target's include directories and definitions. Launches run on
# the library bankproof::runtime. ${bankproof_CUDA_SOURCES} is the folder of bankproof's own kernels.
find_program(BANKPROOF_CLANG
  NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14
  DOC "The clang that compiles CUDA programs for the reference machine where there is no nvcc")
set(BANKPROOF_CUDA_COMPILER "" CACHE STRING
    "What compiles CUDA programs for the reference machine: nvcc, clang or a path; \
without it nvcc where there is one, and else clang")

function(bankproof_machine_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 machine "" "" "OPTIONS")
  if(NOT TARGET bankproof::nvcc) # a build without the tool compiles no .cu file for the machine
    return()
  endif()
  # The target's include directories, as for its other sources, without the headers of bankproof
  # that replace CUDA's: nvcc uses CUDA's own headers, and clang gets bankproof's in any case.
  string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" stand_ins "${bankproof_CUDA_HEADERS}")
  set(folders "$<FILTER:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,EXCLUDE,^${stand_ins}/?$>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(folders "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>")
  set(definitions "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>")
  set(compilers "BANKPROOF_CUDA_HEADERS=${bankproof_CUDA_HEADERS}"
                "BANKPROOF_CUDA_COMPILER=${BANKPROOF_CUDA_COMPILER}")
  if(BANKPROOF_CLANG)
    list(APPEND compilers "BANKPROOF_CLANG=${BANKPROOF_CLANG}")
  endif()
  foreach(source IN LISTS machine_UNPARSED_ARGUMENTS)
    if(NOT source MATCHES "\\.cu$")
      message(FATAL_ERROR "bankproof_machine_sources(${target}): ${source} is no .cu file; "
                          "write options for the compiler after OPTIONS")
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    # Objects are named as CMake names them: by the path of the source.
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
               OUTPUT_VARIABLE name)
    string(REPLACE ".." "__" name "${name}")
    set(object "${CMAKE_CURRENT_BINARY_DIR}/machine/${target}/${name}.o")
    cmake_path(GET object PARENT_PATH folder)
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(OUTPUT "${object}" VERBATIM COMMAND_EXPAND_LISTS
      COMMAND "${CMAKE_COMMAND}" -E env ${compilers} $<TARGET_FILE:bankproof::nvcc>
              -c "${source}" -o "${object}" -MD -MF "${object}.d" -MT "${object}"
              "${folders}" "${definitions}" ${machine_OPTIONS}
      DEPENDS "${source}" bankproof::nvcc
      DEPFILE "${object}.d"
      COMMENT "Compiling ${source} for the reference machine")
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE "${object}")
  endforeach()
  target_link_libraries(${target} PRIVATE bankproof::runtime)
endfunction()
