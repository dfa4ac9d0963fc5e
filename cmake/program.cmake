# The command-line tool, in separate programs as git is: bin/bankproof makes and checks plans. Each
# further command is the program libexec/bankproof/bankproof-NAME (cli/support/commands.hpp).
# ./bankproof builds each program when it is first called.
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(pugixml REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)

set(bankproof_COMMANDS_APART kernel prove run tables)

# The sources of a separate command: cli/NAME.cpp and everything in the folder cli/NAME/.
function(bankproof_command_sources name sources)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/${name}/*.cpp")
  set(${sources} "${PROJECT_SOURCE_DIR}/cli/${name}.cpp" ${found} PARENT_SCOPE)
endfunction()

# The library `name`: the code that all commands share, and the commands of bin/bankproof.
file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.cpp")
list(FILTER cli_sources EXCLUDE REGEX "/cli/(main|tests|fuzz)/")
foreach(command IN LISTS bankproof_COMMANDS_APART)
  bankproof_command_sources(${command} sources)
  list(REMOVE_ITEM cli_sources ${sources})
endforeach()
function(bankproof_cli_library name)
  add_library(${name} STATIC ${cli_sources})
  target_link_libraries(${name}
    PUBLIC bankproof::algorithms CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json
           pugixml::pugixml OpenSSL::Crypto
    PRIVATE bankproof_options)
  bankproof_optimize_little(${name})
endfunction()
bankproof_cli_library(bankproof_cli)
# CLI11 is not precompiled: every source would compile CLI11's validators, which doubles the compile
# time.
bankproof_precompile(bankproof_cli
  <algorithm> <filesystem> <map> <memory> <optional> <sstream> <string> <vector> <fmt/format.h>)
bankproof_together(bankproof_cli)
# Code of plans, checks and runs of algorithms that docs/benchmarks.md times.
bankproof_optimize(-O3 cli/readers/permutation_argument.cpp cli/plan/made_plan.cpp cli/readers/binary.cpp
  cli/readers/npy.cpp cli/readers/text.cpp cli/report/check_report.cpp cli/run/entry.cpp cli/verify.cpp)

# The path from the folder of bin/bankproof to the folder of the separate commands.
file(RELATIVE_PATH commands "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBEXECDIR}/bankproof")
set_source_files_properties(cli/support/version.cpp PROPERTIES
  COMPILE_DEFINITIONS "BANKPROOF_VERSION=\"${PROJECT_VERSION}\"")
set_source_files_properties(cli/program.cpp PROPERTIES
  COMPILE_DEFINITIONS "BANKPROOF_COMMANDS=\"${commands}\"")

add_executable(bankproof_program cli/main/bankproof.cpp)
target_link_libraries(bankproof_program PRIVATE bankproof_cli bankproof_options)
bankproof_optimize_little(bankproof_program)
bankproof_precompile_as(bankproof_program bankproof_cli)
add_executable(bankproof::program ALIAS bankproof_program)
set_target_properties(bankproof_program PROPERTIES
  OUTPUT_NAME bankproof EXPORT_NAME program
  RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}")

# For each separate command: the library bankproof_cli_NAME, for tests, and the program.
add_custom_target(bankproof_commands DEPENDS bankproof_program)
foreach(command IN LISTS bankproof_COMMANDS_APART)
  bankproof_command_sources(${command} sources)
  add_library(bankproof_cli_${command} STATIC ${sources})
  target_link_libraries(bankproof_cli_${command} PUBLIC bankproof_cli PRIVATE bankproof_options)
  bankproof_optimize_little(bankproof_cli_${command})
  bankproof_precompile_as(bankproof_cli_${command} bankproof_cli)
  bankproof_together(bankproof_cli_${command})
  add_executable(bankproof_${command}_program cli/main/${command}.cpp)
  bankproof_optimize_little(bankproof_${command}_program)
  bankproof_precompile_as(bankproof_${command}_program bankproof_cli)
  target_link_libraries(bankproof_${command}_program PRIVATE
    bankproof_cli_${command} bankproof_options)
  set_target_properties(bankproof_${command}_program PROPERTIES
    OUTPUT_NAME bankproof-${command}
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBEXECDIR}/bankproof")
  add_dependencies(bankproof_commands bankproof_${command}_program)
endforeach()
target_link_libraries(bankproof_cli_kernel PUBLIC bankproof_kernel)
target_link_libraries(bankproof_cli_prove PUBLIC bankproof_proofs)
# cli/tables uses the families of tasks that take nearly the longest possible time. They are in
# headers of the proofs, which include Z3's headers.
target_include_directories(bankproof_cli_tables SYSTEM PRIVATE "${Z3_INCLUDE_DIR}")
target_link_libraries(bankproof_cli_tables PUBLIC "${Z3_LIBRARY}")
