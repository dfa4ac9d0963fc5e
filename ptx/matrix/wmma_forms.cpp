// The rows of wmma.load, wmma.store and wmma.mma.
#include <array>
#include <utility>

#include "forms.hpp"

namespace bankproof::ptx {

namespace {

using Element = ElementType;

constexpr std::array<MatrixShape, 3> shapes_of_16{{{16, 16, 16}, {8, 32, 16}, {32, 8, 16}}};

// The shapes and the types of the sums (c and d) for a type of the elements of a and b.
struct WmmaFamily {
  std::vector<MatrixShape> shapes;
  Element element;
  std::vector<Element> sums;
};

std::vector<WmmaFamily> wmma_families() {
  const std::vector<MatrixShape> of_16(shapes_of_16.begin(), shapes_of_16.end());
  return {{of_16, Element::f16, {Element::f16, Element::f32}},
          {of_16, Element::bf16, {Element::f32}},
          {{{16, 16, 8}}, Element::tf32, {Element::f32}},
          {{{8, 8, 4}}, Element::f64, {Element::f64}},
          {of_16, Element::s8, {Element::s32}},
          {of_16, Element::u8, {Element::s32}}};
}

// The modifiers after the shape: .dtype.ctype for f16, else .dtype.atype.btype.ctype.
std::string types_of(const MultiplyForm& form) {
  std::vector<Element> types{form.d};
  if (form.a != Element::f16) types.insert(types.end(), {form.a, form.b});
  types.push_back(form.c);
  std::string text;
  for (const Element type : types) {
    text += '.';
    text += name_of(type);
  }
  return text;
}

// Adds a row for each layout of a and of b; the layout matters to loads only.
void add_multiply_forms(MultiplyForm form, std::vector<MultiplyForm>& forms) {
  form.repeats = form.a == Element::f16;
  for (const std::string_view layouts : {"row.row.", "row.col.", "col.row.", "col.col."}) {
    form.opcode = "wmma.mma.sync.aligned.";
    form.opcode += layouts;
    form.opcode += name_of(form.shape) + types_of(form);
    if (form.saturates) form.opcode += ".satfinite";
    forms.push_back(form);
    if (form.d != Element::f64) continue;
    // The ISA and nvcc put .rn at different positions; each spelling is a row.
    MultiplyForm rounded = form;
    rounded.opcode.insert(form.opcode.find(".f64"), ".rn");
    forms.push_back(rounded);
    rounded.opcode = form.opcode + ".rn";
    forms.push_back(std::move(rounded));
  }
}

// Adds a row for each layout and state space.
void add_tile_forms(TileForm form, std::vector<TileForm>& forms) {
  constexpr std::array<std::pair<std::string_view, std::optional<Space>>, 4> spaces{
      {{"", std::nullopt},
       {".global", Space::global},
       {".shared", Space::shared},
       {".shared::cta", Space::shared}}};
  const std::string operation =
      std::string(form.matrix == 'd' ? "wmma.store." : "wmma.load.") + form.matrix;
  for (const bool by_columns : {false, true}) {
    for (const auto& [name, space] : spaces) {
      form.by_columns = by_columns;
      form.space = space;
      form.opcode = operation + ".sync.aligned." + (by_columns ? "col." : "row.") +
                    name_of(form.shape) + std::string(name) + "." + std::string(name_of(form.type));
      forms.push_back(form);
    }
  }
}

std::vector<TileForm> make_tile_forms() {
  std::vector<TileForm> forms;
  for (const WmmaFamily& family : wmma_families()) {
    for (const MatrixShape& shape : family.shapes) {
      TileForm form;
      form.shape = shape;
      form.type = family.element;
      form.repeats = family.element == Element::f16;
      for (const char matrix : {'a', 'b'}) {
        form.matrix = matrix;
        add_tile_forms(form, forms);
      }
      form.repeats = false;
      // bf16 and u8 have the same rows for c and d as f16 and s8, which have already added them.
      if (family.element == Element::bf16 || family.element == Element::u8) continue;
      for (const Element sum : family.sums) {
        form.type = sum;
        for (const char matrix : {'c', 'd'}) {
          form.matrix = matrix;
          add_tile_forms(form, forms);
        }
      }
    }
  }
  return forms;
}

}  // namespace

std::vector<MultiplyForm> wmma_multiply_forms() {
  std::vector<MultiplyForm> forms;
  for (const WmmaFamily& family : wmma_families()) {
    for (const MatrixShape& shape : family.shapes) {
      for (const Element c : family.sums) {
        for (const Element d : family.sums) {
          MultiplyForm form{{}, shape, family.element, family.element, c, d, false, false};
          add_multiply_forms(form, forms);
          if (d != Element::s32) continue;
          form.saturates = true;
          add_multiply_forms(form, forms);
        }
      }
    }
  }
  return forms;
}

std::span<const TileForm> tile_forms() {
  static const std::vector<TileForm> forms = make_tile_forms();
  return forms;
}

}  // namespace bankproof::ptx
