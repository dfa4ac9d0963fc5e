// Reads the options, proves and reports; see prove_kernel.hpp.
#include "prove_kernel.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "../cuda/types/parameter_types.hpp"
#include "../proofs/solvers/solvers.hpp"
#include "../ptx/report/function_names.hpp"
#include "../symbolic/premises/signature.hpp"
#include "../symbolic/proving/prove.hpp"
#include "../text/typed.hpp"
#include "kernel/loading.hpp"
#include "kernel/request.hpp"
#include "prove.hpp"
#include "prove_kernel/reports.hpp"
#include "readers/text_file.hpp"
#include "support/errors.hpp"
#include "support/interruption.hpp"
#include "support/machine_argument.hpp"
#include "support/memory.hpp"
#include "support/numbers.hpp"
#include "support/output.hpp"
#include "support/progress.hpp"
#include "support/shown.hpp"
#include "support/words.hpp"

namespace bankproof::cli {
namespace {

using symbolic::Claim;

/// The number of "banks=2" or "coalesced=1".
void read_number(Claim claim, const std::string& word, symbolic::Request& request) {
  const std::string text = word.substr(word.find('=') + 1);
  if (claim == Claim::banks) {
    const auto most = positive_number("--claim banks=", text);
    if (!most || *most > 32) {
      throw UsageError("--claim " + in_quotes(word) + ": expected banks=K, with K from 1 to 32");
    }
    request.most_wavefronts = static_cast<std::uint32_t>(*most);
  } else if (claim == Claim::coalesced) {
    const auto most = text == "0" ? 0 : positive_number("--claim coalesced=", text);
    if (!most || *most > 31) {
      throw UsageError("--claim " + in_quotes(word) +
                       ": expected coalesced=M, with M from 0 to 31");
    }
    request.most_sectors = static_cast<std::uint32_t>(*most);
  } else {
    throw UsageError("--claim " + in_quotes(word) + ": only banks and coalesced have a number");
  }
}

/// "race,banks=2"
void read_claims(const std::string& text, symbolic::Request& request) {
  std::array<std::string_view, symbolic::all_claims.size()> names;
  std::transform(symbolic::all_claims.begin(), symbolic::all_claims.end(), names.begin(),
                 [](Claim claim) { return name_of(claim); });
  if (text.empty()) return;
  for (const std::string_view word : split_at_commas(text)) {
    const std::string_view name = word.substr(0, word.find('='));
    const auto* const found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw UsageError("--claim " + in_quotes(text) + ": there is no claim " + in_quotes(name) +
                       there_are(name, names));
    }
    const Claim claim = symbolic::all_claims[static_cast<std::size_t>(found - names.begin())];
    if (name != word) read_number(claim, std::string(word), request);
    if (std::find(request.claims.begin(), request.claims.end(), claim) == request.claims.end()) {
      request.claims.push_back(claim);
    }
  }
}

/// "17:tile=33 * threadIdx.y + threadIdx.x"
void read_addresses(const std::vector<std::string>& all, symbolic::Request& request) {
  for (const std::string& text : all) {
    const std::size_t equals = text.find('=');
    const std::string place = text.substr(0, equals);
    const std::size_t colon = place.find(':');
    const auto line = equals == std::string::npos
                          ? std::nullopt
                          : positive_number("--address", place.substr(0, colon));
    if (!line || equals + 1 == text.size() || colon + 1 == place.size()) {
      throw UsageError("--address " + in_quotes(text) +
                       ": expected LINE=FORMULA or LINE:NAME=FORMULA, as in 17=threadIdx.x");
    }
    request.addresses.push_back({static_cast<std::uint32_t>(*line),
                                 colon == std::string::npos ? "" : place.substr(colon + 1),
                                 text.substr(equals + 1)});
  }
}

/// "row=0..3"
void read_ranges(const std::vector<std::string>& all, symbolic::Request& request) {
  for (const std::string& text : all) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::size_t dots = text.find("..", equals);
    if (equals == 0 || dots == std::string::npos) {
      throw UsageError("--for " + in_quotes(text) + ": expected NAME=FIRST..LAST, as in row=0..3");
    }
    const DecimalNumber first = parse_decimal(text.substr(equals + 1, dots - equals - 1));
    const DecimalNumber last = parse_decimal(text.substr(dots + 2));
    if (!first.value || !last.value || *first.value > *last.value) {
      throw UsageError("--for " + in_quotes(text) +
                       ": expected two numbers, the second not below the first");
    }
    request.ranges.push_back({text.substr(0, equals), *first.value, *last.value});
  }
}

std::array<std::optional<std::uint32_t>, 3> read_extent(const std::string& text,
                                                        const std::string& option) {
  std::array<std::optional<std::uint32_t>, 3> all;
  if (text.empty()) return all;
  const ptx::Extent extent = extent_of(text, option);
  std::copy(extent.begin(), extent.end(), all.begin());
  return all;
}

void read_buffers(const std::vector<std::string>& all, symbolic::Request& request) {
  for (const std::string& text : all) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw UsageError("--buffer " + in_quotes(text) + ": expected NAME=EXPRESSION, as in out=n*n");
    }
    request.buffers.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
}

symbolic::Request asked_by(const KernelProofOptions& options) {
  symbolic::Request request;
  request.shape = {read_extent(options.block, "--block"), read_extent(options.grid, "--grid")};
  request.where = options.where;
  read_buffers(options.buffers, request);
  request.symbols = options.symbols;
  request.shared = options.shared;
  read_claims(options.claims, request);
  read_addresses(options.addresses, request);
  read_ranges(options.ranges, request);
  if (!request.ranges.empty() && request.addresses.empty()) {
    throw UsageError("--for is for the variables of --address");
  }
  return request;
}

