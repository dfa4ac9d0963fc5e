# `cmake --install` and find_package(bankproof): the headers, the program and the package files.
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/bankproof")

foreach(name IN ITEMS model oracles algorithms testing)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${name}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${name}/"
            DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/bankproof/${name}"
            FILES_MATCHING PATTERN "*.hpp")
  endif()
endforeach()
install(TARGETS bankproof_model bankproof_oracles bankproof_algorithms EXPORT bankproof)
install(EXPORT bankproof NAMESPACE bankproof:: DESTINATION "${package_folder}")
if(TARGET bankproof_program)
  install(TARGETS bankproof_program)
endif()

configure_file(cmake/bankproofConfig.cmake bankproofConfig.cmake COPYONLY)
write_basic_package_version_file(bankproofConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/bankproofConfig.cmake"
              "${PROJECT_BINARY_DIR}/bankproofConfigVersion.cmake"
        DESTINATION "${package_folder}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
