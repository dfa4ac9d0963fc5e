// Turns fragments into plain matrices, multiplies these, and turns the sum into a fragment.
#include "multiply.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "../alu/half.hpp"

namespace bankproof::ptx {

namespace {

constexpr std::size_t largest = 1024;     // elements of a, and of b
constexpr std::size_t largest_sum = 256;  // elements of c, and of d
constexpr std::uint32_t block = 8;        // columns that are summed together

// Matrices, row by row.
template <class Value>
struct Operands {
  std::array<Value, largest> a;
  std::array<Value, largest> b;
};
template <class Value>
using Sums = std::array<Value, largest_sum>;

using Bits = std::uint64_t;

// Calls put(place, bits) for each element. The low bits of `bits` are the element; above them are
// the next elements of the register.
template <class PlaceOf, class Put>
void each_element(const Fragment& fragment, ElementType type, std::uint32_t registers,
                  const PlaceOf& place_of, const Put& put) {
  const std::uint32_t each = elements_of_register(type);
  const std::uint32_t bits = bits_of(type);
  for (std::uint32_t index = 0; index < registers; ++index) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      for (std::uint32_t e = 0; e < each; ++e) {
        put(place_of(index, lane, e), fragment[index][lane] >> (e * bits));
      }
    }
  }
}

// Calls use(decode), where decode(bits) is the value of the element in the low bits.
template <class Use>
void with_decoder(ElementType type, const Use& use) {
  using lanes::widened;
  switch (type) {
    case ElementType::f16:
      return use([](Bits x) { return double{widened(lanes::Half{static_cast<lanes::U16>(x)})}; });
    case ElementType::bf16:
      return use([](Bits x) { return double{widened(lanes::Brain{static_cast<lanes::U16>(x)})}; });
    case ElementType::tf32:
      return use([](Bits x) {
        return double{std::bit_cast<float>(static_cast<std::uint32_t>(x) & 0xffffe000U)};
      });
    case ElementType::f32:
      return use(
          [](Bits x) { return double{std::bit_cast<float>(static_cast<std::uint32_t>(x))}; });
    case ElementType::f64:
      return use([](Bits x) { return std::bit_cast<double>(x); });
    case ElementType::s4:
      return use([](Bits x) { return (static_cast<std::int32_t>(x & 15U) ^ 8) - 8; });
    case ElementType::u4:
      return use([](Bits x) { return static_cast<std::int32_t>(x & 15U); });
    case ElementType::s8:
      return use([](Bits x) { return std::int32_t{static_cast<std::int8_t>(x)}; });
    case ElementType::u8:
      return use([](Bits x) { return std::int32_t{static_cast<std::uint8_t>(x)}; });
    case ElementType::s32:
      return use([](Bits x) { return static_cast<std::int32_t>(x); });
  }
}

// Writes the elements of a fragment to `to`, row by row.
template <class PlaceOf, class Value>
void read_matrix(const Fragment& fragment, ElementType type, std::uint32_t rows,
                 std::uint32_t columns, const PlaceOf& place_of, Value* to) {
  with_decoder(type, [&](const auto& decode) {
    each_element(fragment, type, fragment_registers(type, rows * columns), place_of,
                 [&](const ElementPlace& place, Bits bits) {
                   to[place.row * columns + place.column] = static_cast<Value>(decode(bits));
                 });
  });
}

template <class Value>
void read_operands(const MultiplyForm& form, const Fragment& a, const Fragment& b,
                   Operands<Value>& to) {
  const MatrixShape& shape = form.shape;
  read_matrix(
      a, form.a, shape.m, shape.k, [&](auto... at) { return place_in_a(form.a, shape.m, at...); },
      to.a.data());
  read_matrix(
      b, form.b, shape.k, shape.n, [&](auto... at) { return place_in_b(form.b, shape.k, at...); },
      to.b.data());
}

