// Adds the options; see compiler_options.hpp.
#include "compiler_options.hpp"

#include "errors.hpp"
#include "shown.hpp"

namespace bankproof::cli {

std::vector<std::string> TypedCompiler::words() const {
  std::vector<std::string> all;
  all.reserve(includes.size() + defines.size() + options.size());
  for (const std::string& folder : includes) all.push_back("-I" + folder);
  for (const std::string& macro : defines) all.push_back("-D" + macro);
  all.insert(all.end(), options.begin(), options.end());
  return all;
}

void add_compiler(CLI::App& command, TypedCompiler& compiler) {
  command
      .add_option("--compiler", compiler.name,
                  "nvcc, clang or a path [nvcc if there is one, else clang]")
      ->type_name("NAME");
  command.add_option("-I", compiler.includes, "A folder in which the compiler looks for headers")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command.add_option("-D", compiler.defines, "A macro that the compiler defines")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  command
      .add_option("--compile-option", compiler.options,
                  "An option for the compiler; the words after '--' are options for it, too")
      ->type_name("WORD")
      ->allow_extra_args(false);
}

void refuse_compiler_of_ptx(const std::string& file, const TypedCompiler& compiler) {
  if (!file.ends_with(".ptx") || (compiler.name.empty() && compiler.words().empty())) return;
  throw UsageError(shown(file) +
                   " is PTX, which needs no compiler: --compiler, -I, -D, --compile-option and "
                   "the words after '--' work only with CUDA source");
}

}  // namespace bankproof::cli
