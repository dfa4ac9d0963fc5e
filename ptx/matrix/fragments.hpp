// The lane and the register of each element of a matrix (PTX ISA, "Matrix Fragments for mma").
//
// A register of a or b holds consecutive elements along k, the first element in the low bits. Four
// lanes share each row in a group of 8 rows of a, and each column in a group of 8 columns of b:
// the first register of lane 4 · i + j holds the j-th group of elements of row i of a, or of column
// i of b. The lane's next registers hold elements 8 rows further down in a (or 8 columns further
// right in b), or further along k. The ISA gives a table for each shape, and all tables agree with
// the functions below.
//
// For wmma, the ISA only gives the number of registers. Here wmma has fragments by the same
// functions.
//
// Example: the matrix a of m16n8k16.f16. Lane 9 holds the elements (row 2, column 2) and (2, 3) in
// its first register, (10, 2) and (10, 3) in its second, (2, 10) and (2, 11) in its third, (10, 10)
// and (10, 11) in its fourth.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "../isa/registers.hpp"
#include "forms.hpp"

namespace bankproof::ptx {

inline constexpr std::uint32_t most_fragment_registers = 8;

/// The registers in which the lanes hold a matrix, indexed by register and lane. A 32-bit register
/// is in the low half of its entry.
using Fragment = std::array<std::array<std::uint64_t, warp_lanes>, most_fragment_registers>;

struct ElementPlace {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
};

/// The number of bits of a fragment's register, and the number of elements that it holds.
constexpr std::uint32_t register_bits(ElementType type) {
  return type == ElementType::f64 ? 64 : 32;
}
constexpr std::uint32_t elements_of_register(ElementType type) {
  return register_bits(type) / bits_of(type);
}

/// The number of registers that each lane needs for a matrix with this many elements.
constexpr std::uint32_t fragment_registers(ElementType type, std::uint32_t elements) {
  return elements / warp_lanes / elements_of_register(type);
}

/// The place of an element of a matrix a with m rows.
constexpr ElementPlace place_in_a(ElementType type, std::uint32_t m, std::uint32_t index,
                                  std::uint32_t lane, std::uint32_t element) {
  const std::uint32_t each = elements_of_register(type);
  const std::uint32_t down = std::max(m / 8, 1U);  // registers
  return {lane / 4 + 8 * (index % down), (lane % 4 + 4 * (index / down)) * each + element};
}

/// The place of an element of a matrix b with k rows.
constexpr ElementPlace place_in_b(ElementType type, std::uint32_t k, std::uint32_t index,
                                  std::uint32_t lane, std::uint32_t element) {
  const std::uint32_t each = elements_of_register(type);
  const std::uint32_t along = std::max(k / 4 / each, 1U);  // registers
  return {(lane % 4 + 4 * (index % along)) * each + element, lane / 4 + 8 * (index / along)};
}

/// The place of an element of a matrix c or d with m rows. A lane holds two elements of one row,
/// then two elements of the row 8 rows further down.
constexpr ElementPlace place_in_sum(ElementType type, std::uint32_t m, std::uint32_t index,
                                    std::uint32_t lane, std::uint32_t element) {
  const std::uint32_t number = index * elements_of_register(type) + element;
  const std::uint32_t down = std::max(m / 4, 1U);  // elements
  return {lane / 4 + 8 * (number % down / 2), 2 * (lane % 4) + number % 2 + 8 * (number / down)};
}

}  // namespace bankproof::ptx
