// See options.hpp.
#include "options.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "../../text/typed.hpp"
#include "../readers/text_file.hpp"
#include "../support/errors.hpp"
#include "../support/shown.hpp"

namespace bankproof::cli::nvcc {
namespace {

constexpr auto nothing = Takes::nothing;
constexpr auto value = Takes::value;
constexpr auto list = Takes::list;
constexpr auto words = Takes::words;
constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view blanks_and_commas = " \t\r\n,";

// clang-format off: a row each
constexpr std::array table = {
    // how far to go
    Option{"cuda", "cuda", nothing, Goes::here},
    Option{"cubin", "cubin", nothing, Goes::here},
    Option{"fatbin", "fatbin", nothing, Goes::here},
    Option{"ptx", "ptx", nothing, Goes::here},
    Option{"optix-ir", "optix-ir", nothing, Goes::here},
    Option{"ltoir", "ltoir", nothing, Goes::here},
    Option{"preprocess", "E", nothing, Goes::here},
    Option{"generate-dependencies", "M", nothing, Goes::here},
    Option{"generate-nonsystem-dependencies", "MM", nothing, Goes::here},
    Option{"generate-dependencies-with-compile", "MD", nothing, Goes::here},
    Option{"generate-nonsystem-dependencies-with-compile", "MMD", nothing, Goes::here},
    Option{"dependency-output", "MF", value, Goes::here},
    Option{"generate-dependency-targets", "MP", nothing, Goes::here},
    Option{"dependency-target-name", "MT", value, Goes::here},
    Option{"compile", "c", nothing, Goes::here},
    Option{"device-c", "dc", nothing, Goes::here},
    Option{"device-w", "dw", nothing, Goes::here},
    Option{"device-link", "dlink", nothing, Goes::here},
    Option{"link", "link", nothing, Goes::here},
    Option{"lib", "lib", nothing, Goes::here},
    Option{"run", "run", nothing, Goes::here},
    Option{"run-args", "run-args", words, Goes::here},
    // files and folders
    Option{"output-file", "o", value, Goes::here},
    Option{"output-directory", "odir", value, Goes::here},
    Option{"pre-include", "include", list, Goes::compilers},
    Option{"define-macro", "D", list, Goes::compilers},
    Option{"undefine-macro", "U", list, Goes::compilers},
    Option{"include-path", "I", list, Goes::compilers},
    Option{"system-include", "isystem", list, Goes::compilers},
    Option{"library", "l", list, Goes::here},
    Option{"library-path", "L", list, Goes::here},
    Option{"compiler-bindir", "ccbin", value, Goes::here},
    Option{"allow-unsupported-compiler", "allow-unsupported-compiler", nothing, Goes::nvcc},
    Option{"archiver-binary", "arbin", value, Goes::here},
    Option{"cudart", "cudart", value, Goes::here},
    Option{"cudadevrt", "cudadevrt", value, Goes::quiet},
    Option{"libdevice-directory", "ldir", value, Goes::nowhere},
    Option{"target-directory", "target-dir", value, Goes::nowhere},
    Option{"cccl", "cccl", value, Goes::here},
    Option{"objdir-as-tempdir", "objtemp", nothing, Goes::quiet},
    // the host's compiler and the linker
    Option{"profile", "pg", nothing, Goes::here},
    Option{"debug", "g", nothing, Goes::here},
    Option{"optimize", "O", value, Goes::here},
    Option{"std", "std", value, Goes::here},
    Option{"x", "x", value, Goes::here},
    Option{"shared", "shared", nothing, Goes::here},
    Option{"no-exceptions", "noeh", nothing, Goes::here},
    Option{"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", value, Goes::compilers},
    Option{"ftemplate-depth", "ftemplate-depth", value, Goes::compilers},
    Option{"machine", "m", value, Goes::quiet},
    Option{"m64", "m64", nothing, Goes::quiet},
    Option{"compiler-options", "Xcompiler", words, Goes::host},
    Option{"linker-options", "Xlinker", words, Goes::here},
    Option{"archive-options", "Xarchive", words, Goes::here},
    Option{"relocatable-link", "r", nothing, Goes::nowhere},
    Option{"no-device-link", "nodlink", nothing, Goes::quiet},
    Option{"host-linker-script", "hls", value, Goes::nowhere},
    Option{"augment-host-linker-script", "aug-hls", nothing, Goes::nowhere},
    Option{"frandom-seed", "frandom-seed", value, Goes::quiet},
    // the language
    Option{"expt-relaxed-constexpr", "expt-relaxed-constexpr", nothing, Goes::nvcc},
    Option{"extended-lambda", "extended-lambda", nothing, Goes::nvcc},
    Option{"expt-extended-lambda", "expt-extended-lambda", nothing, Goes::nvcc},
    Option{"no-host-device-initializer-list", "nohdinitlist", nothing, Goes::nvcc_or_nowhere},
    Option{"no-host-device-move-forward", "nohdmoveforward", nothing, Goes::nvcc_or_nowhere},
    Option{"restrict", "restrict", nothing, Goes::nowhere},
    Option{"default-stream", "default-stream", value, Goes::here},
    // the device's code
    Option{"gpu-architecture", "arch", value, Goes::here},
    Option{"gpu-code", "code", list, Goes::here},
    Option{"generate-code", "gencode", value, Goes::here},
    Option{"relocatable-device-code", "rdc", value, Goes::here},
    Option{"device-debug", "G", nothing, Goes::here},
    Option{"generate-line-info", "lineinfo", nothing, Goes::quiet},
    Option{"source-in-ptx", "src-in-ptx", nothing, Goes::nowhere},
    Option{"use_fast_math", "use_fast_math", nothing, Goes::here},
    Option{"ftz", "ftz", value, Goes::here},
    Option{"fmad", "fmad", value, Goes::here},
    Option{"prec-div", "prec-div", value, Goes::here},
    Option{"prec-sqrt", "prec-sqrt", value, Goes::here},
    Option{"entries", "e", list, Goes::nowhere},
    Option{"maxrregcount", "maxrregcount", value, Goes::nowhere},
    Option{"extra-device-vectorization", "extra-device-vectorization", nothing, Goes::nowhere},
    Option{"dopt", "dopt", value, Goes::nowhere},
    Option{"Ofast-compile", "Ofc", value, Goes::nowhere},
    Option{"optimization-info", "opt-info", list, Goes::nowhere},
    Option{"dlink-time-opt", "dlto", nothing, Goes::nowhere},
    Option{"lto", "lto", nothing, Goes::nowhere},
    Option{"gen-opt-lto", "gen-opt-lto", nothing, Goes::nowhere},
    Option{"ptxas-options", "Xptxas", words, Goes::nowhere},
    Option{"nvlink-options", "Xnvlink", words, Goes::nowhere},
    Option{"keep-device-functions", "keep-device-functions", nothing, Goes::nvcc_or_nowhere},
    Option{"extensible-whole-program", "ewp", nothing, Goes::nowhere},
    Option{"relocatable-ptx", "reloc-ptx", nothing, Goes::nowhere},
    Option{"jump-table-density", "jtd", value, Goes::nowhere},
    Option{"device-stack-protector", "device-stack-protector", value, Goes::nowhere},
    Option{"static-global-template-stub", "static-global-template-stub", value,
           Goes::nvcc_or_nowhere},
    Option{"device-entity-has-hidden-visibility", "device-entity-has-hidden-visibility", value,
           Goes::nvcc_or_nowhere},
    Option{"no-compress", "no-compress", nothing, Goes::quiet},
    Option{"compress-mode", "compress-mode", value, Goes::quiet},
    Option{"compile-as-tools-patch", "astoolspatch", nothing, Goes::nowhere},
    Option{"sanitize", "sanitize", value, Goes::nowhere},
    Option{"fdevice-syntax-only", "fdevice-syntax-only", nothing, Goes::nowhere},
    Option{"fdevice-time-trace", "fdevice-time-trace", value, Goes::nowhere},
    // warnings
    Option{"disable-warnings", "w", nothing, Goes::compilers},
    Option{"Werror", "Werror", list, Goes::nvcc_or_nowhere},
    Option{"Wreorder", "Wreorder", nothing, Goes::compilers},
    Option{"Wdefault-stream-launch", "Wdefault-stream-launch", nothing, Goes::nvcc_or_nowhere},
    Option{"Wmissing-launch-bounds", "Wmissing-launch-bounds", nothing, Goes::nvcc_or_nowhere},
    Option{"Wext-lambda-captures-this", "Wext-lambda-captures-this", nothing,
           Goes::nvcc_or_nowhere},
    Option{"Wno-deprecated-declarations", "Wno-deprecated-declarations", nothing, Goes::compilers},
    Option{"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", nothing, Goes::quiet},
    Option{"resource-usage", "res-usage", nothing, Goes::nowhere},
    Option{"display-error-number", "err-no", nothing, Goes::nvcc_or_nowhere},
    Option{"no-display-error-number", "no-err-no", nothing, Goes::nvcc_or_nowhere},
    Option{"diag-error", "diag-error", list, Goes::nvcc_or_nowhere},
    Option{"diag-suppress", "diag-suppress", list, Goes::nvcc_or_nowhere},
    Option{"diag-warn", "diag-warn", list, Goes::nvcc_or_nowhere},
    Option{"brief-diagnostics", "brief-diag", value, Goes::nvcc_or_nowhere},
    Option{"cudafe-options", "Xcudafe", words, Goes::nvcc_or_nowhere},
    // this program
    Option{"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", nothing,
           Goes::here},
    Option{"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", nothing, Goes::here},
    Option{"forward-unknown-opts", "forward-unknown-opts", nothing, Goes::here},
    Option{"dryrun", "dryrun", nothing, Goes::here},
    Option{"verbose", "v", nothing, Goes::here},
    Option{"keep", "keep", nothing, Goes::here},
    Option{"save-temps", "save-temps", nothing, Goes::here},
    Option{"keep-dir", "keep-dir", value, Goes::here},
    Option{"clean-targets", "clean", nothing, Goes::here},
    Option{"time", "time", value, Goes::nowhere},
    Option{"threads", "t", value, Goes::quiet},
    Option{"split-compile", "split-compile", value, Goes::quiet},
    Option{"split-compile-extended", "split-compile-extended", value, Goes::quiet},
    Option{"jobserver", "jobserver", nothing, Goes::quiet},
    Option{"dont-use-profile", "noprof", nothing, Goes::quiet},
    Option{"qpp-config", "qpp-config", value, Goes::nowhere},
    Option{"list-gpu-code", "code-ls", nothing, Goes::here},
    Option{"list-gpu-arch", "arch-ls", nothing, Goes::here},
    Option{"options-file", "optf", list, Goes::here},
    Option{"help", "h", nothing, Goes::here},
    Option{"version", "V", nothing, Goes::here},
};
// clang-format on

/// The options whose value may follow without a blank.
constexpr std::string_view joined = "DUILlOmx";

const Option* find(std::string_view name) {
  const auto found = std::ranges::find_if(
      table, [&](const Option& one) { return one.name == name || one.brief == name; });
  return found == table.end() ? nullptr : &*found;
}

/// The values of a list, whose quotes stay: -DNAME='"a,b"' defines one macro.
std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> found(1);
  char quote = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '\\' && k + 1 < text.size() && text[k + 1] == ',') {
      found.back() += text[++k];
    } else if (c == ',' && quote == 0) {
      found.emplace_back();
    } else {
      if (quote != 0 ? c == quote : c == '"' || c == '\'') quote = quote != 0 ? char{0} : c;
      found.back() += c;
    }
  }
  std::erase(found, "");
  return found;
}

