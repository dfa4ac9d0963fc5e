// The command line of `verify`. The code that decides, algorithms/permutation/verify.hpp and
// verify_schedule.hpp, shares nothing with the code that makes plans. `verify` reads permutations
// with the same readers as other commands.
#include "verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "../algorithms/permutation/verify.hpp"
#include "../algorithms/permutation/verify_schedule.hpp"
#include "plan/digest.hpp"
#include "plan/format.hpp"
#include "plan/loaded_plan.hpp"
#include "readers/permutation_argument.hpp"
#include "support/arguments.hpp"
#include "support/errors.hpp"
#include "support/memory.hpp"
#include "support/output.hpp"
#include "support/shown.hpp"
#include "support/words.hpp"

namespace bankproof::cli {
namespace {

/// As typed.
struct VerifyOptions {
  std::string folder;
  std::string permutation;
  std::string format = "text";
  std::string output;
};

/// The lanes of S or D as Integer, a type that both fit in.
template <class Integer>
std::vector<Integer> as(const NpyLanes& lanes) {
  return std::visit(
      [](const auto& values) { return std::vector<Integer>(values.begin(), values.end()); },
      lanes.values);
}

std::size_t bytes_of(const NpyLanes& lanes) {
  return std::visit([](const auto& values) { return sizeof(values[0]); }, lanes.values);
}

/// Calls use(Integer{}) with the narrowest type that holds all values.
template <class Use>
auto with_type_for(const LoadedPlan& plan, Use use) {
  std::size_t bytes = 0;
  for (const auto& pass : plan.passes) {
    bytes = std::max({bytes, bytes_of(pass.s), bytes_of(pass.d)});
  }
  if (bytes <= 2) return use(std::int16_t{});
  if (bytes <= 4) return use(std::int32_t{});
  return use(std::int64_t{});
}

/// The first lane where the closed form and the array differ; empty if they agree.
template <class Integer>
std::optional<std::string> closed_form_defect(const std::optional<LoadedMap>& map,
                                              const std::vector<Integer>& lanes,
                                              const std::string& name) {
  if (!map) return std::nullopt;
  for (std::uint64_t j = 0; j < lanes.size(); ++j) {
    if (lanes[j] == -1) continue;
    std::uint64_t value = map->offset;
    for (std::size_t k = 0; k < map->columns.size(); ++k) {
      if ((j >> k & 1U) != 0) value ^= map->columns[k];
    }
    if (value != static_cast<std::uint64_t>(lanes[j])) {
      return fmt::format("the closed form of lane {} is {}, and {} has {}", j, value, name,
                         std::int64_t{lanes[j]});
    }
  }
  return std::nullopt;
}

/// Whether the array has the shape (rows, columns); a single row may also have the shape (columns).
bool has_shape(const NpyLanes& lanes, std::uint64_t rows, std::uint64_t columns) {
  if (rows == 1 && lanes.shape == std::vector{columns}) return true;
  return lanes.shape == std::vector{rows, columns};
}

/// The first contradiction between plan.json and the arrays; empty if they agree.
std::optional<std::string> contradiction(const LoadedPlan& plan) {
  std::uint64_t warps = 0;
  for (std::size_t k = 0; k < plan.passes.size(); ++k) {
    const auto& pass = plan.passes[k];
    const bool scheduled = plan.kind == "scheduled";
    const std::uint64_t rows = !scheduled ? 1 : k == 1 ? plan.columns : plan.rows;
    const std::uint64_t columns = !scheduled ? plan.n : k == 1 ? plan.rows : plan.columns;
    const std::uint64_t lanes = detail::lanes_for(columns, plan.width);
    if (pass.rows != rows || pass.lanes != lanes) {
      return fmt::format("plan.json says {} rows of {} lanes for pass {}, expected {} of {}",
                         pass.rows, pass.lanes, k + 1, rows, lanes);
    }
    for (const auto& [name, array] : {std::pair{&pass.s_name, &pass.s}, {&pass.d_name, &pass.d}}) {
      if (!has_shape(*array, pass.rows, pass.lanes)) {
        return fmt::format("{} does not have the {} rows of {} lanes that plan.json says", *name,
                           pass.rows, pass.lanes);
      }
    }
    warps += pass.rows * (pass.lanes / plan.width);
  }
  if (warps == plan.warps) return std::nullopt;
  return fmt::format("plan.json says {}, but the plan has {}", counted(plan.warps, "warp"), warps);
}

template <class Index>
std::optional<std::string> defect_of(const LoadedPlan& plan, std::span<const Index> permutation) {
  return with_type_for(plan, [&]<class Integer>(Integer) -> std::optional<std::string> {
    using Lanes = std::vector<Integer>;
    if (plan.kind != "scheduled") {
      const Lanes s = as<Integer>(plan.passes[0].s);
      const Lanes d = as<Integer>(plan.passes[0].d);
      if (const auto defect = verify_plan(permutation, std::span<const Integer>(s),
                                          std::span<const Integer>(d), plan.width)) {
        return describe(*defect);
      }
      if (auto defect = closed_form_defect(plan.s_map, s, plan.passes[0].s_name)) return defect;
      return closed_form_defect(plan.d_map, d, plan.passes[0].d_name);
    }
    std::array<Lanes, 3> s;
    std::array<Lanes, 3> d;
    std::array<PassToVerify<Integer>, 3> passes;
    for (std::size_t k = 0; k < 3; ++k) {
      s[k] = as<Integer>(plan.passes[k].s);
      d[k] = as<Integer>(plan.passes[k].d);
      passes[k] = {s[k], d[k]};
    }
    std::optional<ScheduleDefect> defect;
    if (plan.rows * plan.columns <= std::uint64_t{1} << 32 || sizeof(Index) == 8) {
      defect = verify_schedule(permutation, plan.rows, plan.columns, plan.width, passes);
    } else {
      const std::vector<std::uint64_t> wide(permutation.begin(), permutation.end());
      defect = verify_schedule(std::span<const std::uint64_t>(wide), plan.rows, plan.columns,
                               plan.width, passes);
    }
    if (!defect) return std::nullopt;
    return describe(*defect);
  });
}

/// The first defect; empty if the plan is right.
std::optional<std::string> defect_of(const LoadedPlan& plan,
                                     const PermutationArgument& permutation) {
  if (plan.n != permutation.size()) {
    return fmt::format("is for {}, and {} has {}", counted(plan.n, "element"),
                       shown(permutation.name), permutation.size());
  }
  auto defect = std::visit([&](const auto& values) { return defect_of(plan, std::span(values)); },
                           permutation.values);
  const std::string digest = digest_of(permutation.values);
  if (plan.sha256 != digest) {
    return fmt::format("is for another permutation: its SHA-256 is {}, and that of {} is {}",
                       shown(plan.sha256), shown(permutation.name), digest) +
           (defect ? "; " + *defect : "");
  }
  return defect ? defect : contradiction(plan);
}

std::string report(const VerifyOptions& options, const LoadedPlan& plan,
                   const std::optional<std::string>& defect) {
  if (options.format == "json") {
    nlohmann::ordered_json json = {{"plan", options.folder}, {"permutation", options.permutation},
                                   {"kind", plan.kind},      {"n", plan.n},
                                   {"width", plan.width},    {"right", !defect}};
    if (defect) json["defect"] = *defect;
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  if (defect) return fmt::format("{}: {}\n", shown(options.folder), *defect);
  return fmt::format("{}: right for {}: {}, width {}, no conflict in any warp\n",
                     shown(options.folder), shown(options.permutation), counted(plan.n, "element"),
                     plan.width);
}

int run_verify(const VerifyOptions& options) {
  return within_memory(
      [&] {
        if (options.folder.empty()) throw UsageError("DIR is empty");
        const LoadedPlan plan = load_plan(options.folder);
        const PermutationArgument permutation = load_permutation(options.permutation);
        if (permutation.source.kind != Source::Kind::name) {
          refuse_input_as_output(permutation.source.path, options.output);
        }
        for (const std::string_view name : plan_file_names) {
          refuse_input_as_output(options.folder + "/" + std::string(name), options.output);
        }
        const auto defect = defect_of(plan, permutation);
        write_output(options.output, report(options, plan, defect));
        return defect ? exit_finding : exit_clean;
      },
      [&] { refuse_for_memory(options.folder); });
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  CLI::App* const command = begin_command(app, "verify");
  const auto options = std::make_shared<VerifyOptions>();
  command->add_option("DIR", options->folder, "The plan's folder")->required()->type_name("");
  command->add_option("PERMUTATION", options->permutation, "A file, '-' or a name, as for check")
      ->required()
      ->type_name("");
  command->add_option("--format", options->format, "text or json [text]")
      ->check(CLI::IsMember({"text", "json"}));
  command->add_option("-o,--output", options->output, "Write to this file; '-' is standard output")
      ->type_name("FILE");
  command->callback([options, &exit_code] { exit_code = run_verify(*options); });
}

}  // namespace bankproof::cli
