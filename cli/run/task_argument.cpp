// See task_argument.hpp.
#include "task_argument.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "../../text/typed.hpp"
#include "../readers/permutation_argument.hpp"
#include "../support/errors.hpp"
#include "../support/machine_argument.hpp"
#include "../support/words.hpp"
#include "room.hpp"

namespace bankproof::cli {
namespace {

constexpr std::array<std::string_view, 5> machine_kinds = {"pram", "dmm", "umm", "hmm",
                                                           "async-hmm"};

std::string_view name_of(MachineKind kind) { return machine_kinds[static_cast<std::size_t>(kind)]; }

/// A list: "a, b, c".
template <class Range, class Name>
std::string listed(const Range& range, Name name) {
  std::string text;
  for (const auto& item : range) text += (text.empty() ? "" : ", ") + std::string(name(item));
  return text;
}

std::string names_of(std::span<const MachineKind> kinds) { return listed(kinds, name_of); }

template <class Range, class Name>
std::vector<std::string_view> names_of(const Range& range, Name name) {
  std::vector<std::string_view> names;
  for (const auto& item : range) names.push_back(item.*name);
  return names;
}

bool runs_on(const Variant& variant, MachineKind kind) {
  return std::ranges::find(variant.machines, kind) != variant.machines.end();
}

/// The machine parameters; those that the argument leaves out get the values of a small GPU.
MachineParameters parameters_of(const MachineArgument& argument) {
  const auto kind = static_cast<MachineKind>(std::ranges::find(machine_kinds, argument.name) -
                                             machine_kinds.begin());
  const auto require_at_most = [](std::string_view key, std::uint64_t value, std::uint64_t most) {
    if (value <= most) return;
    throw UsageError(fmt::format("--machine: {}={} is more than {}", key, value, most));
  };
  constexpr std::uint64_t most_threads = 1U << 20U;
  if (kind == MachineKind::pram) {
    const MachineParameters parameters = MachineParameters::pram(argument.threads.value_or(256));
    require_at_most("p", parameters.p, most_threads);
    return parameters;
  }
  const std::uint64_t w = argument.width.value_or(32);
  if (w > widest_warp) {
    throw UsageError(
        fmt::format("--machine: w={} is too large: machines run up to w={}", w, widest_warp));
  }
  const bool hierarchical = is_hierarchical(kind);
  const MachineParameters parameters{kind,
                                     w,
                                     argument.latency.value_or(1),
                                     argument.global_latency.value_or(hierarchical ? 400 : 1),
                                     argument.dmms.value_or(hierarchical ? 16 : 1),
                                     argument.threads.value_or(hierarchical ? 1024 : 256),
                                     argument.capacity.value_or(unlimited)};
  require_at_most("l", parameters.l, 1U << 20U);
  require_at_most("L", parameters.L, 1U << 20U);
  require_at_most("d", parameters.d, 1024);
  require_at_most("p", parameters.p, most_threads);
  return parameters;
}

const Variant& find_variant(const AlgorithmEntry& algorithm, const std::string& name,
                            std::optional<MachineKind> machine) {
  if (!name.empty()) {
    const auto found = std::ranges::find(algorithm.variants, name, &Variant::name);
    if (found == algorithm.variants.end()) {
      throw UsageError(fmt::format("{} has no variant {}{}", algorithm.name, in_quotes(name),
                                   there_are(name, names_of(algorithm.variants, &Variant::name))));
    }
    if (machine && !runs_on(*found, *machine)) {
      throw UsageError(fmt::format("{} {} does not run on {}, but on {}", algorithm.name, name,
                                   name_of(*machine), names_of(found->machines)));
    }
    return *found;
  }
  for (const Variant& variant : algorithm.variants) {
    if (!machine || runs_on(variant, *machine)) return variant;
  }
  throw UsageError(fmt::format("no variant of {} runs on {}; run {} --help tells which runs where",
                               algorithm.name, name_of(*machine), algorithm.name));
}

/// Sets one `key=value`; `given` holds the keys before it.
void set_size(const AlgorithmEntry& algorithm, Task& task, std::string_view setting,
              std::vector<std::string_view>& given) {
  const auto fail = [&](const std::string& why) {
    throw UsageError(fmt::format("--size {}: {}", in_quotes(setting), why));
  };
  const std::size_t equals = setting.find('=');
  const std::string_view name = setting.substr(0, equals);
  const auto key = std::ranges::find(algorithm.size_keys, name, &SizeKey::name);
  if (equals == std::string_view::npos) {
    const SizeKey& first = algorithm.size_keys.front();
    fail(fmt::format("expected key=value, for example {}={}", first.name, first.usual));
  }
  if (key == algorithm.size_keys.end()) {
    fail(fmt::format("{} has no size {}{}", algorithm.name, in_quotes(name),
                     there_are(name, names_of(algorithm.size_keys, &SizeKey::name))));
  }
  if (std::ranges::find(given, key->name) != given.end())
    fail(std::string(name) + " is given twice");
  given.push_back(key->name);
  const DecimalNumber number = parse_decimal(setting.substr(equals + 1));
  if (!number.value || *number.value < key->least || *number.value > key->most) {
    fail(fmt::format("{} is a number from {} to {}", name, key->least, key->most));
  }
  if (!key->is_of(task.variant)) {
    std::vector<std::string_view> owners = names_of(algorithm.variants, &Variant::name);
    std::erase_if(owners, [&](std::string_view variant) { return !key->is_of(variant); });
    fail(fmt::format("{} does not take the size {}, which is for {}", task.variant, name,
                     joined(owners)));
  }
  task.sizes.set(key->name, *number.value);
}

/// Sets the permutation, whose length becomes the size n. If none is given, sets a random
/// permutation of size n.
void set_permutation(const AlgorithmEntry& algorithm, Task& task, const std::string& specification,
                     bool is_sized) {
  const std::uint64_t n = task.sizes["n"];
  const auto require_room_for = [&](std::uint64_t elements) {
    task.sizes.set("n", elements);
    require_room(algorithm, task);
  };
  const PermutationArgument permutation =
      load_permutation(specification.empty() ? fmt::format("random:{}", n) : specification,
                       {.before_made = require_room_for});
  if (permutation.size() == 0) {
    throw UsageError("--permutation " + in_quotes(specification) + " has no elements");
  }
  if (is_sized && permutation.size() != n) {
    throw UsageError(fmt::format("--size n={}: the permutation has {}; leave n out", n,
                                 counted(permutation.size(), "element")));
  }
  const auto* const narrow = std::get_if<std::vector<std::uint32_t>>(&permutation.values);
  if (narrow == nullptr) {
    throw UsageError("--permutation " + in_quotes(specification) + " has more than 2^32 elements");
  }
  task.permutation = *narrow;
  task.sizes.set("n", narrow->size());
}

}  // namespace

const AlgorithmEntry& find_algorithm(std::string_view name) {
  const auto entries = algorithm_entries();
  const auto found = std::ranges::find(entries, name, &AlgorithmEntry::name);
  if (found != entries.end()) return *found;
  throw UsageError(
      (name.empty() ? "the algorithm is missing" : "unknown algorithm " + in_quotes(name)) +
      there_are(name, names_of(entries, &AlgorithmEntry::name)));
}

Task parse_task(const AlgorithmEntry& algorithm, const std::string& variant,
                const std::vector<std::string>& sizes, const std::string& machine,
                const std::string& permutation) {
  Task task{{}, Sizes(algorithm.size_keys), {}};
  std::optional<MachineKind> kind;
  if (!machine.empty()) {
    const MachineArgument argument = parse_machine(machine);
    require_machine(argument, machine_kinds, "run");
    task.machine = parameters_of(argument);
    kind = task.machine.machine;
  }
  const Variant& chosen = find_variant(algorithm, variant, kind);
  task.variant = chosen.name;
  if (!kind) task.machine = parameters_of(parse_machine(name_of(chosen.machines.front())));
  std::vector<std::string_view> given;
  for (const std::string& settings : sizes) {
    for (const std::string_view setting : split_at_commas(settings)) {
      set_size(algorithm, task, setting, given);
    }
  }
  if (algorithm.permutes) set_permutation(algorithm, task, permutation, !sizes.empty());
  return task;
}

void require_suitable(const AlgorithmEntry& algorithm, const Task& task) {
  const std::string refusal = algorithm.refusal(task);
  if (!refusal.empty()) {
    throw UsageError(fmt::format("{} {}: {}", algorithm.name, task.variant, refusal));
  }
}

std::string set_part_in_two_passes(Task& task, const std::string& r,
                                   const std::vector<std::string>& sizes) {
  char* end = nullptr;
  const double part = std::strtod(r.c_str(), &end);
  if (end != r.c_str() + r.size() || std::isnan(part) || part < 0 || part > 1) {
    throw UsageError("--r " + in_quotes(r) + ": expected a number from 0 to 1");
  }
  if (task.variant != "hybrid") throw UsageError("--r is of the variant hybrid");
  for (const std::string& settings : sizes) {
    for (const std::string_view setting : split_at_commas(settings)) {
      if (setting.starts_with("t="))
        throw UsageError("--r stands for the size t: give one of them");
    }
  }
  const std::uint64_t down = ceil_div(task.sizes["rows"], task.machine.w);
  const std::uint64_t across = ceil_div(task.sizes["columns"], task.machine.w);
  const std::uint64_t tiles = smaller(down, across);
  // The two triangles must not meet. In a square of tiles, r = 1 would give each triangle one
  // diagonal too many.
  const auto wanted =
      static_cast<std::uint64_t>(std::llround(std::sqrt(part) * static_cast<double>(tiles)));
  const std::uint64_t t = smaller(wanted, (down + across - 1) / 2);
  task.sizes.set("t", t);
  const double root = static_cast<double>(t) / static_cast<double>(tiles);
  return fmt::format("--r {} gives t={}, the possible value nearest to √r·{} tiles, so r is {:.4g}",
                     r, t, tiles, root * root);
}

std::string machine_text(const MachineParameters& machine) {
  if (machine.machine == MachineKind::pram) return fmt::format("pram:p={}", machine.p);
  std::string text = fmt::format("{}:w={},l={}", name_of(machine.machine), machine.w, machine.l);
  if (is_hierarchical(machine.machine)) {
    text += fmt::format(",L={},d={}", machine.L, machine.d);
  }
  text += fmt::format(",p={}", machine.p);
  if (machine.capacity != unlimited) text += fmt::format(",capacity={}", machine.capacity);
  return text;
}

std::vector<SizeKey> sizes_of(const AlgorithmEntry& algorithm, const Task& task) {
  std::vector<SizeKey> keys(algorithm.size_keys.begin(), algorithm.size_keys.end());
  std::erase_if(keys, [&](const SizeKey& key) { return !key.is_of(task.variant); });
  return keys;
}

std::string sizes_text(const AlgorithmEntry& algorithm, const Task& task) {
  return listed(sizes_of(algorithm, task), [&](const SizeKey& key) {
    return fmt::format("{}={}", key.name, task.sizes[key.name]);
  });
}

}  // namespace bankproof::cli
