// The command line of `prove`: theorems of the catalog, or a user's own layout.
#include "prove.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "prove/catalog.hpp"
#include "prove/layout.hpp"
#include "support/arguments.hpp"
#include "support/chip_names.hpp"
#include "support/errors.hpp"
#include "support/words.hpp"

namespace bankproof::cli {
namespace {

struct ProveOptions {
  CatalogOptions catalog;
  LayoutOptions layout;
  KernelProofOptions kernel;
  std::vector<std::string> addresses;
  std::vector<std::string> ranges;
  std::string format = "text";
  std::string output;
};

constexpr const char* formula = "EXPRESSION";

/// Adds the options that describe a layout, and returns them.
std::vector<CLI::Option*> add_layout_options(CLI::App& command, LayoutOptions& layout) {
  std::vector<CLI::Option*> all;
  const auto add = [&](const char* name, auto& value, const std::string& what, const char* type) {
    all.push_back(command.add_option(name, value, what)->type_name(type)->group("A layout"));
    return all.back();
  };
  add("--source", layout.source,
      "The element that thread i reads, a C expression of i: for example 'i ^ ((i & 31) << 5)'",
      formula);
  add("--destination", layout.destination, "The element that thread i writes", formula);
  add("--permutation", layout.permutation,
      "An expression P of i; also prove that P(source) equals destination", formula);
  add("--let", layout.lets, "A name for an expression; the expression may use earlier names",
      "NAME=EXPRESSION")
      ->allow_extra_args(false);
  add("--size", layout.size, "The number of threads, up to 2^32", "N");
  add("--machine", layout.machine, joined(and_chips({"dmm", "umm"}), " or ") + " [dmm]",
      "NAME[:w=W,l=L]");
  add("--width", layout.width, "The number of banks, and of threads of a warp: 1 to 1024 [32]",
      "W");
  add("--memory", layout.memory, "The memory of a chip: shared or global [shared]", "")
      ->check(CLI::IsMember({"shared", "global"}));
  add("--word-bytes", layout.word_bytes, help_on_element_bytes(), "BYTES");
  add("--max-stages", layout.max_stages,
      "The most stages that a warp may take [1; for elements wider than a word, the best case of a "
      "full warp]",
      "K");
  return all;
}

/// Adds the options about a compiled kernel but --kernel itself, and returns them.
std::vector<CLI::Option*> add_kernel_options(CLI::App& command, KernelProofOptions& kernel) {
  const std::size_t before = command.get_options().size();
  const auto add = [&](const char* name, auto& value, const std::string& what, const char* type) {
    return command.add_option(name, value, what)->type_name(type);
  };
  add_compiler(command, kernel.compiler);
  add("--block", kernel.block, "The threads of a block, if only such blocks matter [any block]",
      "X[,Y[,Z]]");
  add("--grid", kernel.grid, "The blocks of the grid, if only such grids matter [any grid]",
      "X[,Y[,Z]]");
  add("--where", kernel.where,
      "What holds for every launch that matters, a C condition on the parameters, blockDim and "
      "gridDim: for example 'n == 32 * gridDim.x'. It is computed with 64 bits and a sign. "
      "Without it, a parameter has any value",
      "CONDITION")
      ->allow_extra_args(false);
  add("--buffer", kernel.buffers,
      "The number of elements that a pointer points to: for example out=n*n, or out=f32:n*n if "
      "the type of the elements is not known",
      "NAME=[TYPE:]EXPRESSION")
      ->allow_extra_args(false);
  add("--symbol", kernel.symbols,
      "A __device__ or __constant__ variable that the host writes before the launch. Its initial "
      "values then say nothing; without it, a launch that is shown keeps them",
      "NAME")
      ->allow_extra_args(false);
  add("--shared", kernel.shared, "Bytes of dynamic shared memory, as 4*blockDim.x", "EXPRESSION");
  add("--claim", kernel.claims,
      "What to prove: race, blocks, barriers, bounds, banks, banks=K, coalesced, coalesced=M, "
      "overflow, initialized or asserts [all of which the kernel has something, unless --address "
      "is "
      "given]",
      "NAMES");
  command.add_flag("--allow-unknown", kernel.allow_unknown,
                   "Exit with 0 although a claim is unknown or unsupported");
  std::vector<CLI::Option*> all = command.get_options();
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before));
  for (CLI::Option* const option : all) option->group("A compiled kernel");
  return all;
}

bool is_any_given(const std::vector<CLI::Option*>& options) {
  return std::any_of(options.begin(), options.end(),
                     [](const CLI::Option* option) { return option->count() > 0; });
}

/// Adds the options about addresses, of a layout or of a kernel, and returns them.
std::vector<CLI::Option*> add_address_options(CLI::App& command, ProveOptions& options) {
  std::vector<CLI::Option*> all;
  const auto add = [&](const char* name, auto& value, const std::string& what, const char* type) {
    all.push_back(command.add_option(name, value, what)->type_name(type));
    all.back()->allow_extra_args(false)->group("A layout, or a compiled kernel");
  };
  add("--address", options.addresses,
      "Of a layout: the element that thread i touches in an access of any kind; without --size, i "
      "is the lane. Of a kernel: prove that each access of a line is to the element of this index, "
      "as in 17='blockIdx.x * blockDim.x + threadIdx.x'; with NAME, each access to this array. "
      "Formulas for several accesses are separated by semicolons",
      "EXPRESSION, or LINE[:NAME]=EXPRESSION[;...]");
  add("--for", options.ranges,
      "A variable of --address and its range; the proof covers all of its values. Of a kernel, "
      "each "
      "access of the line has one of them",
      "NAME=A..B");
  return all;
}

