# The command-line tool: everything but main() is the library bankproof_cli, for tests and fuzzing.
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(pugixml REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)

file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.cpp")
list(FILTER cli_sources EXCLUDE REGEX "/cli/(main\\.cpp|tests/.*|fuzz/.*)$")
file(GLOB cli_main CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/main.cpp")

# The library `name` of the tool's sources, with that of the proofs' sources.
function(bankproof_cli_library name proofs)
  add_library(${name} STATIC ${cli_sources})
  target_link_libraries(${name}
    PUBLIC bankproof::algorithms ${proofs} bankproof_kernel CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json
           pugixml::pugixml OpenSSL::Crypto
    PRIVATE bankproof_options)
  target_compile_definitions(${name} PRIVATE BANKPROOF_VERSION="${PROJECT_VERSION}")
endfunction()

if(cli_sources AND cli_main)
  bankproof_cli_library(bankproof_cli bankproof_proofs)
  add_executable(bankproof_program cli/main.cpp)
  target_link_libraries(bankproof_program PRIVATE bankproof_cli bankproof_options)
  add_executable(bankproof::program ALIAS bankproof_program)
  set_target_properties(bankproof_program PROPERTIES
    OUTPUT_NAME bankproof EXPORT_NAME program RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
else()
  message(WARNING "cli/ has no sources: the command-line tool is not built")
endif()
