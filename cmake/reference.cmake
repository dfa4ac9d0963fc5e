# Man pages and completions: when the target bankproof_reference is built, each program writes the
# pages and completions of its commands from its --help. `cmake --install` builds and installs them.
set(reference_folder "${PROJECT_BINARY_DIR}/reference")
get_property(reference_programs DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
list(FILTER reference_programs INCLUDE REGEX "^bankproof_(.+_)?program$")
find_program(BANKPROOF_GZIP gzip REQUIRED DOC "Compresses man pages")
add_custom_command(OUTPUT "${reference_folder}.stamp" VERBATIM
  COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:bankproof_program>"
          "-DLIBEXEC=${PROJECT_BINARY_DIR}/libexec/bankproof" "-DGZIP=${BANKPROOF_GZIP}"
          "-DFOLDER=${reference_folder}" -P "${PROJECT_SOURCE_DIR}/cmake/reference/write.cmake"
  COMMAND "${CMAKE_COMMAND}" -E touch "${reference_folder}.stamp"
  DEPENDS ${reference_programs} "${PROJECT_SOURCE_DIR}/cmake/reference/write.cmake"
  COMMENT "Writing man pages and completions")
add_custom_target(bankproof_reference DEPENDS "${reference_folder}.stamp")

install(CODE "
  execute_process(COMMAND [[${CMAKE_COMMAND}]] --build [[${PROJECT_BINARY_DIR}]]
                          --target bankproof_reference
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY "${reference_folder}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")
install(DIRECTORY "${reference_folder}/share/" DESTINATION "${CMAKE_INSTALL_DATADIR}")
