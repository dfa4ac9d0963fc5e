# The theorems: the library bankproof::proofs, which calls Z3's library and runs the program cvc5.
# Z3's packages have no CMake configuration, so its header and library are searched for.
find_path(Z3_INCLUDE_DIR z3++.h REQUIRED DOC "The folder of z3++.h")
find_library(Z3_LIBRARY z3 REQUIRED DOC "Z3's library")
find_package(fmt REQUIRED)

file(GLOB_RECURSE proofs_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/proofs/*.cpp")
# The sources that every query uses, and formulas that are evaluated for each thread.
file(GLOB passed_through CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/proofs/builder/*.cpp"
     "${PROJECT_SOURCE_DIR}/proofs/solvers/*.cpp" "${PROJECT_SOURCE_DIR}/proofs/formulas/*.cpp")
list(REMOVE_ITEM proofs_sources ${passed_through})

# The library `name` of the proofs' sources.
function(bankproof_proofs_library name)
  add_library(${name}_solving OBJECT ${passed_through})
  add_library(${name} STATIC ${proofs_sources} $<TARGET_OBJECTS:${name}_solving>)
  foreach(target IN ITEMS ${name}_solving ${name})
    target_include_directories(${target} SYSTEM PUBLIC "${Z3_INCLUDE_DIR}")
    target_link_libraries(${target}
      PUBLIC bankproof::algorithms fmt::fmt "${Z3_LIBRARY}"
      PRIVATE bankproof_processes bankproof_options)
    bankproof_together(${target})
  endforeach()
  bankproof_optimize_little(${name}_solving)
  # A run states each theorem only once, so almost all of its time is spent in the solvers.
  target_compile_options(${name} PRIVATE -O0)
endfunction()
bankproof_proofs_library(bankproof_proofs)
bankproof_precompile(bankproof_proofs_solving
  <algorithm> <functional> <map> <optional> <string> <vector> <fmt/format.h> <z3++.h>)
bankproof_precompile(bankproof_proofs
  <algorithm> <functional> <map> <optional> <string> <vector> <fmt/format.h> <z3++.h>
  "${PROJECT_SOURCE_DIR}/proofs/theorems/times.hpp" "${PROJECT_SOURCE_DIR}/proofs/builder/parameters.hpp")