/// A word that is split into the option and, after '=' or joined, its value.
struct Split {
  const Option* option = nullptr;
  std::optional<std::string> value;
};

Split find_in(std::string_view word) {
  const std::string_view name = word.substr(word.starts_with("--") ? 2 : 1);
  if (const Option* const whole = find(name)) return {whole, std::nullopt};
  if (const std::size_t equals = name.find('='); equals != std::string_view::npos) {
    const Option* const option = find(name.substr(0, equals));
    if (option != nullptr && option->takes != Takes::nothing && option->brief != "D") {
      return {option, std::string(name.substr(equals + 1))};
    }
  }
  if (!word.starts_with("--") && !name.empty() && joined.find(name[0]) != std::string_view::npos) {
    return {find(name.substr(0, 1)), std::string(name.substr(1))};
  }
  // -t4, and no other word that begins with t
  if (word.starts_with("-t") && name.find_first_not_of("0123456789", 1) == std::string_view::npos) {
    return {find("t"), std::string(name.substr(1))};
  }
  if (word.starts_with("-isystem")) return {find("isystem"), std::string(word.substr(8))};
  return {};
}

[[noreturn]] void refuse_unknown(const std::string& word) {
  std::vector<std::string_view> known;
  for (const Option& option : table) {
    known.push_back(option.name);
    if (option.brief.size() > 2) known.push_back(option.brief);
  }
  const std::string_view name = std::string_view(word).substr(word.starts_with("--") ? 2 : 1);
  std::string hint = "; an option of the host's compiler goes after -Xcompiler";
  if (const auto close = nearest(name.substr(0, name.find('=')), known)) {
    const Option& option = *find(*close);
    hint = "; did you mean " +
           std::string(*close == option.name && *close != option.brief ? "--" : "-") +
           std::string(*close) + "?";
  }
  throw UsageError("nvcc has no option " + shown(word) + hint);
}

