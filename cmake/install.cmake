# `cmake --install` and find_package(bankproof): the headers, the program and the package files.
include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/bankproof")

# Everything that is installed. ./bankproof builds only the programs that a command needs, and
# `cmake --install` builds the rest.
add_custom_target(bankproof_installed)
foreach(target IN ITEMS bankproof_commands bankproof_kernel bankproof_fatbin bankproof_runtime)
  if(TARGET ${target})
    add_dependencies(bankproof_installed ${target})
  endif()
endforeach()
install(CODE "
  execute_process(
    COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\" --target bankproof_installed
    COMMAND_ERROR_IS_FATAL ANY)")

foreach(name IN ITEMS text model oracles algorithms testing ptx cuda)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${name}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/${name}/"
            DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/bankproof/${name}"
            FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN "*.cu"
            PATTERN fuzz EXCLUDE PATTERN cuda/headers EXCLUDE)
  endif()
endforeach()
install(TARGETS bankproof_text bankproof_model bankproof_oracles bankproof_algorithms EXPORT bankproof)
install(EXPORT bankproof NAMESPACE bankproof:: DESTINATION "${package_folder}")
if(TARGET bankproof_program)
  install(TARGETS bankproof_program EXPORT bankproof_program)
  get_property(programs DIRECTORY cli PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER programs INCLUDE REGEX "^bankproof_.+_program$")
  list(REMOVE_ITEM programs bankproof_nvcc_program)
  install(TARGETS ${programs} RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/bankproof")
  # For bankproof_machine_sources.
  install(TARGETS bankproof_nvcc_program EXPORT bankproof_program
          RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/bankproof")
  install(EXPORT bankproof_program NAMESPACE bankproof:: DESTINATION "${package_folder}")
endif()
# The component kernel: the libraries, and the CUDA headers for clang without the toolkit.
if(TARGET bankproof_kernel)
  install(TARGETS bankproof_kernel bankproof_ptx bankproof_cuda_compile bankproof_processes
          EXPORT bankproof_kernel)
  install(EXPORT bankproof_kernel NAMESPACE bankproof:: DESTINATION "${package_folder}")
  install(DIRECTORY cuda/headers/ DESTINATION "${CMAKE_INSTALL_DATADIR}/bankproof/cuda")
endif()

configure_file(cmake/bankproofConfig.cmake bankproofConfig.cmake COPYONLY)
write_basic_package_version_file(bankproofConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                 ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/bankproofConfig.cmake"
              "${PROJECT_BINARY_DIR}/bankproofConfigVersion.cmake"
              cmake/kernel_tests.cmake
              cmake/machine_sources.cmake
        DESTINATION "${package_folder}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# The component runtime, for whole CUDA programs.
if(TARGET bankproof_runtime)
  install(TARGETS bankproof_cuda_order bankproof_fatbin bankproof_runtime EXPORT bankproof_runtime)
  install(EXPORT bankproof_runtime NAMESPACE bankproof:: DESTINATION "${package_folder}")
endif()
