// See memory.hpp.
#include "memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>

#include "errors.hpp"
#include "words.hpp"

namespace bankproof::cli {
namespace {

/// The product, or the largest 64-bit number when the product does not fit.
std::uint64_t total(std::uint64_t elements, std::uint64_t element_bytes) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return elements > most / element_bytes ? most : elements * element_bytes;
}

[[noreturn]] void refuse(const std::string& name, std::uint64_t elements,
                         std::uint64_t element_bytes, const std::string& limit) {
  throw InputError(fmt::format("{}: {} need{} {} of memory, more than {}", name,
                               counted(elements, "element"), elements == 1 ? "s" : "",
                               size_text(total(elements, element_bytes)), limit));
}

}  // namespace

std::uint64_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || page <= 0) return std::numeric_limits<std::uint64_t>::max();
  return total(static_cast<std::uint64_t>(pages), static_cast<std::uint64_t>(page));
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 6> units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return counted(bytes, "byte");
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < units.size(); ++unit) size /= 1024;
  return fmt::format("{:.1f} {}", size, units[unit]);
}

void require_memory(const std::string& name, std::uint64_t elements, std::uint64_t element_bytes) {
  const std::uint64_t most = physical_memory();
  if (total(elements, element_bytes) <= most) return;
  refuse(name, elements, element_bytes, "the " + size_text(most) + " of this machine");
}

void refuse_for_memory(const std::string& name, std::uint64_t elements,
                       std::uint64_t element_bytes) {
  refuse(name, elements, element_bytes, "is available");
}

void refuse_for_memory(const std::string& name) {
  throw InputError(name + ": needs more memory than is available");
}

}  // namespace bankproof::cli
