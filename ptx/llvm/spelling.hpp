// The parts of an opcode: `add.rn.ftz.f32` is add, with modifiers and the type f32.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace bankproof::ptx::compiled {

/// The type of an operand as the opcode writes it.
struct Written {
  char kind = 'b';  // b, u, s, f
  unsigned bits = 32;
  bool is_float() const { return kind == 'f'; }
  bool is_signed() const { return kind == 's'; }
  /// The bits of its register: bytes are kept in 16.
  unsigned lane() const { return std::max(bits, 16U); }
};

inline std::optional<Written> written(std::string_view text) {
  if (text.size() < 2 || std::string_view("busf").find(text[0]) == std::string_view::npos)
    return {};
  for (const unsigned bits : {8U, 16U, 32U, 64U}) {
    if (text.substr(1) != (bits == 8 ? "8" : bits == 16 ? "16" : bits == 32 ? "32" : "64"))
      continue;
    if (text[0] == 'f' && bits < 32) return {};
    return Written{text[0], bits};
  }
  return {};
}

class Spelling {
 public:
  explicit Spelling(std::string_view opcode) {
    for (;;) {
      const std::size_t dot = opcode.find('.');
      parts_.push_back(opcode.substr(0, dot));
      if (dot == std::string_view::npos) break;
      opcode.remove_prefix(dot + 1);
    }
  }
  std::string_view base() const { return parts_.front(); }
  std::size_t size() const { return parts_.size(); }
  std::string_view operator[](std::size_t part) const {
    return part < parts_.size() ? parts_[part] : std::string_view{};
  }
  /// The type that the last part names, or that the part before `behind` others names.
  std::optional<Written> type(std::size_t behind = 0) const {
    if (parts_.size() < 2 + behind) return {};
    return written(parts_[parts_.size() - 1 - behind]);
  }
  bool has(std::string_view modifier) const {
    return std::find(parts_.begin() + 1, parts_.end(), modifier) != parts_.end();
  }
  /// Whether all parts between the base and the last `types` parts are of these modifiers.
  bool only(std::initializer_list<std::string_view> modifiers, std::size_t types = 1) const {
    if (parts_.size() < 1 + types) return false;
    return std::all_of(parts_.begin() + 1, parts_.end() - static_cast<std::ptrdiff_t>(types),
                       [&](std::string_view part) {
                         return std::find(modifiers.begin(), modifiers.end(), part) !=
                                modifiers.end();
                       });
  }

 private:
  std::vector<std::string_view> parts_;
};

}  // namespace bankproof::ptx::compiled