int exit_code_of(const symbolic::KernelProof& proof, bool allows_unknown) {
  const auto has = [&](symbolic::Verdict verdict) {
    return std::any_of(proof.decisions.begin(), proof.decisions.end(),
                       [&](const symbolic::Decision& one) { return one.verdict == verdict; });
  };
  if (has(symbolic::Verdict::refuted)) return exit_finding;
  const bool is_about_something =
      std::any_of(proof.decisions.begin(), proof.decisions.end(),
                  [](const auto& one) { return one.verdict != symbolic::Verdict::nothing; });
  if (!is_about_something) return exit_input;
  const bool is_open = has(symbolic::Verdict::unknown) || has(symbolic::Verdict::unsupported);
  return is_open && !allows_unknown ? exit_input : exit_clean;
}

symbolic::KernelProof proved(const symbolic::Request& request, const std::string& why_no_types) {
  try {
    return symbolic::prove(request);
  } catch (const symbolic::PremiseError& error) {
    const std::string text = error.what();
    const std::size_t end = std::min(text.find('\n'), text.size());
    throw UsageError(text.substr(0, end) + why_no_types,
                     shown_lines(text.substr(std::min(end + 1, text.size()))));
  } catch (const proofs::SolverError& error) {
    throw InputError(error.what());
  } catch (const ptx::Error& error) {
    throw InputError(error.what());
  }
}

constexpr std::size_t longest_text = std::size_t{1} << 26U;

/// The source, and behind it the files that it includes: one of them may declare the kernel.
std::string texts_of(const cuda::KernelFile& file) {
  std::string all = whole_file(file.source, longest_text, "source");
  for (const ptx::SourceFile& one : file.module.files) {
    std::error_code ignored;
    if (one.name != file.source && std::filesystem::is_regular_file(one.name, ignored)) {
      all += "\n" + whole_file(one.name, longest_text, "source");
    }
  }
  return all;
}

/// The kernels. With clang, the PTX has the types of their parameters.
cuda::KernelText kernels_of(const KernelProofOptions& options) {
  bool is_by_clang = false;
  try {
    is_by_clang = cuda::choose_compiler(options.compiler.name).kind == cuda::CompilerKind::clang;
  } catch (const cuda::CompileError&) {  // said when it is to compile
  }
  return load_kernel_text(options.file, options.compiler, is_by_clang);
}

/// The types of the kernel's parameters, if one of them is a structure, or if the source declares
/// several such kernels. Without debug information its members have no names, or its parameters,
/// and everything else can be proved as well; `why` says then why.
std::vector<cuda::ParameterType> types_of(const symbolic::Request& request,
                                          const KernelProofOptions& options, const std::string& ptx,
                                          std::string& why) {
  const ptx::Function& kernel = *request.kernel;
  const auto is_structure = [](const ptx::Variable& one) { return !one.dimensions.empty(); };
  const bool has_structures =
      std::any_of(kernel.parameters.begin(), kernel.parameters.end(), is_structure);
  if (!has_structures && !symbolic::has_several_declarations(kernel.name, kernel.parameters.size(),
                                                             request.source_text)) {
    return {};
  }
  std::vector<cuda::ParameterType> known = cuda::parameter_types(ptx, kernel.name);
  if (!known.empty() || request.file->source.empty()) return known;
  try {
    const cuda::PtxText text = cuda::compile(options.file, {.compiler = options.compiler.name,
                                                            .flags = options.compiler.words(),
                                                            .headers = {},
                                                            .debug = true});
    return cuda::parameter_types(text.text, kernel.name);
  } catch (const cuda::CompileError& error) {
    why = std::string(has_structures ? "; members of structures have no names: "
                                     : "; several kernels have this name, and without debug "
                                       "information its parameters are arg0, arg1, …: ") +
          error.what();
    return {};
  }
}

int run(const KernelProofOptions& options) {
  Progress progress;
  progress.begin("reading");
  symbolic::Request request = asked_by(options);
  refuse_compiler_of_ptx(options.file, options.compiler);
  refuse_input_as_output(options.file, options.output);
  require_writable(options.output);
  progress.begin("compiling");
  cuda::KernelText kernels = kernels_of(options);
  request.file = std::make_shared<const cuda::KernelFile>(std::move(kernels.file));
  if (!request.file->source.empty()) request.source_text = texts_of(*request.file);
  try {
    request.kernel = &ptx::find_kernel(request.file->module, options.name, options.file);
  } catch (const ptx::KernelNameError& error) {
    throw UsageError(error.what());
  }
  std::string why_no_types;
  request.types = types_of(request, options, kernels.ptx, why_no_types);
  request.progress = [&](const std::string& step) { progress.begin(step); };
  const Interruption interruption(
      "\nbankproof prove: ends with this question, and reports what is decided; a second signal "
      "ends "
      "it at once\n");
  request.is_stopped = Interruption::requested;
  symbolic::KernelProof proof = proved(request, why_no_types);
  progress.end();
  add_rerun_words(proof, options);
  write_output(options.output, options.format == "json"    ? kernel_proof_as_json(proof)
                               : options.format == "junit" ? kernel_proof_as_junit(proof)
                               : options.format == "sarif" ? kernel_proof_as_sarif(proof)
                               : options.format == "html"  ? kernel_proof_as_html(proof)
                                                           : kernel_proof_as_text(proof));
  return exit_code_of(proof, options.allow_unknown);
}

}  // namespace

int prove_kernel(const KernelProofOptions& options) {
  return within_memory([&] { return run(options); },
                       [] { throw InputError("the proofs need more memory than is available"); });
}

void add_prove_with_kernels(CLI::App& app, int& exit_code) {
  add_prove_with(app, exit_code, prove_kernel);
}

}  // namespace bankproof::cli
