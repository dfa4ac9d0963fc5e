# Writes man pages and completions to FOLDER. PROGRAM lists the commands. LIBEXEC holds the separate
# programs of some commands; PROGRAM runs the other commands. GZIP compresses man pages.
file(REMOVE_RECURSE "${FOLDER}")
execute_process(COMMAND "${PROGRAM}" --reference commands OUTPUT_VARIABLE commands
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" commands "${commands}")

# The program that runs a command.
function(program_of command result)
  set(${result} "${PROGRAM}" PARENT_SCOPE)
  if(EXISTS "${LIBEXEC}/bankproof-${command}")
    set(${result} "${LIBEXEC}/bankproof-${command}" PARENT_SCOPE)
  endif()
endfunction()

# gzip stores neither time nor name, so every run writes the same bytes.
function(man_page name)
  execute_process(COMMAND ${ARGN} COMMAND "${GZIP}" -9nc
                  OUTPUT_FILE "${FOLDER}/man/man1/${name}.1.gz" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(MAKE_DIRECTORY "${FOLDER}/man/man1")
man_page(bankproof "${PROGRAM}" --reference man)
foreach(command IN LISTS commands)
  program_of(${command} program)
  man_page(bankproof-${command} "${program}" --reference man ${command})
endforeach()

# Writes the parts of all commands, then the part of the program, which calls the parts of the
# commands.
function(completion shell file)
  set(text "# Completion of bankproof in ${shell}, made from what its --help says.\n")
  if(shell STREQUAL "zsh")
    string(PREPEND text "#compdef bankproof\n")
  endif()
  foreach(command IN LISTS commands)
    program_of(${command} program)
    execute_process(COMMAND "${program}" --reference ${shell} ${command} OUTPUT_VARIABLE part
                    COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND text "${part}")
  endforeach()
  execute_process(COMMAND "${PROGRAM}" --reference ${shell} OUTPUT_VARIABLE part
                  COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE "${FOLDER}/share/${file}" "${text}${part}")
endfunction()

completion(bash bash-completion/completions/bankproof)
completion(zsh zsh/vendor-completions/_bankproof)
completion(fish fish/vendor_completions.d/bankproof.fish)
