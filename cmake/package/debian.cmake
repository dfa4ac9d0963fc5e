# Adds the files that only a Debian package holds, and its dependencies: the copyright in Debian's
# form (every Debian system has the license itself), and compressed changelogs. cpack runs this
# script before it makes a package.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(folder "${CPACK_TEMPORARY_DIRECTORY}/usr/share/doc/bankproof")
file(REMOVE "${folder}/LICENSE")
file(COPY "${CPACK_BANKPROOF_SOURCE}/cmake/package/copyright" DESTINATION "${folder}")

# The time is SOURCE_DATE_EPOCH if that is set.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${folder}/changelog" "bankproof (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What has changed is told in CHANGELOG.md.gz beside this file.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(COPY "${CPACK_BANKPROOF_SOURCE}/CHANGELOG.md" DESTINATION "${folder}")
execute_process(COMMAND "${CPACK_BANKPROOF_GZIP}" -9n "${folder}/changelog" "${folder}/CHANGELOG.md"
                COMMAND_ERROR_IS_FATAL ANY)
file(GLOB files "${folder}/*")
file(CHMOD ${files} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

# Stand-ins for CUDA's libraries (toolkit_folder.cmake): some are scripts for the linker, as libm.a of
# Debian's libc6-dev is, some are empty, and libcuda.so.1 has only jumps.
set(folder "${CPACK_TEMPORARY_DIRECTORY}/usr/share/lintian/overrides")
set(libraries usr/lib/bankproof/cuda/lib64)
set(overrides "bankproof: library-not-linked-against-libc [usr/lib/bankproof/cuda/libcuda.so.1]\n")
foreach(script cudart cublas cublasLt cufft curand cusparse)
  string(APPEND overrides
         "bankproof: unpack-message-for-deb-data ar failed for ${libraries}/lib${script}_static.a\n")
endforeach()
foreach(empty cudadevrt culibos)
  string(APPEND overrides "bankproof: no-code-sections [${libraries}/lib${empty}.a]\n")
endforeach()
file(WRITE "${folder}/bankproof" "${overrides}")
file(CHMOD "${folder}/bankproof" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

# CPack can call dpkg-shlibdeps itself, but then starts two more programs for each installed file.
find_program(CPACK_BANKPROOF_SHLIBDEPS dpkg-shlibdeps REQUIRED)
file(GLOB_RECURSE files RELATIVE "${CPACK_TEMPORARY_DIRECTORY}" "${CPACK_TEMPORARY_DIRECTORY}/usr/*")
set(programs "")
foreach(file IN LISTS files)
  file(READ "${CPACK_TEMPORARY_DIRECTORY}/${file}" header LIMIT 17 HEX)
  if(header MATCHES "^7f454c46.*0[23]$") # ELF: a program or a shared library
    list(APPEND programs "${file}")
  endif()
endforeach()
set(folder "${CPACK_TEMPORARY_DIRECTORY}.control")
file(MAKE_DIRECTORY "${folder}/debian")
file(WRITE "${folder}/debian/control" "") # dpkg-shlibdeps does not run without this file
# These libraries need the one of the runtime beside them, which is of no other package. What else they
# need, it needs too.
list(FILTER programs EXCLUDE REGEX "/lib(cuda|cublas|cublasLt|cufft|curand|cusparse)\\.so")
list(TRANSFORM programs PREPEND "${CPACK_TEMPORARY_DIRECTORY}/")
execute_process(COMMAND "${CPACK_BANKPROOF_SHLIBDEPS}" -O ${programs} WORKING_DIRECTORY "${folder}"
                OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_VARIABLE complaint)
file(REMOVE_RECURSE "${folder}")
if(NOT found MATCHES "^shlibs:Depends=(.+)$")
  message(FATAL_ERROR "dpkg-shlibdeps tells no dependencies: ${found}${complaint}")
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${CMAKE_MATCH_1}")
