// Writes sources of Coq; see coq.hpp.
#include "coq.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <string>

#include "../../proofs/scripts/inductions.hpp"
#include "../../proofs/scripts/theorems.hpp"
#include "../../proofs/written/costs.hpp"
#include "../support/errors.hpp"
#include "../support/output.hpp"
#include "../support/progress.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {
namespace {

std::vector<proofs::TheoremInCoq> scripts_of(const std::vector<proofs::Theorem>& theorems) {
  Progress progress;
  std::mutex mutex;
  std::size_t through = 0;
  return proofs::theorems_in_coq(theorems, [&](const std::string& id) {
    const std::lock_guard lock(mutex);
    progress.begin(fmt::format("{} of {}: {}", ++through, theorems.size(), id));
  });
}

}  // namespace

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError(fmt::format("cannot make {}: {}", folder.string(), error.message()));
}

int write_coq(const CatalogOptions& options, const std::vector<proofs::Theorem>& theorems) {
  if (options.only_list || !options.export_folder.empty()) {
    throw UsageError("--coq writes times and theorems, without --list and --export");
  }
  if (options.format != "text") throw UsageError("--coq has text, not " + options.format);
  require_writable(options.output);
  const std::filesystem::path folder(options.coq_folder);
  make_folder(folder / "theorems");
  const std::string file = (folder / "Costs.v").string();
  const proofs::CostsInCoq costs = proofs::costs_in_coq();
  write_output(file, costs.text);
  write_output((folder / "Inductions.v").string(), proofs::inductions_in_coq());
  write_output((folder / "Lemmas.v").string(), proofs::lemmas_in_coq());
  std::string left_out;
  std::size_t written = 0;
  for (const proofs::TheoremInCoq& theorem : scripts_of(theorems)) {
    if (theorem.text.empty()) {
      left_out += fmt::format("{}: {}\n", theorem.id, theorem.why_not);
      continue;
    }
    write_output((folder / "theorems" / (theorem.name + ".v")).string(), theorem.text);
    ++written;
  }
  write_output(options.output,
               fmt::format("{}: {} in closed form, with {}\n{}: {} of {}\n{}", file,
                           counted(costs.definitions, "time"), counted(costs.examples, "example"),
                           (folder / "theorems").string(), counted(written, "script"),
                           counted(theorems.size(), "theorem"), left_out));
  return exit_clean;
}

}  // namespace bankproof::cli
