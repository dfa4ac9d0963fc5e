// Reads the lines of each function once; see lines.hpp.
#include "origins.hpp"

#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "function_names.hpp"

namespace bankproof::ptx {

namespace {

// Whether both names are equal, or name the same file on disk.
bool is_same_file(const std::string& a, const std::string& b) {
  if (a == b) return true;
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

// Undoes the escapes of a name in .file. Compilers write bytes beyond ASCII as octal digits,
// `\\303\\274`, and a backslash before quotation marks and backslashes.
std::string unescaped(std::string_view name) {
  const auto is_octal = [&](std::size_t at) {
    return at < name.size() && name[at] >= '0' && name[at] <= '7';
  };
  std::string result;
  for (std::size_t k = 0; k < name.size(); ++k) {
    if (name[k] != '\\' || k + 1 == name.size()) {
      result += name[k];
      continue;
    }
    ++k;
    if (!is_octal(k)) {
      result += name[k];
      continue;
    }
    unsigned byte = 0;
    const std::size_t end = k + 3;
    for (; k < end && is_octal(k); ++k) byte = 8 * byte + static_cast<unsigned>(name[k] - '0');
    --k;
    result += static_cast<char>(byte);
  }
  return result;
}

class OriginReader {
 public:
  OriginReader(const Module& module, const std::string& source) : module_(module) {
    for (const SourceFile& file : module.files) {
      const std::string name = unescaped(file.name);
      const bool is_own = !source.empty() && is_same_file(name, source);
      names_[file.number] = is_own ? source : name;
      if (is_own) own_ = file.number;
    }
  }

  Origin read(const SiteStatement& site) {
    const Function& function = module_.functions[site.function];
    const Lines& lines = lines_of_function(site.function);
    const auto* instruction = std::get_if<Instruction>(&function.body[site.statement]);
    Origin origin = place(lines, site, instruction);
    if (instruction != nullptr) origin.opcode = instruction->opcode();
    origin.functions.push_back(plain(function.name));
    return origin;
  }

 private:
  /// plain_name(), computed once for each name: there are many more sites than names.
  const std::string& plain(const std::string& mangled) {
    const auto [found, is_new] = plain_.try_emplace(mangled);
    if (is_new) found->second = plain_name(mangled);
    return found->second;
  }

  const Lines& lines_of_function(std::size_t function) {
    const auto [found, is_new] = lines_.try_emplace(function);
    if (is_new) found->second = lines_of(module_, module_.functions[function]);
    return found->second;
  }

  SourceLine named(const SourcePoint& point) const {
    const auto name = names_.find(point.file);
    return {name != names_.end() ? name->second : "", point.line};
  }

  Origin place(const Lines& lines, const SiteStatement& site, const Instruction* instruction) {
    Origin origin;
    if (lines.positions.empty()) {
      const std::uint32_t line = instruction != nullptr ? instruction->place.line : 0;
      origin.at = origin.innermost = {file_of(module_, module_.functions[site.function]), line};
      origin.column = instruction != nullptr ? instruction->place.column : 0;
      origin.chain = {origin.at};
      return origin;
    }
    const auto position = lines.of_statement[site.statement];
    const std::vector<SourcePosition> links =
        position ? chain(lines, *position) : std::vector<SourcePosition>();
    if (links.empty()) {
      const std::uint32_t file = own_.value_or(lines.positions.front().at.file);
      origin.at = origin.innermost = named({file, 0, 0});
      origin.chain = {origin.at};
      return origin;
    }
    for (const SourcePosition& link : links) {
      origin.chain.push_back(named(link.at));
      if (!link.function.empty()) origin.functions.push_back(plain(link.function));
    }
    origin.innermost = origin.chain.front();
    const auto own = own_ ? rolled_up(lines, *position, *own_) : std::nullopt;
    // Without an own file in the chain, takes the file of the last link, which is in the kernel or
    // in a function that the kernel calls.
    const SourcePoint at = own ? *own : *rolled_up(lines, *position, links.back().at.file);
    origin.at = named(at);
    origin.column = at.column;
    return origin;
  }

  const Module& module_;
  std::map<std::uint32_t, std::string> names_;
  std::optional<std::uint32_t> own_;
  std::map<std::size_t, Lines> lines_;
  std::map<std::string, std::string> plain_;
};

}  // namespace

std::vector<Origin> origins_of(const Module& module, std::span<const SiteStatement> sites,
                               const std::string& source) {
  OriginReader reader(module, source);
  std::vector<Origin> origins;
  origins.reserve(sites.size());
  for (const SiteStatement& site : sites) origins.push_back(reader.read(site));
  return origins;
}

}  // namespace bankproof::ptx