class Parser {
 public:
  explicit Parser(CommandLine& line) : line_(line) {}

  void take(const std::vector<std::string>& line) {
    for (std::size_t k = 0; k < line.size(); ++k) {
      const std::string& word = line[k];
      if (word.size() > 1 && word[0] == '@') {
        take_file(word.substr(1));
      } else if (word.size() < 2 || word[0] != '-') {
        line_.words.push_back({nullptr, word, {}});
      } else {
        take_option(line, k);
      }
    }
  }
  const std::vector<std::string>& unknown() const { return unknown_; }

 private:
  void take_option(const std::vector<std::string>& line, std::size_t& k) {
    const Split found = find_in(line[k]);
    if (found.option == nullptr) {
      unknown_.push_back(line[k]);
      return;
    }
    Word word{found.option, found.value.value_or(""), {}};
    if (found.option->takes != Takes::nothing && !found.value) {
      if (k + 1 == line.size()) {
        throw UsageError("a value is missing after " + shown(line[k]));
      }
      word.value = line[++k];
    }
    if (found.option->takes == Takes::list) word.values = split_list(word.value);
    if (found.option->takes == Takes::words) word.values = split(word.value, blanks_and_commas);
    if (found.option->name == "options-file") {
      for (const std::string& file : word.values) take_file(file);
      return;
    }
    line_.words.push_back(std::move(word));
  }

