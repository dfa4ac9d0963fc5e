// The options of nvcc: a table of their names, and the parser of a command line.
//
// nvcc's options are not those of other commands: they have names with one dash or two, values
// after a blank or '=', lists separated by commas, and they come from environment variables and
// files, too. Facts are from the documentation of the NVIDIA CUDA Compiler Driver.
//
// Example: `-Xcompiler -fPIC,-Wall -DN=4 a.cu` is Xcompiler with two values, define-macro with N=4,
// and an input.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bankproof::cli::nvcc {

/// Commas separate the values of a list; blanks those of words, too, as in a shell.
enum class Takes { nothing, value, list, words };

/// Where an option goes. `nvcc` is the one of a toolkit, if it compiles.
enum class Goes {
  here,             // this program acts on it
  compilers,        // to all compilers, spelt alike
  host,             // to the host's compiler, and to nvcc
  nvcc,             // to nvcc; what it asks for is always so with clang
  nvcc_or_nowhere,  // to nvcc; it has no meaning for clang
  quiet,            // nowhere: what it asks for is always so
  nowhere,          // it has no meaning here
};

struct Option {
  std::string_view name;   // without dashes
  std::string_view brief;  // its short name; empty if it has none
  Takes takes;
  Goes goes;
};

/// A word of the command line with its value: an option, or an input if `option` is null.
struct Word {
  const Option* option = nullptr;
  std::string value;                // as typed
  std::vector<std::string> values;  // of a list, or words
};

struct CommandLine {
  std::vector<Word> words;
  /// Options that nobody knows, which --forward-unknown-to-host-compiler or -linker sends on.
  std::vector<std::string> to_host;
  std::vector<std::string> to_linker;

  bool has(std::string_view name) const;
  /// The value that was given last; empty if there is none.
  std::string last(std::string_view name) const;
  /// All values of the option, in order.
  std::vector<std::string> all(std::string_view name) const;
  std::vector<std::string> inputs() const;
};

/// All options, in the order of nvcc's help.
std::span<const Option> all_options();

/// The option's names as one types them: '--compile (-c)'.
std::string spelt(const Option& option);
/// What an option does that is not what it does for nvcc; empty if nothing is.
std::string_view meaning(const Option& option);

/// Parses the arguments; `prepended` and `appended` are the contents of NVCC_PREPEND_FLAGS and
/// NVCC_APPEND_FLAGS. Throws UsageError for an unknown option or a missing value, and InputError
/// for a file of options that cannot be read.
CommandLine parse(std::span<char* const> arguments, std::string_view prepended,
                  std::string_view appended);

/// The words of a text, as a shell would split it: the separators separate, quotes and backslashes
/// protect.
std::vector<std::string> split(std::string_view text, std::string_view separators);

}  // namespace bankproof::cli::nvcc
