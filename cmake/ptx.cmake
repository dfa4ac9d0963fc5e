# CUDA without a GPU. The library bankproof_cuda_compile runs nvcc or clang. The library
# bankproof_ptx parses the PTX of both compilers, runs it and reports. The library bankproof_kernel,
# for users bankproof::kernel, is the C++ API of both.
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

file(GLOB_RECURSE ptx_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/ptx/*.cpp")
list(FILTER ptx_sources EXCLUDE REGEX "/fuzz/")

# The library `name` of PTX's sources.
function(bankproof_ptx_library name)
  add_library(${name} STATIC ${ptx_sources})
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name}
    PUBLIC fmt::fmt Threads::Threads PRIVATE $<BUILD_INTERFACE:bankproof_options>)
  # Without contractions, a product and a sum round twice unless the instruction says fma. GCC 12
  # warns falsely about moves from an empty std::variant.
  target_compile_options(${name} PRIVATE
    -ffp-contract=off $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endfunction()
bankproof_ptx_library(bankproof_ptx)
bankproof_precompile(bankproof_ptx
  <algorithm> <map> <memory> <optional> <set> <string> <variant> <vector> <fmt/format.h>)
bankproof_together(bankproof_ptx)

# Rows of arithmetic: no code reads errno after square roots, or floating-point exceptions. With
# these options the compiler vectorizes loops over lanes. Rows with directed rounding switch the
# host's rounding mode.
file(GLOB row_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/ptx/alu/*.cpp")
set_property(SOURCE ${row_sources} APPEND PROPERTY
  COMPILE_OPTIONS -fno-math-errno -fno-trapping-math)
set_property(SOURCE ${row_sources} PROPERTY SKIP_PRECOMPILE_HEADERS ON)  # they have other options
foreach(name IN ITEMS directed conversions_to_floats float_conversions)
  set_property(SOURCE "${PROJECT_SOURCE_DIR}/ptx/alu/${name}.cpp" APPEND PROPERTY
    COMPILE_OPTIONS -frounding-math)
endforeach()

# cuda/compile knows the folder of the headers for clang in the source tree. Beside an installed
# program it finds the installed headers (install.cmake).
file(GLOB cuda_compile_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cuda/compile/*.cpp")
add_library(bankproof_cuda_compile STATIC ${cuda_compile_sources})
bankproof_together(bankproof_cuda_compile)
target_compile_features(bankproof_cuda_compile PUBLIC cxx_std_20)
target_link_libraries(bankproof_cuda_compile
  PRIVATE bankproof_processes fmt::fmt $<BUILD_INTERFACE:bankproof_options>)
target_compile_definitions(bankproof_cuda_compile PRIVATE
  BANKPROOF_CUDA_HEADERS="${PROJECT_SOURCE_DIR}/cuda/headers")

file(GLOB kernel_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cuda/session/*.cpp")
add_library(bankproof_kernel STATIC ${kernel_sources})
bankproof_together(bankproof_kernel)
add_library(bankproof::kernel ALIAS bankproof_kernel)
target_include_directories(bankproof_kernel INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_link_libraries(bankproof_kernel
  PUBLIC bankproof_ptx bankproof_cuda_compile PRIVATE $<BUILD_INTERFACE:bankproof_options>)
set(package_headers "$<INSTALL_PREFIX>/${CMAKE_INSTALL_DATADIR}/bankproof/cuda")
target_compile_definitions(bankproof_kernel INTERFACE
  "$<INSTALL_INTERFACE:BANKPROOF_PACKAGE_HEADERS=\"${package_headers}\">")
set_target_properties(bankproof_kernel PROPERTIES EXPORT_NAME kernel)
foreach(folder IN ITEMS ptx cuda)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}"
       "${PROJECT_BINARY_DIR}/include/bankproof/${folder}" SYMBOLIC)
endforeach()
