// How a program that nvcc has compiled hands its fat binaries to CUDA's runtime, found by compiling
// with nvcc 13.0 and looking at the objects, with --keep.
//
// A static constructor of each .cu file calls __cudaRegisterFatBinary(wrapper), whose result h is a
// handle; then, with h, __cudaRegisterFunction for each kernel, __cudaRegisterVar and
// __cudaRegisterManagedVar for each variable; and __cudaRegisterFatBinaryEnd(h). At exit
// __cudaUnregisterFatBinary(h) is called.
//
// After -rdc=true, the constructor of a.cu calls
//
//   void __cudaRegisterLinkedBinary_ID(void (*callback)(void** h), void* wrapper, void* id,
//                                      void (*use)(void*))
//
// where ID is made from a hash and the name of a.cu. nvcc defines these functions, one for each
// file, when it links the program. They keep each callback and the container of each wrapper. The
// call that comes last registers one wrapper for the whole program, of version 2, calls all
// callbacks with its handle, which register kernels and variables, and then
// __cudaRegisterFatBinaryEnd. The container of that wrapper has the linked machine code, and is
// empty if the program is compiled to PTX alone; its list has the containers of the files, which
// hold their PTX. They have to be linked (link.hpp).
//
// If the program is compiled to PTX alone, the library cudadevrt, for kernels that launch kernels,
// is a file of the list, too. Its PTX is for sm_121; its callback registers kernels and variables
// that the program does not use. With -cudart none, nvcc 13 does not link device code, and the
// functions __cudaRegisterLinkedBinary_ID are missing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bankproof::cuda {

/// What __cudaRegisterFatBinary gets; nvcc keeps it in the section .nvFatBinSegment.
struct FatBinaryWrapper {
  int magic;                // 0x466243b1
  int version;              // 1, or 2 for a program that -rdc=true has linked
  const void* container;    // see fat_binary.hpp
  const void* const* list;  // in version 2: the containers of its files, then a null pointer
};

/// The container of a file; for a linked program, the containers of its files. Throws
/// FatBinaryError for anything that is no wrapper.
std::vector<std::span<const std::byte>> containers_of(const FatBinaryWrapper& wrapper);

/// Whether nvcc made the wrapper, to be called before containers_of() where another compiler may
/// have made it: clang's wrapper of embedded PTX text has the same magic number.
bool is_of_nvcc(const FatBinaryWrapper& wrapper);

}  // namespace bankproof::cuda
