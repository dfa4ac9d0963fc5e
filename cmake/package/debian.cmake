# What a Debian package holds besides what is installed: the copyright in Debian's form, the license
# being on every Debian system, and compressed changelogs. cpack runs this before it makes a package.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(folder "${CPACK_TEMPORARY_DIRECTORY}/usr/share/doc/bankproof")
file(REMOVE "${folder}/LICENSE")
file(COPY "${CPACK_BANKPROOF_SOURCE}/cmake/package/copyright" DESTINATION "${folder}")

# The time is SOURCE_DATE_EPOCH where that is set.
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
