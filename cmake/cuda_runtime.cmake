# CUDA's runtime on the reference machine, and the tool that compiles device code for it.
# machine_sources.cmake needs both.
set(runtime_sources runtime memory variables launches planting streams device)
list(TRANSFORM runtime_sources PREPEND "${PROJECT_SOURCE_DIR}/cuda/runtime/")
list(TRANSFORM runtime_sources APPEND ".cpp")
add_library(bankproof_runtime STATIC ${runtime_sources})
bankproof_together(bankproof_runtime)
add_library(bankproof::runtime ALIAS bankproof_runtime)
target_include_directories(bankproof_runtime PUBLIC
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/cuda/headers>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_DATADIR}/bankproof/cuda>")
target_link_libraries(bankproof_runtime
  PUBLIC bankproof_kernel PRIVATE fmt::fmt $<BUILD_INTERFACE:bankproof_options>)
set_target_properties(bankproof_runtime PROPERTIES EXPORT_NAME runtime)

add_executable(bankproof_embed "${PROJECT_SOURCE_DIR}/cuda/runtime/embed.cpp")
add_executable(bankproof::embed ALIAS bankproof_embed)
target_link_libraries(bankproof_embed PRIVATE bankproof_cuda_compile fmt::fmt bankproof_options)
set_target_properties(bankproof_embed PROPERTIES EXPORT_NAME embed)
add_dependencies(bankproof_runtime bankproof_embed)

set(bankproof_CUDA_HEADERS "${PROJECT_SOURCE_DIR}/cuda/headers")
set(bankproof_CUDA_SOURCES "${PROJECT_SOURCE_DIR}/cuda/kernels")
include(cmake/machine_sources.cmake)
