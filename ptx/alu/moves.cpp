// mov, selp, slct, packing and unpacking (PTX ISA, "Data Movement and Conversion Instructions",
// "Comparison and Selection Instructions").
#include <array>

#include "flush.hpp"
#include "table.hpp"

namespace bankproof::ptx::lanes {

namespace {

template <class T, std::size_t n>
void add_copies(Table& table, const std::array<std::string_view, n>& types) {
  for (const std::string_view type : types) {
    table.fast(joined("mov.", type), [](T a) { return a; });
    table.fast(joined("selp.", type), [](T a, T b, Predicate p) {
      const auto mask = static_cast<T>(0U - static_cast<T>(p.mask & 1U));
      return static_cast<T>((a & mask) | (b & static_cast<T>(~mask)));
    });
    table.add(joined("slct.", type, ".s32"), [](T a, T b, S32 c) { return c >= 0 ? a : b; });
    // -0.0 counts as not negative, NaN as negative.
    table.add(joined("slct.", type, ".f32"), [](T a, T b, float c) { return c >= 0 ? a : b; });
    table.add(joined("slct.ftz.", type, ".f32"),
              [](T a, T b, float c) { return flush<true>(c) >= 0 ? a : b; });
  }
}

}  // namespace

void add_moves(Table& table) {
  add_copies<U16>(table, std::array<std::string_view, 5>{"b16", "u16", "s16", "f16", "bf16"});
  add_copies<U32>(table,
                  std::array<std::string_view, 6>{"b32", "u32", "s32", "f32", "f16x2", "bf16x2"});
  add_copies<U64>(table, std::array<std::string_view, 4>{"b64", "u64", "s64", "f64"});
  table.fast("mov.pred", [](Predicate a) { return a; });
  table.add("mov.b128", [](Wide a) { return a; });
  // Bytes are kept in registers of 16 bits, zero-extended.
  for (const std::string_view type : {"b8", "u8", "s8"}) {
    table.add(joined("mov.", type), [](U16 a) { return static_cast<U16>(a & 0xffU); });
  }

  table.fast("pack.b64.b32", [](U32 a, U32 b) { return U64{a} | U64{b} << 32U; });
  table.add("pack.b64.b16", [](U16 a, U16 b, U16 c, U16 d) {
    return U64{a} | U64{b} << 16U | U64{c} << 32U | U64{d} << 48U;
  });
  table.fast("pack.b32.b16", [](U16 a, U16 b) { return U32{a} | U32{b} << 16U; });
  table.add("pack.b32.b8", [](U16 a, U16 b, U16 c, U16 d) {
    return (U32{a} & 255U) | (U32{b} & 255U) << 8U | (U32{c} & 255U) << 16U | U32{d} << 24U;
  });
  table.add("pack.b16.b8",
            [](U16 a, U16 b) { return static_cast<U16>((U32{a} & 255U) | U32{b} << 8U); });
  table.add("pack.b128.b64", [](U64 a, U64 b) { return Wide{a, b}; });

  table.fast("unpack.b64.b32", [](U64 a) {
    return std::tuple{static_cast<U32>(a), static_cast<U32>(a >> 32U)};
  });
  table.add("unpack.b64.b16", [](U64 a) {
    return std::tuple{static_cast<U16>(a), static_cast<U16>(a >> 16U), static_cast<U16>(a >> 32U),
                      static_cast<U16>(a >> 48U)};
  });
  table.fast("unpack.b32.b16", [](U32 a) {
    return std::tuple{static_cast<U16>(a), static_cast<U16>(a >> 16U)};
  });
  table.add("unpack.b32.b8", [](U32 a) {
    return std::tuple{static_cast<U16>(a & 255U), static_cast<U16>(a >> 8U & 255U),
                      static_cast<U16>(a >> 16U & 255U), static_cast<U16>(a >> 24U)};
  });
  table.add("unpack.b16.b8", [](U16 a) {
    return std::tuple{static_cast<U16>(a & 255U), static_cast<U16>(a >> 8U)};
  });
  table.add("unpack.b128.b64", [](Wide a) { return std::tuple{a.low, a.high}; });
}

}  // namespace bankproof::ptx::lanes
