// See options.hpp.
#include "options.hpp"

#include <algorithm>
#include <string_view>

namespace bankproof::cuda::nvrtc {

namespace {

enum class Meaning {
  none,
  architecture,
  standard,
  include,
  define,
  undefine,
  before,
  fast,
  device,
  same
};

struct Option {
  std::string_view name;
  Meaning meaning;
  bool has_value;
};

// Options that do not change what the machine reports mean nothing here.
constexpr Option known_options[] = {
    {"--gpu-architecture", Meaning::architecture, true},
    {"-arch", Meaning::architecture, true},
    {"--std", Meaning::standard, true},
    {"-std", Meaning::standard, true},
    {"--include-path", Meaning::include, true},
    {"-I", Meaning::include, true},
    {"--define-macro", Meaning::define, true},
    {"-D", Meaning::define, true},
    {"--undefine-macro", Meaning::undefine, true},
    {"-U", Meaning::undefine, true},
    {"--pre-include", Meaning::before, true},
    {"-include", Meaning::before, true},
    {"--use_fast_math", Meaning::fast, false},
    {"-use_fast_math", Meaning::fast, false},
    {"--device-as-default-execution-space", Meaning::device, false},
    {"-default-device", Meaning::device, false},
    {"--default-device", Meaning::device, false},
    {"--fmad", Meaning::same, true},
    {"-fmad", Meaning::same, true},
    {"--ftz", Meaning::same, true},
    {"-ftz", Meaning::same, true},
    {"--prec-div", Meaning::same, true},
    {"-prec-div", Meaning::same, true},
    {"--prec-sqrt", Meaning::same, true},
    {"-prec-sqrt", Meaning::same, true},
    {"--device-debug", Meaning::none, false},
    {"-G", Meaning::none, false},
    {"--generate-line-info", Meaning::none, false},
    {"-lineinfo", Meaning::none, false},
    {"--dopt", Meaning::none, true},
    {"-dopt", Meaning::none, true},
    {"--maxrregcount", Meaning::none, true},
    {"-maxrregcount", Meaning::none, true},
    {"--relocatable-device-code", Meaning::none, true},
    {"-rdc", Meaning::none, true},
    {"--device-c", Meaning::none, false},
    {"-dc", Meaning::none, false},
    {"--device-w", Meaning::none, false},
    {"-dw", Meaning::none, false},
    {"--extra-device-vectorization", Meaning::none, false},
    {"-extra-device-vectorization", Meaning::none, false},
    {"--ptxas-options", Meaning::none, true},
    {"-Xptxas", Meaning::none, true},
    {"--restrict", Meaning::none, false},
    {"-restrict", Meaning::none, false},
    {"--disable-warnings", Meaning::none, false},
    {"-w", Meaning::none, false},
    {"--no-source-include", Meaning::none, false},
    {"-no-source-include", Meaning::none, false},
    {"--builtin-move-forward", Meaning::none, true},
    {"--builtin-initializer-list", Meaning::none, true},
    {"--device-int128", Meaning::none, false},
    {"-device-int128", Meaning::none, false},
    {"--display-error-number", Meaning::none, false},
    {"-err-no", Meaning::none, false},
    {"--diag-error", Meaning::none, true},
    {"--diag-suppress", Meaning::none, true},
    {"--diag-warn", Meaning::none, true},
    {"-diag-suppress", Meaning::none, true},
    {"--minimal", Meaning::none, false},
    {"--split-compile", Meaning::none, true},
    {"--time", Meaning::none, true},
};

/// The option that a word begins with; null if there is none.
const Option* find_option(std::string_view word) {
  const Option* best = nullptr;
  for (const Option& option : known_options) {
    if (!word.starts_with(option.name)) continue;
    const std::string_view rest = word.substr(option.name.size());
    const bool takes_rest = option.name == "-I" || option.name == "-D" || option.name == "-U";
    if (!rest.empty() && rest.front() != '=' && !takes_rest) continue;
    if (best == nullptr || option.name.size() > best->name.size()) best = &option;
  }
  return best;
}

std::string digits_of(const std::string& architecture) {
  return architecture.substr(std::min(architecture.find('_') + 1, architecture.size()));
}

void add(Translated& all, const Option& option, const std::string& value, bool is_clang) {
  std::vector<std::string>& flags = all.flags;
  switch (option.meaning) {
    case Meaning::architecture:
      flags.push_back((is_clang ? "--cuda-gpu-arch=sm_" : "-arch=compute_") + digits_of(value));
      break;
    case Meaning::standard:
      flags.push_back("-std=" + value);
      break;
    case Meaning::include:
      flags.push_back("-I" + value);
      break;
    case Meaning::define:
      flags.push_back("-D" + value);
      break;
    case Meaning::undefine:
      flags.push_back("-U" + value);
      break;
    case Meaning::before:
      flags.insert(flags.end(), {"-include", value});
      break;
    case Meaning::fast:
      flags.emplace_back(is_clang ? "-ffast-math" : "--use_fast_math");
      break;
    case Meaning::device:
      all.is_device_default = true;
      break;
    case Meaning::same:
      if (!is_clang) {
        flags.push_back(std::string(option.name) + "=" + value);
      } else if (option.name.ends_with("fmad") && value == "false") {
        flags.emplace_back("-ffp-contract=off");
      }
      break;
    case Meaning::none:
      break;
  }
}

}  // namespace

Translated translate(const std::vector<std::string>& options, CompilerKind compiler) {
  Translated all;
  for (std::size_t k = 0; k < options.size(); ++k) {
    const std::string& word = options[k];
    const Option* const option = find_option(word);
    if (option == nullptr) {
      if (all.unknown.empty()) all.unknown = word;
      continue;
    }
    std::string value = word.substr(option->name.size());
    if (value.starts_with('=')) value.erase(0, 1);
    if (option->has_value && value.empty() && k + 1 < options.size()) value = options[++k];
    if (option->has_value && value.empty() && all.unknown.empty()) all.unknown = word;
    add(all, *option, value, compiler == CompilerKind::clang);
  }
  return all;
}

}  // namespace bankproof::cuda::nvrtc
