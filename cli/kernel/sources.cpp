// The sources that a page shows.
#include <filesystem>
#include <system_error>

#include "../../ptx/report/text.hpp"
#include "../readers/text_file.hpp"
#include "formats.hpp"

namespace bankproof::cli {

ptx::SourceTexts sources_of(const ptx::KernelReport& report) {
  constexpr std::size_t longest = std::size_t{1} << 26;
  ptx::SourceTexts sources;
  for (const std::string& file : ptx::reported_files(report)) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) continue;
    sources[file] = whole_file(file, longest, "source");
  }
  return sources;
}

}  // namespace bankproof::cli
