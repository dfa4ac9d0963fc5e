# Fuzz targets: cli/fuzz/x.cpp and ptx/fuzz/x.cpp become bin/fuzz_x, with libFuzzer and the
# sanitizers (preset `fuzz`).
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "BANKPROOF_FUZZ needs clang: use the preset `fuzz`")
endif()

set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
bankproof_proofs_library(bankproof_proofs_fuzz)
foreach(target IN ITEMS bankproof_proofs_fuzz bankproof_proofs_fuzz_solving)
  target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link ${sanitize})
endforeach()
bankproof_cli_library(bankproof_cli_fuzz)
target_link_libraries(bankproof_cli_fuzz PUBLIC bankproof_proofs_fuzz)
target_compile_options(bankproof_cli_fuzz PRIVATE -fsanitize=fuzzer-no-link ${sanitize})

bankproof_ptx_library(bankproof_ptx_fuzz)
target_compile_options(bankproof_ptx_fuzz PRIVATE -fsanitize=fuzzer-no-link ${sanitize})

add_custom_target(fuzz)

# The fuzz targets of a folder, linked to the library that they test.
function(bankproof_fuzz_targets folder library)
  bankproof_programs_of(${folder} fuzzers)
  foreach(name IN LISTS fuzzers)
    bankproof_sources_of(${folder}/${name} sources)
    add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${sources})
    target_link_libraries(fuzz_${name} PRIVATE ${library} bankproof_options)
    target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer ${sanitize})
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer ${sanitize})
    set_target_properties(fuzz_${name} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
    add_dependencies(fuzz fuzz_${name})
  endforeach()
endfunction()
bankproof_fuzz_targets(cli/fuzz bankproof_cli_fuzz)
bankproof_fuzz_targets(ptx/fuzz bankproof_ptx_fuzz)
