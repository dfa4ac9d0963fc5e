# Makes lib/bankproof/cuda look like a toolkit, for `bankproof nvcc` and for build files that want one:
# include has the headers for clang, lib64 has what stands in for CUDA's libraries, and bin/nvcc is
# bankproof's (cli/CMakeLists.txt).
#
# Libraries of other names are scripts for the linker. They are not beside libcudart.so.13, because
# `bankproof exec` has programs search that folder, and no program can load a script.
set(folder "${bankproof_CUDA_LIBRARIES}")
set(built "${PROJECT_BINARY_DIR}/${folder}")
file(MAKE_DIRECTORY "${built}/lib64" "${built}/nvvm/libdevice")
file(CREATE_LINK ../libcudart.so.13 "${built}/lib64/libcudart.so.13" SYMBOLIC)
# Programs load these by names without a version, too.
file(CREATE_LINK libcuda.so.1 "${built}/libcuda.so" SYMBOLIC)
file(CREATE_LINK libnvrtc.so.13 "${built}/libnvrtc.so" SYMBOLIC)
foreach(name IN ITEMS libcudart.so libcudart_static.a)
  file(WRITE "${built}/lib64/${name}" "/* CUDA's runtime on the reference machine */\nINPUT(libcudart.so.13)\n")
endforeach()
file(CREATE_LINK ../libcuda.so.1 "${built}/lib64/libcuda.so.1" SYMBOLIC)
file(CREATE_LINK ../libnvrtc.so.13 "${built}/lib64/libnvrtc.so.13" SYMBOLIC)
file(WRITE "${built}/lib64/libcuda.so" "/* CUDA's driver API on the reference machine */\nINPUT(libcuda.so.1)\n")
file(WRITE "${built}/lib64/libnvrtc.so" "/* NVRTC, by nvcc or clang */\nINPUT(libnvrtc.so.13)\n")
foreach(library IN LISTS bankproof_LIBRARIES)
  string(REGEX REPLACE "\\.so.*" "" name "${library}")
  file(CREATE_LINK "../${library}" "${built}/lib64/${library}" SYMBOLIC)
  foreach(ending IN ITEMS .so _static.a)
    file(WRITE "${built}/lib64/${name}${ending}" "/* a library of CUDA on the reference machine */\nINPUT(${library})\n")
  endforeach()
endforeach()
foreach(name IN ITEMS libcudadevrt libculibos) # archives without members
  file(WRITE "${built}/lib64/${name}.a" "!<arch>\n")
endforeach()
file(WRITE "${built}/nvvm/libdevice/README"
     "Build files look for this folder. Math functions of device code are in ../../include.\n")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/cuda/headers" "${built}/include" SYMBOLIC)

install(DIRECTORY "${built}/lib64" "${built}/nvvm" DESTINATION "${folder}")
install(FILES "${built}/libcuda.so" "${built}/libnvrtc.so" DESTINATION "${folder}")
install(TARGETS bankproof_cudart bankproof_cudart_12 bankproof_cudart_11 bankproof_libcuda bankproof_nvrtc
        ${bankproof_LIBRARY_TARGETS}
        LIBRARY DESTINATION "${folder}")
file(RELATIVE_PATH headers "/${folder}" "/${CMAKE_INSTALL_DATADIR}/bankproof/cuda")
install(CODE "file(CREATE_LINK \"${headers}\"
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/include\" SYMBOLIC)")