template <class Value>
void read_addend(const MultiplyForm& form, const Fragment& c, Sums<Value>& to) {
  const MatrixShape& shape = form.shape;
  read_matrix(
      c, form.c, shape.m, shape.n, [&](auto... at) { return place_in_sum(form.c, shape.m, at...); },
      to.data());
}

// Adds the products a · b to the sums one after the other, in the order of k.
template <class Value, class Add>
void add_products(const MatrixShape& shape, const Operands<Value>& operands, Sums<Value>& sums,
                  const Add& add) {
  for (std::uint32_t row = 0; row < shape.m; ++row) {
    for (std::uint32_t first = 0; first < shape.n; first += block) {
      Value* const sum = sums.data() + std::size_t{row} * shape.n + first;
      for (std::uint32_t k = 0; k < shape.k; ++k) {
        const Value a = operands.a[row * shape.k + k];
        const Value* const b = operands.b.data() + std::size_t{k} * shape.n + first;
        for (std::uint32_t column = 0; column < block; ++column) {
          sum[column] = add(a, b[column], sum[column]);
        }
      }
    }
  }
}

Bits encoded(ElementType type, double sum) {
  switch (type) {
    case ElementType::f16:
      return lanes::narrowed<lanes::Half>(sum).bits;
    case ElementType::f64:
      return std::bit_cast<Bits>(lanes::canonical(sum));
    default:
      return std::bit_cast<std::uint32_t>(lanes::canonical(static_cast<float>(sum)));
  }
}

// Makes d from the sums; `encode(i)` gives the bits of sum i.
template <class Encode>
Fragment fragment_of(const MultiplyForm& form, const Encode& encode) {
  Fragment d{};
  const MatrixShape& shape = form.shape;
  const std::uint32_t each = elements_of_register(form.d);
  const std::uint32_t registers = fragment_registers(form.d, shape.m * shape.n);
  for (std::uint32_t index = 0; index < registers; ++index) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      for (std::uint32_t e = 0; e < each; ++e) {
        const ElementPlace place = place_in_sum(form.d, shape.m, index, lane, e);
        d[index][lane] |= encode(place.row * shape.n + place.column) << (e * bits_of(form.d));
      }
    }
  }
  return d;
}

Fragment multiplied_numbers(const MultiplyForm& form, const Fragment& a, const Fragment& b,
                            const Fragment& c) {
  Operands<double> operands;
  Sums<double> sums;
  read_operands(form, a, b, operands);
  read_addend(form, c, sums);
  if (form.d == ElementType::f64) {
    add_products(form.shape, operands, sums,
                 [](double x, double y, double z) { return std::fma(x, y, z); });
  } else {
    add_products(form.shape, operands, sums,
                 [](double x, double y, double z) { return x * y + z; });
  }
  return fragment_of(form, [&](std::uint32_t at) { return encoded(form.d, sums[at]); });
}

Fragment multiplied_integers(const MultiplyForm& form, const Fragment& a, const Fragment& b,
                             const Fragment& c) {
  Operands<std::int32_t> operands;
  // Sums of products, without c, are far from the limits of int32, so they do not overflow.
  Sums<std::int32_t> products{};
  Sums<std::int32_t> addends;
  read_operands(form, a, b, operands);
  add_products(form.shape, operands, products,
               [](std::int32_t x, std::int32_t y, std::int32_t z) { return x * y + z; });
  read_addend(form, c, addends);
  using Limits = std::numeric_limits<std::int32_t>;
  return fragment_of(form, [&](std::uint32_t at) {
    const std::int64_t sum = std::int64_t{products[at]} + addends[at];
    const std::int64_t kept =
        form.saturates ? std::clamp<std::int64_t>(sum, Limits::min(), Limits::max()) : sum;
    return Bits{static_cast<std::uint32_t>(kept)};
  });
}

}  // namespace

Fragment multiplied(const MultiplyForm& form, const Fragment& a, const Fragment& b,
                    const Fragment& c) {
  return form.d == ElementType::s32 ? multiplied_integers(form, a, b, c)
                                    : multiplied_numbers(form, a, b, c);
}

}  // namespace bankproof::ptx
