// See modules.hpp.
#include "modules.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "../../ptx/syntax/parser.hpp"
#include "../fatbin/fat_binary.hpp"

namespace bankproof::cuda {

namespace {

constexpr unsigned highest_target = 90;  // of the PTX that the machine runs
constexpr std::string_view flags = "-gencode arch=compute_80,code=compute_80";

bool is_fat_binary(const void* data) {
  std::uint32_t magic = 0;
  std::memcpy(&magic, data, sizeof magic);
  return magic == 0xba55ed50;
}

KernelFile of_text(std::string_view text) {
  // The first line names the source; see embed.cpp.
  constexpr std::string_view mark = "// source: ";
  std::string source;
  if (text.starts_with(mark)) {
    source = text.substr(mark.size(), text.find('\n') - mark.size());
  }
  return {ptx::parse(text, source + ", as PTX"), source};
}

std::string targets_of(const std::vector<FatEntry>& entries) {
  std::string list;
  for (const FatEntry& entry : entries) {
    const char* const kind = entry.kind == FatEntry::Kind::ptx ? "PTX" : "machine code";
    list += fmt::format("{}{} for sm_{}", list.empty() ? "" : ", ", kind, entry.target);
  }
  return list.empty() ? "nothing" : list;
}

KernelFile of_fat_binary(const void* data) {
  const std::vector<FatEntry> entries = read_fat_binary(extent(data));
  const FatEntry* const entry = best_ptx(entries, highest_target);
  if (entry == nullptr) {
    throw NoPtxError(fmt::format(
        "the program embeds {}, and the machine runs PTX for sm_{} or earlier: build the program "
        "with NVCC_APPEND_FLAGS=\"{}\"",
        targets_of(entries), highest_target, flags));
  }
  return {ptx::parse(text_of(*entry), entry->name.empty() ? "PTX" : entry->name + ", as PTX"), ""};
}

}  // namespace

const SharedKernelFile& EmbeddedModule::file() {
  if (file_ == nullptr) {
    file_ = std::make_shared<const KernelFile>(
        is_fat_binary(data_) ? of_fat_binary(data_) : of_text(static_cast<const char*>(data_)));
  }
  return file_;
}

}  // namespace bankproof::cuda
