# The header-only libraries, one per folder: bankproof::text, ::model, ::oracles, ::algorithms,
# ::testing.
#
# Files of the tree include each other by relative paths. Users write <bankproof/model/…>: in the
# build tree, links make this path valid; in an installed tree, it is a real path.
function(bankproof_library name)
  add_library(bankproof_${name} INTERFACE)
  add_library(bankproof::${name} ALIAS bankproof_${name})
  set_target_properties(bankproof_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(bankproof_${name} INTERFACE cxx_std_20)
  target_include_directories(bankproof_${name} INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(bankproof_${name} INTERFACE ${ARGN})
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${name}" "${PROJECT_BINARY_DIR}/include/bankproof/${name}"
       SYMBOLIC)
endfunction()

file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/include/bankproof")
bankproof_library(text)
bankproof_library(model)
bankproof_library(oracles)
find_package(TBB REQUIRED)
bankproof_library(algorithms bankproof::text bankproof::model bankproof::oracles TBB::tbb)
# Template instances of the libraries that the tree's own programs share, compiled once.
add_library(bankproof_instances STATIC EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/model/instances.cpp"
            "${PROJECT_SOURCE_DIR}/algorithms/catalog/instances.cpp")
target_compile_features(bankproof_instances PUBLIC cxx_std_20)
target_compile_definitions(bankproof_instances INTERFACE BANKPROOF_INSTANTIATED)
target_link_libraries(bankproof_instances PRIVATE TBB::tbb bankproof_options)
target_link_libraries(bankproof_algorithms INTERFACE $<BUILD_INTERFACE:bankproof_instances>)
if(BANKPROOF_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  bankproof_library(testing bankproof::algorithms GTest::gmock rapidcheck_gtest)
endif()