  void take_file(const std::string& path) {
    constexpr int deepest = 16;
    if (++depth_ > deepest) throw InputError(shown(path) + ": files of options name each other");
    constexpr std::size_t longest = std::size_t{1} << 26;
    take(split(whole_file(path, longest, "file of options"), blanks));
    --depth_;
  }

  CommandLine& line_;
  std::vector<std::string> unknown_;
  int depth_ = 0;
};

}  // namespace

bool CommandLine::has(std::string_view name) const {
  return std::ranges::any_of(
      words, [&](const Word& word) { return word.option != nullptr && word.option->name == name; });
}

std::string CommandLine::last(std::string_view name) const {
  std::string found;
  for (const Word& word : words) {
    if (word.option != nullptr && word.option->name == name) found = word.value;
  }
  return found;
}

std::vector<std::string> CommandLine::all(std::string_view name) const {
  std::vector<std::string> found;
  for (const Word& word : words) {
    if (word.option == nullptr || word.option->name != name) continue;
    if (word.option->takes == Takes::list || word.option->takes == Takes::words) {
      found.insert(found.end(), word.values.begin(), word.values.end());
    } else {
      found.push_back(word.value);
    }
  }
  return found;
}

std::vector<std::string> CommandLine::inputs() const {
  std::vector<std::string> found;
  for (const Word& word : words) {
    if (word.option == nullptr) found.push_back(word.value);
  }
  return found;
}

std::span<const Option> all_options() { return table; }

std::string spelt(const Option& option) {
  return "--" + std::string(option.name) + " (-" + std::string(option.brief) + ")";
}

std::string_view meaning(const Option& option) {
  if (option.name == "cccl") return "not of nvcc: the folder that has thrust, cub and cuda";
  if (option.goes == Goes::nowhere) return "without a meaning here";
  if (option.goes == Goes::nvcc_or_nowhere) return "for nvcc; without a meaning for clang";
  return "";
}

std::vector<std::string> split(std::string_view text, std::string_view separators) {
  std::vector<std::string> found;
  std::string word;
  bool has_word = false;
  char quote = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? char{0} : c;
      has_word = true;
    } else if (c == '\\' && quote != '\'' && k + 1 < text.size()) {
      word += text[++k];
      has_word = true;
    } else if (quote == 0 && separators.find(c) != std::string_view::npos) {
      if (has_word) found.push_back(std::exchange(word, ""));
      has_word = false;
    } else {
      word += c;
      has_word = true;
    }
  }
  if (has_word) found.push_back(std::move(word));
  return found;
}

CommandLine parse(std::span<char* const> arguments, std::string_view prepended,
                  std::string_view appended) {
  std::vector<std::string> typed = split(prepended, blanks);
  typed.insert(typed.end(), arguments.begin(), arguments.end());
  for (const std::string& word : split(appended, blanks)) typed.push_back(word);
  CommandLine line;
  Parser parser(line);
  parser.take(typed);
  const bool both = line.has("forward-unknown-opts");
  const bool host = both || line.has("forward-unknown-to-host-compiler");
  const bool linker = both || line.has("forward-unknown-to-host-linker");
  if (!parser.unknown().empty() && !host && !linker) refuse_unknown(parser.unknown().front());
  if (host) line.to_host = parser.unknown();
  if (linker) line.to_linker = parser.unknown();
  return line;
}

}  // namespace bankproof::cli::nvcc
