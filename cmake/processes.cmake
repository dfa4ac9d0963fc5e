# The library bankproof_processes, which runs other programs: solvers and compilers.
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

file(GLOB processes_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/processes/*.cpp")
add_library(bankproof_processes STATIC ${processes_sources})
target_compile_features(bankproof_processes PUBLIC cxx_std_20)
target_link_libraries(bankproof_processes
  PRIVATE fmt::fmt Threads::Threads $<BUILD_INTERFACE:bankproof_options>)
