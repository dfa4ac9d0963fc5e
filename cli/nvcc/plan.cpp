// See plan.hpp.
#include "plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <utility>

#include "../../cuda/compile/compile.hpp"
#include "../../cuda/compile/launch_spelling.hpp"
#include "../support/errors.hpp"
#include "../support/output.hpp"
#include "../support/shown.hpp"
#include "architectures.hpp"
#include "files.hpp"
#include "flags.hpp"
#include "phase.hpp"
#include "registration.hpp"

namespace bankproof::cli::nvcc {
namespace {

namespace fs = std::filesystem;

/// Compiles device code to PTX text. Shows the compiler's messages and throws InputError if it
/// fails.
std::string ptx_of(const std::string& file, const cuda::CompileOptions& options,
                   const cuda::Compiler& compiler) {
  try {
    return cuda::compile(file, options, compiler).text;
  } catch (const cuda::CompileError& error) {
    write_all(STDERR_FILENO, shown_lines(error.messages()));
    const std::string line = error.what();
    throw InputError(line.substr(0, line.find("; it was run as: ")));  // -v shows that
  }
}

/// Names of CUDA's runtime, which the machine's stands in for whether it is asked for or not.
bool is_runtime(const std::string& library) {
  constexpr std::array names = {"cudart", "cudart_static", "cudadevrt"};
  return std::ranges::find(names, library) != names.end();
}
bool is_library_of_runtime(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  if (!name.starts_with("lib")) return false;
  name = name.substr(3, name.find('.') - 3);
  return is_runtime(name);
}

class Planner {
 public:
  Planner(const CommandLine& line, const Tools& tools, std::string scratch)
      : line_(line),
        tools_(tools),
        scratch_(std::move(scratch)),
        inputs_(inputs_of(line)),
        architecture_(architecture_of(line, tools)) {
    if (keeps(line)) kept_ = line.last("keep-dir").empty() ? "." : line.last("keep-dir");
  }

  Plan make() {
    const Phase phase = phase_of(line_);
    plan_.without_meaning = without_meaning(line_, tools_);
    plan_.notes = architecture_.notes;
    const auto is_device_code = [](const auto& input) { return input.kind == Kind::cuda; };
    if (!tools_.has_nvcc() && tools_.compiler.version < 15 &&
        std::ranges::any_of(inputs_, is_device_code)) {
      plan_.notes.emplace_back(
          "clang 14 may drop comparisons in device functions that return structures with padding; "
          "install clang-16");
    }
    const bool one_each =
        phase != Phase::link && phase != Phase::library && phase != Phase::device_link;
    const bool to_folder =
        !line_.last("output-file").empty() && fs::is_directory(line_.last("output-file"));
    if (to_folder) throw UsageError("-o names a folder: " + shown(line_.last("output-file")));
    if (one_each) {
      const auto sources = std::ranges::count_if(
          inputs_, [](const Input& input) { return input.kind != Kind::object; });
      if (sources > 1 && !line_.last("output-file").empty()) {
        throw UsageError(
            "A single input file is required for a non-link phase when an outputfile is "
            "specified");
      }
      for (const Input& input : inputs_) make_each(phase, input);
    } else {
      make_together(phase);
    }
    return std::move(plan_);
  }

 private:
  void add(Words words, std::function<void()> instead = nullptr) {
    plan_.steps.push_back({std::move(words), std::move(instead)});
  }

  std::string temporary(const Input& input, const std::string& suffix) {
    const std::string name = input.stem() + suffix;
    if (!kept_.empty() && suffix != ".o") return (fs::path(kept_) / name).string();
    // An archive's members have the names of their files.
    const fs::path folder = fs::path(scratch_) / std::to_string(count_++);
    fs::create_directory(folder);
    return (folder / name).string();
  }

  void make_each(Phase phase, const Input& input) {
    if (input.kind == Kind::object) return;  // nvcc ignores what is for later phases
    if (phase == Phase::compile) compile(input, output_of(line_, input, ".o"));
    if (phase == Phase::cxx) make_cxx(input);
    if (phase == Phase::ptx) make_ptx(input);
    if (phase == Phase::preprocess || phase == Phase::dependencies) preprocess(phase, input);
  }

  cuda::CompileOptions device_options(const Input& input) const {
    cuda::CompileOptions options;
    options.flags = tools_.has_nvcc() ? flags_for_nvcc(line_, tools_, architecture_)
                                      : flags_for_device(line_, tools_);
    if (!tools_.has_nvcc()) append(options.flags, flags_for_both_halves(input));
    // cuda::compile() has its own.
    if (tools_.has_nvcc()) std::erase(options.flags, "-lineinfo");
    options.headers = tools_.headers;
    return options;
  }

