// See selection.hpp.
#include "selection.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace bankproof::cuda {

Selection Selection::of_environment() {
  Selection selection;
  if (const char* const names = std::getenv("BANKPROOF_KERNELS"); names != nullptr) {
    // One name a line: names of templates have commas.
    for (std::string_view rest = names; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (end > 0) selection.kernels.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  if (const char* const range = std::getenv("BANKPROOF_LAUNCHES"); range != nullptr) {
    char* end = nullptr;
    selection.first = selection.last = std::strtoull(range, &end, 10);
    if (*end == '-') selection.last = std::strtoull(end + 1, nullptr, 10);
  }
  return selection;
}

bool Selection::has(const std::string& kernel, std::uint64_t launch) const {
  const bool is_named =
      kernels.empty() || std::any_of(kernels.begin(), kernels.end(), [&](const std::string& part) {
        return kernel.find(part) != std::string::npos;
      });
  return is_named && first <= launch && launch <= last;
}

}  // namespace bankproof::cuda
