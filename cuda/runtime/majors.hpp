// The major version of CUDA's runtime for which a library stands in. The same code is linked into
// libcudart.so.13, libcudart.so.12 and libcudart.so.11.0; of_12.cpp and of_11.cpp have what
// differs.
//
// A function whose signature or structures differ between majors is a weak definition here, which a
// definition in the library of an earlier major replaces. It has a second name, under which the
// code of that library calls it.
#pragma once

#define BANKPROOF_PRAGMA(text) _Pragma(#text)
/// After the declaration of a function of C.
#define BANKPROOF_OF_13(name) \
  BANKPROOF_PRAGMA(weak name) \
  extern "C" decltype(name) bankproof_of_13_##name __attribute__((alias(#name)))

namespace bankproof::cuda {

/// 13000, 12090 or 11080, as cudaRuntimeGetVersion() tells it.
int version();

}  // namespace bankproof::cuda
