// Functions in assembler that jump to the functions of a table of table.hpp.
//
// A jump leaves registers and stack as the caller has set them, so that it needs no declarations.
// The address of the n-th function is 16 n + 8 bytes behind the table's begin: the n-th jump of a
// table has the offset 8 + 16 n in the symbol `bankproof_offset`.
#pragma once

#include <cstddef>

#include "table.hpp"

// All jumps of a table are one string.
#pragma GCC diagnostic ignored "-Woverlength-strings"

static_assert(sizeof(bankproof::cuda::driver::DriverFunction) == 16 &&
              offsetof(bankproof::cuda::driver::DriverFunction, function) == 8);

#if defined(__x86_64__)
#define BANKPROOF_TO_TABLE(table) \
  "  movq " table                 \
  "@GOTPCREL(%rip), %r11\n"       \
  "  jmp *bankproof_offset(%r11)\n"
#elif defined(__aarch64__)
#define BANKPROOF_TO_TABLE(table)        \
  "  adrp x16, :got:" table              \
  "\n"                                   \
  "  ldr x16, [x16, :got_lo12:" table    \
  "]\n"                                  \
  "  ldr x16, [x16, bankproof_offset]\n" \
  "  br x16\n"
#else
#error "the jumps are written for x86-64 and AArch64"
#endif

#define BANKPROOF_FIRST_JUMP ".text\n.set bankproof_offset, 8\n"

/// The next function of the table gets this name.
#define BANKPROOF_JUMP(name, table)                         \
  ".globl " name                                            \
  "\n"                                                      \
  ".type " name ", %function\n" name                        \
  ":\n" BANKPROOF_TO_TABLE(table) ".size " name ", .-" name \
                                  "\n"                      \
                                  ".set bankproof_offset, bankproof_offset + 16\n"
