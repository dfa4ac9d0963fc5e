// See phase.hpp.
#include "phase.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "../support/errors.hpp"
#include "../support/shown.hpp"

namespace bankproof::cli::nvcc {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, Kind>, 15> suffixes = {{
    {".cu", Kind::cuda},
    {".c", Kind::c},
    {".cc", Kind::cxx},
    {".cpp", Kind::cxx},
    {".cxx", Kind::cxx},
    {".c++", Kind::cxx},
    {".C", Kind::cxx},
    {".i", Kind::preprocessed},
    {".ii", Kind::preprocessed},
    {".s", Kind::preprocessed},
    {".o", Kind::object},
    {".obj", Kind::object},
    {".lo", Kind::object},
    {".a", Kind::object},
    {".so", Kind::object},
}};

const std::pair<std::string_view, Kind>* by_suffix(const std::string& path) {
  const std::string suffix = fs::path(path).extension().string();
  const auto* const found = std::ranges::find(suffixes, std::string_view(suffix),
                                              &std::pair<std::string_view, Kind>::first);
  return found == suffixes.end() ? nullptr : found;
}

Kind kind_of(const std::string& path, const std::string& language) {
  const auto* const found = by_suffix(path);
  const bool is_object = (found != nullptr && found->second == Kind::object) ||
                         fs::path(path).filename().string().find(".so.") != std::string::npos;
  if (is_object) return Kind::object;
  if (language == "cu") return Kind::cuda;
  if (language == "c") return Kind::c;
  if (language == "c++") return Kind::cxx;
  if (!language.empty()) throw UsageError("-x takes cu, c++ or c, not " + shown(language));
  if (found != nullptr) return found->second;
  const std::string suffix = fs::path(path).extension().string();
  if (suffix == ".ptx" || suffix == ".cubin" || suffix == ".fatbin") {
    throw UsageError(shown(path) + ": device code enters a program here only from .cu files");
  }
  throw UsageError("Don't know what to do with '" + shown(path) + "': name the language with -x");
}

}  // namespace

std::string Input::stem() const { return fs::path(path).stem().string(); }

Phase phase_of(const CommandLine& line) {
  for (const char* const name : {"optix-ir", "ltoir"}) {
    if (line.has(name)) {
      throw UsageError("--" + std::string(name) +
                       " asks for code that the machine does not run; --ptx writes PTX");
    }
  }
  if (line.has("clean-targets"))
    throw UsageError("--clean-targets is not here: remove the outputs");
  if (line.has("generate-dependencies") || line.has("generate-nonsystem-dependencies")) {
    return Phase::dependencies;
  }
  if (line.has("preprocess")) return Phase::preprocess;
  if (line.has("cuda")) return Phase::cxx;
  if (line.has("ptx") || line.has("cubin") || line.has("fatbin")) return Phase::ptx;
  if (line.has("compile") || line.has("device-c") || line.has("device-w")) return Phase::compile;
  if (line.has("device-link")) return Phase::device_link;
  if (line.has("lib")) return Phase::library;
  return Phase::link;
}

std::vector<Input> inputs_of(const CommandLine& line) {
  std::vector<Input> inputs;
  const std::string language = line.last("x");
  for (const std::string& path : line.inputs()) inputs.push_back({path, kind_of(path, language)});
  return inputs;
}

bool is_relocatable(const CommandLine& line) {
  return line.has("device-c") || line.last("relocatable-device-code") == "true";
}

bool keeps(const CommandLine& line) { return line.has("keep") || line.has("save-temps"); }

std::string output_of(const CommandLine& line, const Input& input, const std::string& suffix) {
  if (std::string named = line.last("output-file"); !named.empty()) return named;
  return (fs::path(line.last("output-directory")) / (input.stem() + suffix)).string();
}

}  // namespace bankproof::cli::nvcc
