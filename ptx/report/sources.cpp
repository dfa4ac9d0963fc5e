// See sources.hpp.
#include "sources.hpp"

#include <cctype>
#include <set>
#include <string>
#include <string_view>

namespace bankproof::ptx {
namespace {

/// Whether a path can begin at this character of the text: it is not in the middle of another one.
bool begins_path(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const auto before = static_cast<unsigned char>(text[at - 1]);
  return before < 0x80 && std::isalnum(before) == 0 &&
         std::string_view("/._-+~").find(text[at - 1]) == std::string_view::npos;
}

}  // namespace

std::vector<std::string> reported_files(const KernelReport& report) {
  std::set<std::string> files;
  for (const LineReport& line : report.lines) files.insert(line.at.file);
  for (const FaultReport& fault : report.faults) files.insert(fault.at.file);
  return {files.begin(), files.end()};
}

void name_files_from(KernelReport& report, const std::filesystem::path& folder) {
  const std::string prefix = (folder / "").string();
  if (prefix == "/") return;
  const auto shorten = [&](std::string& text) {
    for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) {
      if (begins_path(text, at)) {
        text.erase(at, prefix.size());
      } else {
        ++at;
      }
    }
  };
  for (LineReport& line : report.lines) {
    shorten(line.at.file);
    for (SourceLine& at : line.inlined) shorten(at.file);
  }
  for (FaultReport& fault : report.faults) {
    shorten(fault.at.file);
    shorten(fault.message);
    shorten(fault.command);
    for (SourceLine& at : fault.chain) shorten(at.file);
  }
}

}  // namespace bankproof::ptx
