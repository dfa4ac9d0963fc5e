# Functions for the fuzz targets, with libFuzzer and the sanitizers (preset `fuzz`).
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "BANKPROOF_FUZZ needs clang: use the preset `fuzz`")
endif()

set(bankproof_fuzz_sanitizers
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)

# Instruments a library that fuzz targets test.
function(bankproof_instrument library)
  target_compile_options(${library} PRIVATE -fsanitize=fuzzer-no-link ${bankproof_fuzz_sanitizers})
endfunction()

# The fuzz targets of the current folder: fuzz/x.cpp, or fuzz/x/, becomes bin/fuzz_x, linked to the
# library that it tests.
add_custom_target(fuzz)
function(bankproof_fuzz_targets library)
  bankproof_programs_of(fuzz fuzzers)
  foreach(name IN LISTS fuzzers)
    bankproof_sources_of(fuzz/${name} sources)
    add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${sources})
    target_link_libraries(fuzz_${name} PRIVATE ${library} bankproof_options)
    target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer ${bankproof_fuzz_sanitizers})
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer ${bankproof_fuzz_sanitizers})
    set_target_properties(fuzz_${name} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
    add_dependencies(fuzz fuzz_${name})
  endforeach()
endfunction()
