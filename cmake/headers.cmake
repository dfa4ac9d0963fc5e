# Checks that every header compiles alone: the target `headers` has one source per header, which
# includes only that header. The sources of programs cannot check this, because they include
# precompiled headers and several other headers first. clang-tidy uses the same sources to check
# headers that no program includes yet.
set(sources "")
foreach(folder IN ITEMS text model oracles algorithms processes testing proofs symbolic properties ptx cuda bench
               cli examples)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
       "${PROJECT_SOURCE_DIR}/${folder}/*.hpp")
  if(NOT TARGET bankproof_llvm)
    list(FILTER headers EXCLUDE REGEX "^ptx/llvm/")
  endif()
  foreach(header IN LISTS headers)
    set(source "${PROJECT_BINARY_DIR}/headers/${header}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${PROJECT_SOURCE_DIR}/${header}\"\n")
    list(APPEND sources "${source}")
  endforeach()
endforeach()

if(sources)
  add_library(headers OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(headers PRIVATE bankproof_options bankproof::testing)
  target_compile_options(headers PRIVATE -O0)
  # The same definitions as for the tests, because tests include some of the headers.
  target_compile_definitions(headers PRIVATE BANKPROOF_SOURCE="${PROJECT_SOURCE_DIR}"
                                             BANKPROOF_CUB="${BANKPROOF_CUB}")
  if(TARGET bankproof_proofs)
    target_link_libraries(headers PRIVATE bankproof_proofs)
  endif()
  if(TARGET bankproof_ptx)
    target_link_libraries(headers PRIVATE bankproof_ptx)
  endif()
  if(TARGET bankproof_llvm)
    get_target_property(llvm_headers bankproof_llvm INCLUDE_DIRECTORIES)
    target_include_directories(headers SYSTEM PRIVATE ${llvm_headers})
  endif()
  if(TARGET bankproof_runtime)
    target_link_libraries(headers PRIVATE bankproof_runtime)
  endif()
  if(TARGET bankproof_cli)
    target_link_libraries(headers PRIVATE bankproof_cli)
  endif()
else()
  add_custom_target(headers)
endif()
