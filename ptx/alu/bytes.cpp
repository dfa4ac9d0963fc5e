// prmt chooses bytes from two words; vabsdiff gives the distances of the halves or bytes of two
// words (PTX ISA, "prmt", "SIMD Video Instructions"), in the forms that nvcc writes.
#include <array>

#include "table.hpp"

namespace bankproof::ptx::lanes {

namespace {

/// The byte of b:a that the low three bits of the selector choose. If bit 3 of the selector is set,
/// the result is the highest bit of this byte, repeated eight times.
U32 chosen_byte(U64 bytes, U32 selector) {
  const auto byte = static_cast<U32>(bytes >> (8U * (selector & 7U))) & 255U;
  return selector & 8U ? 255U * (byte >> 7U) : byte;
}

U32 permuted(U32 a, U32 b, U32 selectors) {
  const U64 bytes = U64{b} << 32U | a;
  U32 word = 0;
  for (U32 i = 0; i < 4; ++i) word |= chosen_byte(bytes, selectors >> (4U * i) & 15U) << (8U * i);
  return word;
}

/// Does what permuted() does, faster, for selectors that are the same for all lanes.
class Permutation {
 public:
  explicit Permutation(U32 selectors) {
    for (U32 i = 0; i < 4; ++i) {
      const U32 selector = selectors >> (4U * i);
      byte_[i] = {8U * (selector & 3U), predicate((selector & 4U) != 0).mask,
                  predicate((selector & 8U) != 0).mask};
    }
  }
  U32 operator()(U32 a, U32 b) const {
    U32 word = 0;
    for (U32 i = 0; i < 4; ++i) {
      const U32 from = a ^ (byte_[i].second & (a ^ b));
      const U32 byte = from >> byte_[i].shift & 255U;
      const U32 sign = 0U - (byte >> 7U);
      word |= (byte ^ (byte_[i].sign & (byte ^ (sign & 255U)))) << (8U * i);
    }
    return word;
  }

 private:
  struct Byte {
    U32 shift = 0;
    U32 second = 0;  // all ones: take the byte from b
    U32 sign = 0;    // all ones: repeat the byte's highest bit
  };
  std::array<Byte, 4> byte_{};
};

/// A mode of prmt that takes its selectors from a table, indexed by the low two bits of c. An entry
/// of the table is four selectors, one hexadecimal digit each.
template <U32 for_0, U32 for_1, U32 for_2, U32 for_3>
void add_mode(Table& table, std::string_view mode) {
  table.add(joined("prmt.b32.", mode), [](U32 a, U32 b, U32 c) {
    const U32 at = c & 3U;
    return permuted(a, b, at == 0 ? for_0 : at == 1 ? for_1 : at == 2 ? for_2 : for_3);
  });
}

/// The distances |a - b| of all parts of `bits` bits, or the sum of these distances and c.
template <U32 bits, bool add>
U32 distances(U32 a, U32 b, U32 c) {
  U32 word = 0;
  U32 sum = c;
  for (U32 at = 0; at < 32; at += bits) {
    constexpr U32 part = (U32{1} << bits) - 1;
    const U32 x = a >> at & part;
    const U32 y = b >> at & part;
    const U32 distance = x < y ? y - x : x - y;
    word |= distance << at;
    sum += distance;
  }
  return add ? sum : word;
}

}  // namespace

void add_bytes(Table& table) {
  table.add("vabsdiff2.u32.u32.u32",
            [](U32 a, U32 b, U32 c) { return distances<16, false>(a, b, c); });
  table.add("vabsdiff2.u32.u32.u32.add",
            [](U32 a, U32 b, U32 c) { return distances<16, true>(a, b, c); });
  table.add("vabsdiff4.u32.u32.u32",
            [](U32 a, U32 b, U32 c) { return distances<8, false>(a, b, c); });
  table.add("vabsdiff4.u32.u32.u32.add",
            [](U32 a, U32 b, U32 c) { return distances<8, true>(a, b, c); });
  table.by_constant<Permutation>("prmt.b32", [](U32 a, U32 b, U32 c) { return permuted(a, b, c); });
  add_mode<0x3210, 0x4321, 0x5432, 0x6543>(table, "f4e");
  add_mode<0x5670, 0x6701, 0x7012, 0x0123>(table, "b4e");
  add_mode<0x0000, 0x1111, 0x2222, 0x3333>(table, "rc8");
  add_mode<0x3210, 0x3211, 0x3222, 0x3333>(table, "ecl");
  add_mode<0x0000, 0x1110, 0x2210, 0x3210>(table, "ecr");
  add_mode<0x1010, 0x3232, 0x1010, 0x3232>(table, "rc16");
}

}  // namespace bankproof::ptx::lanes
