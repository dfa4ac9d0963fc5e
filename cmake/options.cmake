# How everything in this tree is compiled: bankproof_options, linked privately and never installed.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "bankproof needs g++ 12 or newer (C++20 coroutines); "
                      "this is ${CMAKE_CXX_COMPILER_VERSION}")
endif()

add_library(bankproof_options INTERFACE)
target_compile_features(bankproof_options INTERFACE cxx_std_20)
target_compile_options(bankproof_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wcast-qual
  -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi -Wformat=2 -Wundef)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(bankproof_options INTERFACE
    -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wimplicit-fallthrough=5)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: a false alarm on std::string's operator+.
    target_compile_options(bankproof_options INTERFACE -Wno-restrict)
  endif()
endif()
if(BANKPROOF_WERROR)
  target_compile_options(bankproof_options INTERFACE -Werror)
endif()
if(BANKPROOF_SANITIZE)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(bankproof_options INTERFACE ${sanitize})
  target_link_options(bankproof_options INTERFACE ${sanitize})
  target_compile_definitions(bankproof_options INTERFACE _GLIBCXX_ASSERTIONS)
endif()

# For code that takes little of the run time: compiles a target with -O1, in half the time of -O3.
function(bankproof_optimize_little target)
  target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-O1>")
endfunction()

# Gives sources of the current folder's targets their own optimization level. A precompiled header
# serves only one level.
function(bankproof_optimize level)
  set_property(SOURCE ${ARGN} APPEND PROPERTY
    COMPILE_OPTIONS $<IF:$<BOOL:${BANKPROOF_SANITIZE}>,-O1,$<$<CONFIG:Release>:${level}>>)
  set_property(SOURCE ${ARGN} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# Precompiles the headers that most sources of a target include. GCC does not remember, for a
# precompiled header, which warnings the standard library silences; the warnings silenced here are
# false alarms about strings.
function(bankproof_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  bankproof_silence_strings(${target})
endfunction()
# Uses the precompiled headers of another target, which has to be compiled with the same options.
function(bankproof_precompile_as target other)
  target_precompile_headers(${target} REUSE_FROM ${other})
  bankproof_silence_strings(${target})
endfunction()
function(bankproof_silence_strings target)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds;-Wno-stringop-overflow>")
endfunction()

# The programs of a folder, given from the current source folder: each source x.cpp is a program, and
# so is each subfolder x/ with sources.
function(bankproof_programs_of folder names)
  file(GLOB entries CONFIGURE_DEPENDS LIST_DIRECTORIES true
       RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}/${folder}" "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*")
  set(found "")
  foreach(entry IN LISTS entries)
    get_filename_component(name "${entry}" NAME_WE)
    bankproof_sources_of("${folder}/${name}" sources)
    if(sources)
      list(APPEND found "${name}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES found)
  set(${names} "${found}" PARENT_SCOPE)
endfunction()

# The sources of the program `stem`: stem.cpp and everything in the folder stem/.
function(bankproof_sources_of stem sources)
  file(GLOB single CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${stem}.cpp")
  file(GLOB_RECURSE many CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${stem}/*.cpp")
  set(${sources} ${single} ${many} PARENT_SCOPE)
endfunction()

# In merged sources GCC warns about unnamed namespaces as if they were in included files; this turns
# the warning off. A local name may hide a name at file level, which can come from another of the
# merged sources, but not another local name.
add_library(bankproof_together INTERFACE)
target_compile_options(bankproof_together INTERFACE
  -Wno-shadow "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wshadow=local;-Wno-subobject-linkage>")
# Compiles the sources of one folder of a target together, up to eight at a time: large templates
# take most of the compile time, and merged sources share them. Merged sources see each other's
# unnamed namespaces; ci/unnamed.py checks that the names in these namespaces are distinct. A source
# with its own compile options is compiled alone. CMake knows the properties of a source only in the
# folder that sets them, so the target has to be of the current folder.
function(bankproof_together target)
  if(BANKPROOF_SEPARATE)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(SORT sources)
  set(folders "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    cmake_path(GET path PARENT_PATH folder)
    string(REPLACE "/" "_" folder "${folder}")
    list(APPEND folders "${folder}")
    list(APPEND "in ${folder}" "${source}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH "in ${folder}" count)
    math(EXPR groups "(${count} + 7) / 8")
    set(number 0)
    foreach(source IN LISTS "in ${folder}")
      math(EXPR group "${number} * ${groups} / ${count}")
      set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "${folder}_${group}")
      math(EXPR number "${number} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:bankproof_together>)
endfunction()
