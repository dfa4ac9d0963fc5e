// The bits of registers that a function uses, and so the bytes of its loads that it uses.
//
//   ld.global.u64  %rd1, [%rd2];     loads 8 bytes, of which the upper 4 are padding
//   cvt.u32.u64    %r1, %rd1;        the only use: the lower 4
//
// Bits that nothing uses decide nothing and reach no memory, so it does not matter whether their
// bytes were written. Compilers load structures by words, with their padding, and then take them
// apart.
//
// The analysis goes backwards from uses: an instruction that only moves bits (mov, cvt between
// integers, and, or, xor, not, selp, shfl, and shifts by constants) uses of its source what is used
// of its result; any other uses all bits of its sources. It does not follow the order of
// instructions: a bit that is used anywhere is used everywhere. This is the usual analysis of
// demanded bits, without paths. An argument that the called function never reads is no use:
//
//   st.param.b8  [param7], %rs3;     (unread_arguments.hpp)
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "../syntax/syntax.hpp"

namespace bankproof::ptx {

class UsedBits {
 public:
  /// `unread`: variables of the body, by statement; what is stored to them is not used.
  explicit UsedBits(const Function& function, const std::set<std::size_t>& unread = {});

  /// Bit i stands for bit i of the register; registers of 128 bits have all or none.
  std::uint64_t of(const Register& r) const { return used_[first_[r.declaration] + r.number]; }

  /// The bytes of a load that nothing uses, of the first 16: bit i stands for byte i of all its
  /// elements, which have `element_bytes` each. None of elements of 16 bytes.
  std::uint16_t unused_bytes(const Instruction& load, std::uint32_t element_bytes) const;

 private:
  bool use(const Scalar& scalar, std::uint64_t bits);
  bool use_all(const Operand& operand);
  bool use_all(const Instruction& i, std::size_t from);
  bool pass(const Instruction& i);
  bool move(const Instruction& i, std::uint64_t of_result);
  bool convert(const Instruction& i, std::uint64_t of_result);
  bool shift(const Instruction& i, std::uint64_t of_result);
  std::uint64_t of(const Scalar& scalar) const;
  std::uint64_t of_result(const Instruction& i) const;

  std::vector<std::size_t> first_;   // the place in used_ of each declaration's first register
  std::vector<std::uint64_t> bits_;  // of each declaration's registers
  std::vector<std::uint64_t> used_;
};

}  // namespace bankproof::ptx
