// The host processors for which the engine has code of its own.
#pragma once

#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)
#define BANKPROOF_PTX_AVX2 1
#define BANKPROOF_PTX_FOR_AVX2 gnu::target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt")
#else
#define BANKPROOF_PTX_AVX2 0
#endif

namespace bankproof::ptx {

/// All levels give the same results.
enum class Level : std::uint8_t { portable, avx2 };

/// The best level that this processor supports.
Level best_level();

}  // namespace bankproof::ptx
