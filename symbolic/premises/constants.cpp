// Finds values in conditions; see constants.hpp.
#include "constants.hpp"

#include <type_traits>

#include "computing.hpp"
#include "names.hpp"

namespace bankproof::symbolic {

namespace {

using formulas::BinaryOperator;

/// The two sides of `a == b` and of `a && b`.
template <class Each>
void each_part(const formulas::Expression& e, BinaryOperator operation, const Each& each) {
  e.visit([&](const auto& node) {
    if constexpr (std::is_same_v<std::decay_t<decltype(node)>, formulas::Binary>) {
      if (node.operation == operation) each(node.left, node.right);
    }
  });
}

std::optional<std::size_t> slot_of(const formulas::Expression& e) {
  return e.visit([](const auto& node) -> std::optional<std::size_t> {
    if constexpr (std::is_same_v<std::decay_t<decltype(node)>, formulas::Name>) return node.slot;
    return std::nullopt;
  });
}

class Constants {
 public:
  Constants(Shape& stated, const Names& names) : stated_(stated), names_(names) {}

  void add(const formulas::Expression& condition) {
    each_part(condition, BinaryOperator::logical_and, [&](const auto& a, const auto& b) {
      add(a);
      add(b);
    });
    each_part(condition, BinaryOperator::equal, [&](const auto& a, const auto& b) {
      add_equal(a, b);
      add_equal(b, a);
    });
  }

 private:
  void add_equal(const formulas::Expression& left, const formulas::Expression& right) {
    const std::optional<std::size_t> slot = slot_of(left);
    if (!slot) return;
    Computing computing(pool_, [&](std::size_t name) {
      const auto known = known_value(names_.meaning(name));
      return known ? pool_.constant(*known, 64) : pool_.unknown(std::to_string(name), 64);
    });
    const Term term = computing.value(right);
    if (pool_.is_constant(term)) put(names_.meaning(*slot), pool_.node(term).value);
  }

  std::optional<std::uint64_t> known_value(const Names::Meaning& name) const {
    if (name.value) {
      const NamedValue& one = *name.value;
      const auto known = stated_.values.find({one.index, one.offset, one.bytes});
      return known == stated_.values.end() ? std::nullopt : std::optional(known->second);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string axis(1, "xyz"[k]);
      if (name.special == "%ntid." + axis) return stated_.block[k];
      if (name.special == "%nctaid." + axis) return stated_.grid[k];
    }
    return std::nullopt;
  }

  void put(const Names::Meaning& name, std::uint64_t value) {
    if (name.value) {
      const NamedValue& one = *name.value;
      const unsigned width = 8 * one.bytes;
      const Term kept = pool_.resized(pool_.constant(value, width), 64, one.is_signed);
      // A value that does not fit contradicts the type; the condition says so where it is read.
      if (pool_.node(kept).value == value) {
        stated_.values.try_emplace({one.index, one.offset, one.bytes}, value);
      }
      return;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string axis(1, "xyz"[k]);
      auto& sizes = name.special == "%ntid." + axis ? stated_.block : stated_.grid;
      const bool is_axis = name.special == "%ntid." + axis || name.special == "%nctaid." + axis;
      const bool is_size = value >= 1 && value <= 0x7fffffff;
      if (is_axis && is_size && !sizes[k]) sizes[k] = static_cast<std::uint32_t>(value);
    }
  }

  Shape& stated_;
  const Names& names_;
  Pool pool_;
};

}  // namespace

void add_constants(Shape& stated, const std::string& condition,
                   const std::vector<NamedValue>& values) {
  const Names names(values);
  Constants(stated, names).add(names.parsed(condition));
}

}  // namespace bankproof::symbolic