/// The options of the kernel, from the words that all kinds of proofs share.
KernelProofOptions of_kernel(const ProveOptions& options, bool is_layout) {
  if (is_layout) {
    throw UsageError("--kernel and options of a layout: prove takes a kernel or a layout");
  }
  const CatalogOptions& catalog = options.catalog;
  if (catalog.only_list || !catalog.export_folder.empty() || !catalog.coq_folder.empty()) {
    throw UsageError("--list, --export and --coq are for theorems, not for kernels");
  }
  if (options.catalog.ids.size() > 1) {
    throw UsageError("prove --kernel takes one kernel; " + in_quotes(options.catalog.ids[0]) +
                     " and " + in_quotes(options.catalog.ids[1]) + " are two");
  }
  KernelProofOptions kernel = options.kernel;
  if (!options.catalog.ids.empty()) kernel.name = options.catalog.ids.front();
  kernel.format = options.format;
  kernel.output = options.output;
  kernel.addresses = options.addresses;
  kernel.ranges = options.ranges;
  return kernel;
}

int run_prove(ProveOptions& options, bool is_layout) {
  if (options.format == "sarif" || options.format == "html") {
    throw UsageError("--format " + options.format + " is for kernels (--kernel)");
  }
  if (!is_layout) {
    options.catalog.format = options.format;
    options.catalog.output = options.output;
    return prove_catalog(options.catalog);
  }
  if (!options.catalog.ids.empty()) {
    const bool is_name = options.catalog.ids.front().find('=') != std::string::npos;
    const std::string again = is_name ? "; give --for or --let again before each name" : "";
    throw UsageError("a layout and '" + options.catalog.ids.front() +
                     "': prove takes a layout or ids of theorems, not both" + again);
  }
  if (options.catalog.only_list) throw UsageError("--list is for theorems, not for layouts");
  if (!options.catalog.export_folder.empty()) {
    throw UsageError("--export is for theorems, not for layouts");
  }
  if (!options.catalog.coq_folder.empty()) {
    throw UsageError("--coq is for theorems, not for layouts");
  }
  if (options.format == "junit") {
    throw UsageError("--format junit is for theorems and kernels; layouts have text and json");
  }
  if (options.addresses.size() > 1) throw UsageError("a layout has one --address");
  if (!options.addresses.empty()) options.layout.address = options.addresses.front();
  options.layout.ranges = options.ranges;
  options.layout.format = options.format;
  options.layout.output = options.output;
  return prove_layout(options.layout);
}

}  // namespace

void add_prove(CLI::App& app, int& exit_code) { add_prove_with(app, exit_code, nullptr); }

void add_prove_with(CLI::App& app, int& exit_code, int (*prove_kernel)(const KernelProofOptions&)) {
  CLI::App* const command = begin_command(app, "prove");
  const auto options = std::make_shared<ProveOptions>();
  command->add_option(
      "ID", options->catalog.ids,
      "Ids of theorems, or prefixes of ids, such as A12 or S2.upper; without any, all theorems. "
      "With --kernel: the kernel, such as 'scan<int, 256>' [the only kernel of the file]");
  command->add_flag("--list", options->catalog.only_list,
                    "List the theorems, without proving them");
  command
      ->add_option("--export", options->catalog.export_folder,
                   "Write the SMT-LIB files to this folder")
      ->type_name("DIR");
  command
      ->add_option("--coq", options->catalog.coq_folder,
                   "Prove nothing, and write to this folder what Coq checks: the times of the "
                   "algorithms in closed form, and theorems with scripts that prove them")
      ->type_name("DIR");
  command
      ->add_option("--format", options->format, "text, json or junit; sarif and html for kernels")
      ->check(CLI::IsMember({"text", "json", "junit", "sarif", "html"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "Write to this file; '-' is standard output")
      ->type_name("FILE");
  const auto layout = add_layout_options(*command, options->layout);
  CLI::Option* const file =
      command
          ->add_option(
              "--kernel", options->kernel.file,
              "Prove claims about a kernel of this CUDA source, or of this PTX if the name "
              "ends with .ptx, for all inputs")
          ->type_name("FILE")
          ->group("A compiled kernel");
  const auto of_both = add_address_options(*command, *options);
  const auto of_kernels = add_kernel_options(*command, options->kernel);
  command->callback([=, &exit_code] {
    const bool is_layout = is_any_given(layout);
    if (file->count() == 0) {
      if (is_any_given(of_kernels)) {
        throw UsageError("an option of a compiled kernel needs --kernel FILE");
      }
      exit_code = run_prove(*options, is_layout || is_any_given(of_both));
      return;
    }
    const KernelProofOptions kernel = of_kernel(*options, is_layout);
    if (prove_kernel == nullptr) throw std::logic_error("this program proves nothing of kernels");
    exit_code = prove_kernel(kernel);
  });
}

}  // namespace bankproof::cli
