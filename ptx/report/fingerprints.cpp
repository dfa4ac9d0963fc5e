// See fingerprints.hpp.
#include "fingerprints.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace bankproof::ptx {
namespace {

/// FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// The lines of the sources without blanks.
class TextLines {
 public:
  explicit TextLines(const SourceTexts& sources) {
    for (const auto& [file, text] : sources) {
      std::vector<std::string>& lines = lines_[file];
      lines.emplace_back();
      for (const char c : text) {
        if (c == '\n') {
          lines.emplace_back();
        } else if (c != ' ' && c != '\t' && c != '\r') {
          lines.back() += c;
        }
      }
    }
  }

  /// The text of the line, or its number if the text is not known.
  std::string at(const SourceLine& at) const {
    const auto found = lines_.find(at.file);
    const bool is_known = found != lines_.end() && at.line > 0 && at.line <= found->second.size();
    return is_known ? found->second[at.line - 1] : fmt::format("\n{}", at.line);
  }

 private:
  std::map<std::string, std::vector<std::string>> lines_;
};

}  // namespace

void add_fingerprints(KernelReport& report, const SourceTexts& sources) {
  const TextLines texts(sources);
  std::map<std::tuple<std::string, std::string>, std::size_t> seen;
  const auto fingerprint = [&](const std::string& kind, const SourceLine& at,
                               const std::string& kernel) {
    const std::string key = at.file + '\0' + kernel + '\0' + texts.at(at);
    const std::size_t before = seen[{kind, key}]++;
    return fmt::format("{:016x}", hash_of(key + '\0' + std::to_string(before)));
  };
  for (FaultReport& fault : report.faults) {
    fault.fingerprint = fingerprint(std::string(name_of(fault.kind)), fault.at,
                                    fault.functions.empty() ? "" : fault.functions.back());
  }
  for (LineReport& line : report.lines) line.fingerprint = fingerprint("excess", line.at, "");
}

}  // namespace bankproof::ptx
