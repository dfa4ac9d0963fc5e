// Kernels that tell where they access memory: the text of a kernel with instructions before each
// access that write its line, its thread and its address to a buffer, a further parameter.
#pragma once

#include <array>
#include <cstdint>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bankproof::symbolic {

/// What a thread tells of an access: the line in the text, counted from 1, its own indices, and the
/// address. In shared memory, addresses count from the begin of the shared window.
struct Told {
  std::uint32_t line;
  std::array<std::uint32_t, 2> thread;
  std::array<std::uint32_t, 2> block;
  std::uint32_t unused;
  std::uint64_t address;
};
static_assert(sizeof(Told) == 32);

class Instrumented {
 public:
  /// Throws std::invalid_argument if the text has no such kernel.
  Instrumented(const std::string& text, const std::string& kernel) {
    std::istringstream lines(text);
    enum class At : std::uint8_t { outside, parameters, behind, head, body, done };
    At at = At::outside;
    std::string head;
    std::string body;
    for (std::string line; std::getline(lines, line); ++number_) {
      if (at == At::head && is_instruction(line)) at = At::body;
      if (at == At::body && line == "}") at = At::done;
      if (at == At::body) {
        body += before(line) + line + '\n';
        continue;
      }
      if (at != At::done) find_shared(line);
      if (at == At::outside && line.find(".entry " + kernel + "(") != std::string::npos) {
        at = At::parameters;
      }
      const std::size_t end = line.rfind(')');
      if (at == At::parameters && end != std::string::npos) {
        line.insert(end, ", .param .u64 told_parameter");
        at = At::behind;
      } else if (at == At::behind && line == "{") {
        at = At::head;
      }
      (at == At::done ? text_ : head) += line + '\n';
    }
    if (at != At::done) throw std::invalid_argument("no kernel " + kernel);
    std::erase_if(shared_,
                  [&](const std::string& name) { return body.find(name) == std::string::npos; });
    text_ = head + begin() + body + text_;
  }

  const std::string& text() const { return text_; }
  /// Arrays in shared memory. Thread 0 of each block tells where they begin, in place of a line by
  /// `first_shared` and their index here.
  const std::vector<std::string>& shared() const { return shared_; }
  static constexpr std::uint32_t first_shared = 1'000'000;

 private:
  static bool is_instruction(const std::string& line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first != std::string::npos && line[first] != '.' && line[first] != '/';
  }

  std::string begin() const {
    std::string all =
        ".reg .pred %told_p<2>;\n.reg .b32 %told<8>;\n.reg .b64 %told_w<4>;\n"
        "ld.param.u64 %told_w1, [told_parameter];\n"
        "mov.u32 %told1, %tid.x;\nsetp.eq.u32 %told_p1, %told1, 0;\n";
    for (std::size_t k = 0; k < shared_.size(); ++k) {
      all += "mov.u64 %told_w2, " + shared_[k] + ";\n" +
             tell("@%told_p1 ", std::to_string(first_shared + k));
    }
    return all;
  }

  void find_shared(const std::string& line) {
    static const std::regex declared(R"(\.shared (?:\.align \d+ )?\.b\d+ ([\w$]+)\[)");
    if (std::smatch found; std::regex_search(line, found, declared)) shared_.push_back(found[1]);
  }

  /// The instructions that tell the accesses of this line.
  std::string before(const std::string& line) const {
    std::string all;
    static const std::regex access(
        R"(^\s*(@!?%p\d+\s+)?((?:ld|st|atom|red|cp|ldmatrix)\.[\w.:]+)\s)");
    static const std::regex operand(R"(\[([%\w$]+)(?:\+(-?\d+))?\])");
    std::smatch found;
    if (!std::regex_search(line, found, access)) return all;
    const std::string opcode = found[2];
    for (const char* const space : {".param", ".const", ".local", ".wait", ".commit"}) {
      if (opcode.find(space) != std::string::npos) return all;
    }
    const std::string guard = found[1];
    const auto end = std::sregex_iterator();
    for (auto one = std::sregex_iterator(line.begin(), line.end(), operand); one != end; ++one) {
      const std::string place = (*one)[1];
      const std::string more = (*one)[2].matched ? (*one)[2].str() : "0";
      if (place.rfind("%rd", 0) == 0) {
        all += "add.s64 %told_w2, " + place + ", " + more + ";\n";
      } else if (place[0] == '%') {
        all += "add.s32 %told2, " + place + ", " + more + ";\ncvt.u64.u32 %told_w2, %told2;\n";
      } else {
        all += "mov.u64 %told_w2, " + place + ";\nadd.s64 %told_w2, %told_w2, " + more + ";\n";
      }
      const bool is_generic = opcode.find(".shared") == std::string::npos &&
                              opcode.find(".global") == std::string::npos;
      if (is_generic) {
        all +=
            "isspacep.shared %told_p1, %told_w2;\n"
            "@%told_p1 cvta.to.shared.u64 %told_w2, %told_w2;\n";
      }
      all += tell(guard, std::to_string(number_));
    }
    return all;
  }

  /// Writes the address in %told_w2.
  static std::string tell(const std::string& guard, const std::string& line) {
    std::string all = guard + "atom.global.add.u32 %told3, [%told_w1], 1;\n" + guard +
                      "mad.wide.u32 %told_w3, %told3, 32, %told_w1;\n";
    std::uint32_t at = 32;
    const auto word = [&](const std::string& value) {
      all += guard + "mov.u32 %told4, " + value + ";\n" + guard + "st.global.u32 [%told_w3+" +
             std::to_string(at) + "], %told4;\n";
      at += 4;
    };
    word(line);
    for (const char* const index : {"%tid.x", "%tid.y", "%ctaid.x", "%ctaid.y", "0"}) word(index);
    return all + guard + "st.global.u64 [%told_w3+" + std::to_string(at) + "], %told_w2;\n";
  }

  std::string text_;
  std::vector<std::string> shared_;
  std::uint32_t number_ = 1;
};

}  // namespace bankproof::symbolic
