// See modules.hpp.
#include "modules.hpp"

#include <fmt/format.h>

#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "../../ptx/syntax/parser.hpp"
#include "../fatbin/fat_binary.hpp"

namespace bankproof::cuda {

namespace {

constexpr unsigned highest_target = 90;  // of the PTX that the machine runs
constexpr std::string_view flags = "-gencode arch=compute_80,code=compute_80";

KernelFile of_text(std::string_view text) {
  // The first line names the source; see cli/nvcc/plan.cpp.
  constexpr std::string_view mark = "// source: ";
  std::string source;
  if (text.starts_with(mark)) {
    source = text.substr(mark.size(), text.find('\n') - mark.size());
  }
  std::vector<ptx::Module> modules;
  modules.push_back(ptx::parse(text, source + ", as PTX"));
  return {linked(std::move(modules)), source};
}

std::string targets_of(const std::vector<FatEntry>& entries) {
  std::string list;
  for (const FatEntry& entry : entries) {
    const char* const kind = entry.kind == FatEntry::Kind::ptx ? "PTX" : "machine code";
    list += fmt::format("{}{} for sm_{}", list.empty() ? "" : ", ", kind, entry.target);
  }
  return list.empty() ? "nothing" : list;
}

ptx::Module parsed(const FatEntry& entry) {
  return ptx::parse(text_of(entry), entry.name.empty() ? "PTX" : entry.name + ", as PTX");
}

/// The PTX of all files of the program, linked. A library among them may have none that the machine
/// runs: cudadevrt, whose kernels the program need not use (wrapper.hpp).
KernelFile of_fat_binaries(const FatBinaryWrapper& wrapper) {
  std::vector<ptx::Module> modules;
  std::vector<FatEntry> all;
  for (const std::span<const std::byte> container : containers_of(wrapper)) {
    const std::vector<FatEntry> entries = read_fat_binary(container);
    all.insert(all.end(), entries.begin(), entries.end());
    if (const FatEntry* const entry = best_ptx(entries, highest_target)) {
      modules.push_back(parsed(*entry));
    }
  }
  if (modules.empty()) {
    throw NoPtxError(fmt::format(
        "the program embeds {}, and the machine runs PTX for sm_{} or earlier: build the program "
        "with NVCC_APPEND_FLAGS=\"{}\"",
        targets_of(all), highest_target, flags));
  }
  return {linked(std::move(modules)), ""};
}

/// The same for clang's objects, whose containers are texts.
KernelFile of_linked_texts(const FatBinaryWrapper& wrapper) {
  std::vector<ptx::Module> modules;
  for (const void* const* next = wrapper.list; *next != nullptr; ++next) {
    modules.push_back(of_text(static_cast<const char*>(*next)).module);
  }
  return {linked(std::move(modules)), ""};
}

KernelFile of_clang(const FatBinaryWrapper& wrapper) {
  constexpr int of_linked_files = 2;
  if (wrapper.version == of_linked_files) return of_linked_texts(wrapper);
  return of_text(static_cast<const char*>(wrapper.container));
}

constexpr std::uint32_t wrapper_mark = 0x466243b1;
constexpr std::uint32_t elf_mark = 0x464c457f;  // "\x7f" "ELF"

std::uint32_t first_word(const void* image) {
  // A text may have fewer than four bytes.
  const auto* const bytes = static_cast<const unsigned char*>(image);
  std::uint32_t word = 0;
  for (unsigned k = 0; k < 4 && bytes[k] != 0; ++k) word |= std::uint32_t{bytes[k]} << 8 * k;
  return word;
}

}  // namespace

SharedKernelFile read_image(const void* image, const std::string& name) {
  const std::uint32_t first = first_word(image);
  if (first == elf_mark) {
    throw NoPtxError(fmt::format("{} is machine code, and the machine runs PTX", name));
  }
  if (first == wrapper_mark) {
    return std::make_shared<const KernelFile>(
        of_fat_binaries(*static_cast<const FatBinaryWrapper*>(image)));
  }
  if (first == container_magic) {
    const FatBinaryWrapper wrapper{static_cast<int>(wrapper_mark), 1, image, nullptr};
    return std::make_shared<const KernelFile>(of_fat_binaries(wrapper));
  }
  return std::make_shared<const KernelFile>(
      KernelFile{ptx::parse(static_cast<const char*>(image), name), ""});
}

const SharedKernelFile& EmbeddedModule::file() {
  if (file_ == nullptr) {
    file_ = std::make_shared<const KernelFile>(is_of_nvcc(*wrapper_) ? of_fat_binaries(*wrapper_)
                                                                     : of_clang(*wrapper_));
  }
  return file_;
}

}  // namespace bankproof::cuda
