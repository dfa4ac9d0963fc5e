// Makes the rows: families of element types with their shapes, and the spelling of each opcode.
#include "forms.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace bankproof::ptx {

namespace {

using Element = ElementType;

// All combinations of a shape, a type of a, a type of b (both from `elements`) and a type of the
// sums.
struct MmaFamily {
  std::vector<MatrixShape> shapes;
  std::vector<Element> elements;
  std::vector<Element> sums;
  bool integers;
};

std::vector<MmaFamily> mma_families() {
  return {
      {{{16, 8, 8}, {16, 8, 16}}, {Element::f16}, {Element::f16, Element::f32}, false},
      {{{16, 8, 8}, {16, 8, 16}}, {Element::bf16}, {Element::f32}, false},
      {{{16, 8, 4}, {16, 8, 8}}, {Element::tf32}, {Element::f32}, false},
      {{{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}}, {Element::f64}, {Element::f64}, false},
      {{{8, 8, 16}, {16, 8, 16}, {16, 8, 32}}, {Element::s8, Element::u8}, {Element::s32}, true},
      {{{8, 8, 32}, {16, 8, 32}, {16, 8, 64}}, {Element::s4, Element::u4}, {Element::s32}, true},
  };
}

// mma.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype
MultiplyForm multiply_form(const MatrixShape& shape, Element a, Element b, Element sum,
                           bool saturates) {
  std::string opcode = "mma.sync.aligned." + name_of(shape) + ".row.col";
  if (saturates) opcode += ".satfinite";
  for (const Element type : {sum, a, b, sum}) {
    opcode += '.';
    opcode += name_of(type);
  }
  return {std::move(opcode), shape, a, b, sum, sum, saturates, false};
}

std::vector<MultiplyForm> make_multiply_forms() {
  std::vector<MultiplyForm> forms;
  const auto add = [&](const MmaFamily& family, const MatrixShape& shape, Element a, Element b) {
    for (const Element sum : family.sums) {
      forms.push_back(multiply_form(shape, a, b, sum, false));
      if (family.integers) forms.push_back(multiply_form(shape, a, b, sum, true));
    }
  };
  for (const MmaFamily& family : mma_families()) {
    for (const MatrixShape& shape : family.shapes) {
      for (const Element a : family.elements) {
        for (const Element b : family.elements) add(family, shape, a, b);
      }
    }
  }
  return forms;
}

// ldmatrix.sync.aligned.m8n8.num{.trans}{.ss}.b16
std::vector<ExchangeForm> make_exchange_forms() {
  using Kind = ExchangeForm::Kind;
  std::vector<ExchangeForm> forms{
      {"movmatrix.sync.aligned.m8n8.trans.b16", Kind::move, 1, true, false}};
  const auto add = [&](Kind kind, std::uint32_t matrices, bool transposed, std::string_view space) {
    std::string opcode = kind == Kind::load ? "ldmatrix" : "stmatrix";
    opcode += ".sync.aligned.m8n8.x" + std::to_string(matrices);
    if (transposed) opcode += ".trans";
    opcode += space;
    forms.push_back({opcode + ".b16", kind, matrices, transposed, space.empty()});
  };
  for (const Kind kind : {Kind::load, Kind::store}) {
    for (const std::uint32_t matrices : {1U, 2U, 4U}) {
      for (const bool transposed : {false, true}) {
        for (const std::string_view space : {"", ".shared", ".shared::cta"}) {
          add(kind, matrices, transposed, space);
        }
      }
    }
  }
  return forms;
}

template <class Form>
const Form* found(std::span<const Form> forms, std::string_view opcode) {
  const auto at = std::find_if(forms.begin(), forms.end(),
                               [&](const Form& form) { return form.opcode == opcode; });
  return at == forms.end() ? nullptr : &*at;
}

}  // namespace

std::string_view name_of(ElementType type) {
  constexpr std::array<std::string_view, 10> names = {"f16", "bf16", "tf32", "f32", "f64",
                                                      "s4",  "u4",   "s8",   "u8",  "s32"};
  return names[static_cast<std::size_t>(type)];
}

std::string name_of(const MatrixShape& shape) {
  return "m" + std::to_string(shape.m) + "n" + std::to_string(shape.n) + "k" +
         std::to_string(shape.k);
}

std::span<const MultiplyForm> multiply_forms() {
  static const std::vector<MultiplyForm> forms = [] {
    std::vector<MultiplyForm> all = make_multiply_forms();
    for (MultiplyForm& form : wmma_multiply_forms()) all.push_back(std::move(form));
    return all;
  }();
  return forms;
}

std::span<const ExchangeForm> exchange_forms() {
  static const std::vector<ExchangeForm> forms = make_exchange_forms();
  return forms;
}

const MultiplyForm* find_multiply_form(std::string_view opcode) {
  return found(multiply_forms(), opcode);
}

const ExchangeForm* find_exchange_form(std::string_view opcode) {
  return found(exchange_forms(), opcode);
}

const TileForm* find_tile_form(std::string_view opcode) { return found(tile_forms(), opcode); }

}  // namespace bankproof::ptx