  /// Flags that clang needs for this file, in both halves.
  Words flags_for_both_halves(const Input& input) const {
    Words flags = relocatable_flags(line_, input.path);
    const auto [known, is_new] = joined_launches_.try_emplace(input.path);
    if (is_new) {
      const fs::path folder =
          fs::path(scratch_) / ("launches-" + std::to_string(joined_launches_.size()));
      fs::create_directory(folder);
      Words folders = line_.all("include-path");
      append(folders, line_.all("system-include"));
      known->second = cuda::flags_for_joined_launches(input.path, folders, folder.string());
    }
    append(flags, known->second);
    return flags;
  }

  void make_ptx(const Input& input) {
    if (input.kind != Kind::cuda) throw UsageError(shown(input.path) + " has no device code");
    std::string suffix = ".ptx";
    for (const char* const name : {"cubin", "fatbin"}) {
      if (!line_.has(name)) continue;
      suffix = "." + std::string(name);
      plan_.notes.push_back("-" + std::string(name) + ": the file has PTX");
    }
    device_step(input, output_of(line_, input, suffix),
                [](const std::string& text) { return text; });
  }

  template <class Form>
  void device_step(const Input& input, const std::string& output, const Form& form,
                   const Words& more = {}) {
    cuda::CompileOptions options = device_options(input);
    append(options.flags, more);
    Words words = cuda::command_words(input.path, options, tools_.compiler);
    words.insert(words.end(), {"-o", output});
    add(std::move(words), [=, compiler = tools_.compiler] {
      write_file(output, form(ptx_of(input.path, options, compiler)));
    });
  }

  /// -MD and what belongs to it, for an object.
  Words dependency_words(const Input& input, const std::string& object) const {
    const bool all = line_.has("generate-dependencies-with-compile");
    if (!all && !line_.has("generate-nonsystem-dependencies-with-compile")) return {};
    std::string file = line_.last("dependency-output");
    if (file.empty()) {
      const std::string named = line_.last("output-file");
      file = named.empty() ? output_of(line_, input, ".d")
                           : fs::path(named).replace_extension(".d").string();
    }
    Words words = {all ? "-MD" : "-MMD", "-MF", file};
    add_target(words, object);
    return words;
  }

  void add_target(Words& words, const std::string& object) const {
    const std::string target = line_.last("dependency-target-name");
    words.insert(words.end(), {"-MT", target.empty() ? object : target});
    if (line_.has("generate-dependency-targets")) words.emplace_back("-MP");
  }

  /// The compiler for the host's part of the input, with its flags.
  Words host_words(const Input& input) const {
    Words words;
    if (tools_.has_nvcc()) {
      words = {tools_.compiler.program};
      append(words, flags_for_nvcc(line_, tools_, architecture_));
    } else if (input.kind == Kind::cuda) {
      words = {tools_.compiler.program};
      append(words, flags_for_host_half(line_, tools_));
      append(words, flags_for_both_halves(input));
    } else {
      words = {tools_.host};
      append(words, flags_for_host(line_, tools_, input.kind == Kind::c));
    }
    const bool is_named = tools_.has_nvcc() || input.kind != Kind::cuda;
    if (is_named && input.kind != Kind::preprocessed) {
      const char* const language = input.kind == Kind::cuda ? "cu"
                                   : input.kind == Kind::c  ? "c"
                                                            : "c++";
      words.insert(words.end(), {"-x", language});
    }
    return words;
  }

  void compile(const Input& input, const std::string& object, const Words& form = {"-c"}) {
    Words words = host_words(input);
    const Words dependencies = dependency_words(input, object);
    Words of_device;
    if (input.kind == Kind::cuda && !tools_.has_nvcc()) {
      const std::string ptx = temporary(input, ".ptx");
      if (!dependencies.empty()) {
        of_device = {dependencies.front(), "-MF", scratch_ + "/" + std::to_string(count_++) + ".d"};
      }
      device_step(
          input, ptx,
          [source = input.path](const std::string& text) {
            return "// source: " + source + "\n" + text + std::string(1, '\0');
          },
          of_device);
      words.insert(words.end(), {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx});
    }
    append(words, dependencies);
    append(words, form);
    words.insert(words.end(), {plain(input.path), "-o", object});
    add(std::move(words));
    if (of_device.empty()) return;
    add({}, [file = dependencies[2], other = of_device[2]] { merge_rules(file, other); });
  }

  /// -cuda: a C++ file that has both halves.
  void make_cxx(const Input& input) {
    if (input.kind != Kind::cuda) return;  // nvcc ignores it
    const std::string output = output_of(line_, input, ".cu.cpp.ii");
    if (tools_.has_nvcc()) {
      Words words = host_words(input);
      words.insert(words.end(), {"-cuda", plain(input.path), "-o", output});
      add(std::move(words));
      return;
    }
    // The names of lines would be those of two files.
    const std::string assembly = temporary(input, ".s");
    compile(input, assembly, {"-S", "-g0", "-fno-addrsig"});
    add({}, [assembly, output] { write_file(output, in_cxx(read_file(assembly))); });
  }

