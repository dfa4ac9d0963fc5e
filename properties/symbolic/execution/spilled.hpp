// Kernels that keep their registers on the stack, as code that is not optimized does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <regex>
#include <sstream>
#include <string>

namespace bankproof::symbolic {

/// The text of a random kernel (random_kernel.hpp) whose registers %r10, %r11, … are words of a
/// variable on the stack. A word is loaded and stored alone, or through a pointer that lies on the
/// stack, or as a half of 64 bits.
class Spilled {
 public:
  explicit Spilled(std::uint64_t seed) : engine_(seed) {}

  std::string text(const std::string& kernel) {
    std::istringstream lines(kernel);
    std::string all;
    for (std::string line; std::getline(lines, line);) {
      if (line.find(".visible") == 0) {
        all += line + "\n";
      } else if (line == "{") {
        all +=
            "{\n.local .align 8 .b8 depot[4096];\n.reg .b64 %SP;\n.reg .b64 %d<9999>;\n"
            ".reg .b64 %SPL;\n.reg .b32 %q<9>;\nmov.u64 %SPL, depot;\ncvta.local.u64 %SP, %SPL;\n";
      } else {
        all += spilled(line);
      }
    }
    return all;
  }

 private:
  bool one_of(std::uint64_t count) { return engine_() % count == 0; }

  std::string spilled(const std::string& line) {
    static const std::regex name("%r([1-9][0-9]+)");
    static const std::regex written("^(@!?%p[0-9] )?[a-z][a-z0-9.]* %r([1-9][0-9]+),");
    if (line[0] == '.') return line + "\n";
    std::smatch result;
    const bool writes = std::regex_search(line, result, written);
    std::string before;
    std::string after;
    std::string made;
    std::size_t sources = 1;
    auto rest = line.cbegin();
    for (std::smatch found; std::regex_search(rest, line.cend(), found, name);) {
      const bool is_result = writes && made.find('%') == std::string::npos;
      const std::string here = is_result ? "%q0" : "%q" + std::to_string(sources);
      const int word = std::stoi(found[1]);
      if (is_result) {
        after = stored(word);
      } else {
        before += loaded(word, here);
        ++sources;
      }
      made += std::string(rest, found[0].first) + here;
      rest = found[0].second;
    }
    return before + made + std::string(rest, line.cend()) + "\n" + after;
  }

  static std::string at(int byte) { return "[%SP+" + std::to_string(byte) + "]"; }
  std::string wide() { return "%d" + std::to_string(next_++); }

  /// An access through a pointer to the word; the pointer was on the stack itself.
  std::string through_pointer(int word, const std::string& access, const std::string& rest) {
    const std::string made = wide();
    const std::string loaded = wide();
    const std::string place = "[%SPL+" + std::to_string(1024 + 8 * word) + "]";
    return "add.u64 " + made + ", %SP, " + std::to_string(4 * word) + ";\nst.local.u64 " + place +
           ", " + made + ";\nld.local.u64 " + loaded + ", " + place + ";\n" + access + loaded +
           rest + ";\n";
  }

  std::string loaded(int word, const std::string& to) {
    if (one_of(6)) return through_pointer(word, "ld.u32 " + to + ", [", "]");
    if (!one_of(6)) return "ld.u32 " + to + ", " + at(4 * word) + ";\n";
    const std::string whole = wide();
    return "ld.u64 " + whole + ", " + at(4 * (word & ~1)) + ";\nmov.b64 {" +
           (word % 2 == 0 ? to + ", %q8" : "%q8, " + to) + "}, " + whole + ";\n";
  }
  std::string stored(int word) {
    if (one_of(6)) return through_pointer(word, "st.u32 [", "], %q0");
    if (!one_of(6)) return "st.u32 " + at(4 * word) + ", %q0;\n";
    const std::string before = wide();
    const std::string after = wide();
    const std::string pair = at(4 * (word & ~1));
    return "ld.u64 " + before + ", " + pair + ";\nmov.b64 {%q7, %q8}, " + before + ";\nmov.b64 " +
           after + (word % 2 == 0 ? ", {%q0, %q8}" : ", {%q7, %q0}") + ";\nst.u64 " + pair + ", " +
           after + ";\n";
  }

  int next_ = 1;
  std::mt19937_64 engine_;
};

}  // namespace bankproof::symbolic
