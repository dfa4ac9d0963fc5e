// libcuda.so.1: the names of the driver API. The functions are in the library that stands in for
// CUDA's runtime, so that both APIs share one state, and each name here jumps to its function.
//
// A jump leaves registers and stack as the caller has set them, so that it needs no declarations. The
// functions are found in the table of table.hpp: the address of the n-th is 16 n + 8 bytes behind
// the table's begin.
#include <cstddef>

#include "../table.hpp"

using bankproof::cuda::driver::DriverFunction;

static_assert(sizeof(DriverFunction) == 16 && offsetof(DriverFunction, function) == 8);

#if defined(__x86_64__)
#define JUMP                                               \
  "  movq bankproof_driver_functions@GOTPCREL(%rip), %r11\n" \
  "  jmp *bankproof_offset(%r11)\n"
#elif defined(__aarch64__)
#define JUMP                                             \
  "  adrp x16, :got:bankproof_driver_functions\n"        \
  "  ldr x16, [x16, :got_lo12:bankproof_driver_functions]\n" \
  "  ldr x16, [x16, bankproof_offset]\n"                 \
  "  br x16\n"
#else
#error "the jumps are written for x86-64 and AArch64"
#endif

#define implemented(name)                \
  ".globl " #name "\n"                   \
  ".type " #name ", %function\n" #name   \
  ":\n" JUMP ".size " #name ", .-" #name \
  "\n"                                   \
  ".set bankproof_offset, bankproof_offset + 16\n"
#define accepted(name, why) implemented(name)
#define refused(name, why) implemented(name)

__asm__(
    ".text\n"
    ".set bankproof_offset, 8\n"
#include "../functions.def"
);
