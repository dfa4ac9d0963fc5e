// Takes opcodes apart and chooses their oracles; see oracle.hpp.
#include "oracle.hpp"

#include <algorithm>
#include <array>

namespace bankproof::ptx {

Spelling::Spelling(std::string_view opcode) {
  base_ = opcode.substr(0, opcode.find('.'));
  while (opcode.find('.') != opcode.npos) {
    opcode.remove_prefix(opcode.find('.') + 1);
    modifiers_.at(count_++) = opcode.substr(0, opcode.find('.'));
  }
}

bool Spelling::take(std::string_view modifier) {
  const auto end = modifiers_.begin() + static_cast<std::ptrdiff_t>(count_);
  const auto found = std::find(modifiers_.begin(), end, modifier);
  if (found == end) return false;
  std::move(found + 1, end, found);
  --count_;
  return true;
}

bool Spelling::has(std::string_view modifier) const {
  return std::ranges::find(modifiers(), modifier) != modifiers().end();
}

std::string_view Spelling::take_last() {
  return count_ == 0 ? std::string_view() : modifiers_.at(--count_);
}

std::string Spelling::left() const {
  std::string text;
  for (const std::string_view modifier : modifiers()) text += "." + std::string(modifier);
  return text;
}

std::optional<Mode> take_mode(Spelling& op) {
  for (const auto& [name, mode] : {std::pair{"rn", Mode::nearest}, std::pair{"rz", Mode::zero},
                                   std::pair{"rm", Mode::down}, std::pair{"rp", Mode::up}}) {
    if (op.take(name)) return mode;
  }
  return {};
}

std::uint64_t Finish::apply(std::uint64_t bits, Format format) const {
  bits = flushed(bits, format, ftz);
  const bool is_nan = (bits & ~format.sign()) > format.infinity();
  const bool is_negative = (bits & format.sign()) != 0;
  const std::uint64_t one = static_cast<std::uint64_t>(format.bias()) << format.fraction;
  if (sat) return is_nan || is_negative ? 0 : std::min(bits, one);
  if (relu && !is_nan && is_negative) return 0;
  return is_nan ? format.nan() : bits;
}

std::optional<Results> expected(Case a) {
  const Spelling whole = a.op;
  if (a.op.has("approx") || a.op.has("full")) return {};
  const std::string_view type = a.op.take_last();
  for (const auto part : {distances_result, carry_result, comparison_result, conversion_result,
                          float_result, bit_result, integer_result, move_result}) {
    std::optional<Results> results = part(a, type);
    if (!results) continue;
    if (!a.op.is_used_up()) {
      throw std::invalid_argument(std::string(whole.base()) + whole.left() +
                                  ": the oracle knows no " + a.op.left());
    }
    return results;
  }
  throw std::invalid_argument(std::string(whole.base()) + whole.left() + " has no oracle");
}

}  // namespace bankproof::ptx
