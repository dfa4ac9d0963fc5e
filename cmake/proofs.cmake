# The theorems: the library bankproof::proofs, which asks Z3 through its library and cvc5 as a
# program. Z3's packages have no CMake configuration, so its two files are looked for.
find_path(Z3_INCLUDE_DIR z3++.h REQUIRED DOC "The folder of z3++.h")
find_library(Z3_LIBRARY z3 REQUIRED DOC "Z3's library")
find_package(fmt REQUIRED)

file(GLOB_RECURSE proofs_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/proofs/*.cpp")
list(FILTER proofs_sources EXCLUDE REGEX "/proofs/fuzz/.*$")

# The library `name` of the proofs' sources.
function(bankproof_proofs_library name)
  add_library(${name} STATIC ${proofs_sources})
  target_include_directories(${name} SYSTEM PUBLIC "${Z3_INCLUDE_DIR}")
  target_link_libraries(${name}
    PUBLIC bankproof::algorithms fmt::fmt "${Z3_LIBRARY}"
    PRIVATE bankproof_processes bankproof_options)
  # Theorems are stated once in a run, and the solvers take the time.
  target_compile_options(${name} PRIVATE -O0)
endfunction()
# What all queries pass through, and formulas that are evaluated for each thread.
file(GLOB passed_through CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/proofs/*.cpp"
     "${PROJECT_SOURCE_DIR}/proofs/formulas/*.cpp")
bankproof_optimize(-O1 ${passed_through})
bankproof_proofs_library(bankproof_proofs)
bankproof_precompile(bankproof_proofs
  <algorithm> <functional> <map> <optional> <string> <vector> <fmt/format.h> <z3++.h>
  "${PROJECT_SOURCE_DIR}/proofs/times/times.hpp" "${PROJECT_SOURCE_DIR}/proofs/parameters.hpp")
