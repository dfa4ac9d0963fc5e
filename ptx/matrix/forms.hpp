// Instructions on matrices that the lanes of a warp hold together (PTX ISA, "Warp Level Matrix
// Instructions"). Each spelling of an opcode has a row.
//
// mma and wmma.mma multiply matrices whose elements are spread over the registers of all lanes
// (fragments.hpp says how). wmma.load and wmma.store move these matrices from and to memory.
// ldmatrix and stmatrix move 8 × 8 matrices of 16-bit elements between such registers and shared
// memory; movmatrix transposes one such matrix.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../syntax/syntax.hpp"

namespace bankproof::ptx {

enum class ElementType : std::uint8_t { f16, bf16, tf32, f32, f64, s4, u4, s8, u8, s32 };

/// The bits that an element takes in a register. tf32 takes 32 bits; its low 13 bits are ignored.
constexpr std::uint32_t bits_of(ElementType type) {
  switch (type) {
    case ElementType::s4:
    case ElementType::u4:
      return 4;
    case ElementType::s8:
    case ElementType::u8:
      return 8;
    case ElementType::f16:
    case ElementType::bf16:
      return 16;
    case ElementType::f64:
      return 64;
    case ElementType::tf32:
    case ElementType::f32:
    case ElementType::s32:
      break;
  }
  return 32;
}

struct MatrixShape {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
};

/// d = a · b + c for an m × k matrix a and a k × n matrix b.
struct MultiplyForm {
  std::string opcode;  // "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
  MatrixShape shape;
  ElementType a = ElementType::f16;
  ElementType b = ElementType::f16;
  ElementType c = ElementType::f32;
  ElementType d = ElementType::f32;
  bool saturates = false;  // .satfinite: integers are clamped; without it they wrap
  bool repeats = false;    // a and b take eight registers, which hold each element several times
};

/// wmma.load, wmma.store
struct TileForm {
  std::string opcode;  // "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16"
  char matrix = 'a';   // a, b, c or d; only d is stored
  MatrixShape shape;
  ElementType type = ElementType::f16;
  bool by_columns = false;          // the layout in memory: .col
  std::optional<Space> space = {};  // without a value: generic
  bool repeats = false;             // as in MultiplyForm
};

/// ldmatrix, stmatrix, movmatrix.
struct ExchangeForm {
  enum class Kind : std::uint8_t { load, store, move };
  std::string opcode;  // "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"
  Kind kind = Kind::load;
  std::uint32_t matrices = 1;
  bool transposed = false;
  bool generic = false;  // no state space is written
};

/// All rows, in no particular order.
std::span<const MultiplyForm> multiply_forms();
std::span<const ExchangeForm> exchange_forms();
std::span<const TileForm> tile_forms();

/// The row of an opcode in its whole spelling, or null.
const MultiplyForm* find_multiply_form(std::string_view opcode);
const ExchangeForm* find_exchange_form(std::string_view opcode);
const TileForm* find_tile_form(std::string_view opcode);

/// "f16"
std::string_view name_of(ElementType type);
/// "m16n16k16"
std::string name_of(const MatrixShape& shape);

/// The rows of wmma.mma (wmma_forms.cpp).
std::vector<MultiplyForm> wmma_multiply_forms();

}  // namespace bankproof::ptx