  void preprocess(Phase phase, const Input& input) {
    Words words = host_words(input);
    if (phase == Phase::preprocess) {
      words.emplace_back("-E");
      append(words, dependency_words(input, output_of(line_, input, ".o")));
    } else {
      words.emplace_back(line_.has("generate-dependencies") ? "-M" : "-MM");
      const std::string object =
          (fs::path(line_.last("output-directory")) / (input.stem() + ".o")).string();
      add_target(words, object);
      if (const std::string file = line_.last("dependency-output"); !file.empty()) {
        words.insert(words.end(), {"-MF", file});
      }
    }
    words.push_back(plain(input.path));
    if (const std::string file = line_.last("output-file"); !file.empty()) {
      words.insert(words.end(), {"-o", file});
    }
    add(std::move(words));
  }

  /// The objects of all inputs, which are compiled where necessary.
  Words objects() {
    Words found;
    for (const Input& input : inputs_) {
      if (input.kind == Kind::object) {
        if (!is_library_of_runtime(input.path)) found.push_back(plain(input.path));
        continue;
      }
      found.push_back(temporary(input, ".o"));
      compile(input, found.back());
    }
    return found;
  }

  void make_together(Phase phase) {
    const Words parts = objects();
    const std::string named = line_.last("output-file");
    if (phase == Phase::library) {
      const std::string archiver = line_.last("archiver-binary");
      const std::string output = named.empty() ? "a.a" : named;
      add({}, [output] {
        std::error_code ignored;
        fs::remove(output, ignored);
      });
      Words words = {archiver.empty() ? "ar" : archiver, "cr"};
      append(words, line_.all("archive-options"));
      words.push_back(output);
      append(words, parts);
      add(std::move(words));
    } else if (phase == Phase::device_link) {
      registration(parts, named.empty() ? "a_dlink.o" : named);
    } else {
      link(parts, named.empty() ? "a.out" : named);
    }
  }

  void registration(const Words& parts, const std::string& object) {
    const std::string source = scratch_ + "/registration.c";
    Words files = parts;
    for (const std::string& library : line_.all("library")) {
      if (is_runtime(library)) continue;
      for (const std::string& folder : line_.all("library-path")) {
        const std::string path = folder + "/lib" + library + ".a";
        if (fs::exists(path)) files.push_back(path);
      }
    }
    Words shown_words = {"nm", "-g"};
    append(shown_words, files);
    add(std::move(shown_words), [=] { write_file(source, registration_source(files)); });
    add({tools_.host, "-x", "c", "-fPIC", "-c", source, "-o", object});
  }

  void link(Words parts, const std::string& output) {
    const std::string together = scratch_ + "/registration.o";
    registration(parts, together);
    parts.insert(parts.begin(), together);
    const Words libraries = tools_.library_flags();
    Words words = {tools_.host};
    for (const std::string& flag : typed_for_host(line_)) {
      // They would define things again, or ask for headers.
      if (!flag.starts_with("-D") && !flag.starts_with("-I")) words.push_back(flag);
    }
    append(words, line_.to_linker);
    if (line_.has("shared")) words.emplace_back("-shared");
    if (line_.has("profile")) words.emplace_back("-pg");
    if (line_.has("debug")) words.emplace_back("-g");
    words.emplace_back("-Wl,--start-group");
    append(words, parts);
    for (const std::string& option : line_.all("linker-options")) {
      words.insert(words.end(), {"-Xlinker", option});
    }
    // Before the folders of a toolkit, where NVIDIA's libraries have the same names.
    words.push_back(libraries.front());
    for (const std::string& folder : line_.all("library-path")) words.push_back("-L" + folder);
    append(words, libraries);
    for (const std::string& library : line_.all("library")) {
      if (!is_runtime(library)) words.push_back("-l" + library);
    }
    if (const std::string kind = line_.last("cudart"); kind != "none") {
      words.insert(words.end(), {"-lcudadevrt", kind == "shared" ? "-lcudart" : "-lcudart_static"});
    }
    words.insert(words.end(), {"-lrt", "-lpthread", "-ldl", "-Wl,--end-group",
                               "-Wl,-rpath," + tools_.toolkit.string(), "-o", output});
    add(std::move(words));
    if (!line_.has("run")) return;
    plan_.program = {output.find('/') == std::string::npos ? "./" + output : output};
    append(plan_.program, line_.all("run-args"));
  }

  static void append(Words& words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
  }
  static std::string plain(const std::string& path) {
    return path.starts_with('-') ? "./" + path : path;
  }

  const CommandLine& line_;
  const Tools& tools_;
  std::string scratch_;
  std::vector<Input> inputs_;
  Architecture architecture_;
  std::string kept_;  // the folder for what -keep keeps; else empty
  int count_ = 0;
  mutable std::map<std::string, Words> joined_launches_;  // the flags for them, by file
  Plan plan_;
};

}  // namespace

void require_inputs(const CommandLine& line) {
  if (inputs_of(line).empty()) throw UsageError("nvcc has no input file");
}

Plan plan_for(const CommandLine& line, const Tools& tools, const std::string& scratch) {
  return Planner(line, tools, scratch).make();
}

}  // namespace bankproof::cli::nvcc
