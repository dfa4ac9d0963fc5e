// See waivers.hpp.
#include "waivers.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "../../ptx/report/fingerprints.hpp"
#include "../readers/text_file.hpp"
#include "../support/errors.hpp"
#include "formats.hpp"

namespace bankproof::cli {
namespace {

std::vector<ptx::Suppression> read_suppressions(const std::string& file) {
  constexpr std::size_t longest = std::size_t{1} << 20;
  try {
    return ptx::parse_suppressions(whole_file(file, longest, "file of suppressions"), file);
  } catch (const ptx::SuppressionError& error) {
    throw InputError(error.what());
  }
}

}  // namespace

Waivers read_waivers(const std::string& suppress, const std::string& baseline) {
  Waivers waivers;
  waivers.suppress = suppress;
  if (!suppress.empty()) waivers.suppressions = read_suppressions(suppress);
  if (!baseline.empty()) waivers.baseline = read_baseline(baseline);
  return waivers;
}

std::vector<std::string> apply(const Waivers& waivers, ptx::KernelReport& report,
                               const ptx::Limits& limits) {
  ptx::add_fingerprints(report, sources_of(report));
  std::vector<std::string> notes;
  for (const ptx::Suppression& unused : ptx::suppress(report, waivers.suppressions)) {
    notes.push_back(fmt::format("{}:{}: suppresses nothing: {}", waivers.suppress,
                                unused.written_at, unused.text));
  }
  if (waivers.baseline) {
    for (std::string& note : compare(report, *waivers.baseline, limits)) {
      notes.push_back(std::move(note));
    }
  }
  return notes;
}

}  // namespace bankproof::cli
