# Packages of everything that `cmake --install` installs, the runtime included. `cpack` in the build
# folder makes a Debian package, with names, files and dependencies as Debian requires, and a
# .tar.gz that works in any folder. Both hold stripped programs. cpack builds the programs that are
# not built yet.
set(BANKPROOF_PACKAGE_CONTACT "bankproof <bankproof@example.org>" CACHE STRING
    "Who answers for the packages: a name and an address")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_CONTACT "${BANKPROOF_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "GPU memory modelled: conflicts, coalescing and races, without a GPU")
set(CPACK_PACKAGE_FILE_NAME
    "bankproof-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(build_script "${PROJECT_BINARY_DIR}/package/build.cmake")
file(CONFIGURE OUTPUT "${build_script}" @ONLY CONTENT [[
execute_process(COMMAND "@CMAKE_COMMAND@" --build "@PROJECT_BINARY_DIR@" --target
                        bankproof_reference bankproof_runtime
                COMMAND_ERROR_IS_FATAL ANY)
]])
set(CPACK_INSTALL_SCRIPTS "${build_script}")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/package/debian.cmake")
set(CPACK_BANKPROOF_SOURCE "${PROJECT_SOURCE_DIR}")
set(CPACK_BANKPROOF_GZIP "${BANKPROOF_GZIP}")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "bankproof tells what an access pattern does to a GPU's memory: how many
stages a permutation or a layout takes on banked shared memory, which lines of
a CUDA kernel conflict, race or are not coalesced, and proves index arithmetic
for all threads. It needs no GPU.")
# `prove` asks a second solver if it is installed. `kernel` compiles .cu files with clang or nvcc;
# it runs PTX without them. The other suggestions are for projects that use the headers.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS cvc5)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clang, cmake, g++, libfmt-dev, libtbb-dev")
include(CPack)
