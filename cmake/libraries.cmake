# Functions for the header-only libraries, one per folder: bankproof::text, ::model, ::oracles,
# ::algorithms, ::testing.
#
# Files of the tree include each other by relative paths. Users write <bankproof/model/…>: in the
# build tree, links make this path valid; in an installed tree, it is a real path.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/include/bankproof")
function(bankproof_link_folder name)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${name}" "${PROJECT_BINARY_DIR}/include/bankproof/${name}"
       SYMBOLIC)
endfunction()

# The library of the folder `name`; further arguments are the libraries that it needs.
function(bankproof_library name)
  add_library(bankproof_${name} INTERFACE)
  add_library(bankproof::${name} ALIAS bankproof_${name})
  set_target_properties(bankproof_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(bankproof_${name} INTERFACE cxx_std_20)
  target_include_directories(bankproof_${name} INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(bankproof_${name} INTERFACE ${ARGN})
  bankproof_link_folder(${name})
endfunction()

# The library's code becomes part of shared libraries, too: of those that stand in for CUDA's. Its
# functions may still be inlined.
function(bankproof_shareable target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
endfunction()
