// See memory_choice.hpp.
#include "memory_choice.hpp"

#include <fmt/format.h>

#include <array>

#include "../support/chip_names.hpp"
#include "../support/errors.hpp"

namespace bankproof::cli {
namespace {

constexpr std::array<std::uint32_t, 5> element_sizes = {1, 2, 4, 8, 16};

void require_element_size(std::uint64_t bytes) {
  if (!is_element_size(bytes)) {
    throw UsageError(fmt::format("--word-bytes {}: elements have 1, 2, 4, 8 or 16 bytes", bytes));
  }
}

/// Refuses threads, capacity and other keys that would silently change nothing.
void require_only_width(const MachineArgument& machine, const std::string& command) {
  if (machine.threads || machine.capacity) {
    throw UsageError(
        fmt::format("--machine {}: {} runs one thread per element and counts stages, so it accepts "
                    "only the key w (and l, which does not change the result)",
                    machine.to_string(), command));
  }
}

MemoryChoice choose_pure(const MachineArgument& machine, const MemoryOptions& options) {
  if (!options.memory.empty()) {
    throw UsageError(fmt::format("--memory {}: the {} has one memory; --memory is for chips",
                                 options.memory, machine.name));
  }
  const auto width = static_cast<Width>(machine.width.value_or(32));
  const auto bytes = static_cast<std::uint32_t>(options.element_bytes.value_or(word_bytes));
  return {machine.name, "",
          bytes,        machine.name == "umm" ? umm_rule(width, bytes) : dmm_rule(width, bytes),
          {},           {}};
}

std::string sizes_with_a_rule(const Chip& chip) {
  std::string text;
  for (const std::uint32_t bytes : element_sizes) {
    if (shared_rule(chip, bytes)) text += (text.empty() ? "" : ", ") + std::to_string(bytes);
  }
  return text;
}

std::vector<std::string> notes_of(const std::vector<Remark>& remarks) {
  std::vector<std::string> notes;
  for (const Remark& remark : remarks) {
    if (remark.evidence != Evidence::documented) notes.push_back(remark.text);
  }
  return notes;
}

MemoryChoice choose_chip(const Chip& chip, const MemoryOptions& options) {
  const std::string memory = options.memory.empty() ? "shared" : options.memory;
  const auto bytes =
      static_cast<std::uint32_t>(options.element_bytes.value_or(chip.usual_element_bytes));
  if (memory == "global") {
    const auto lines = global_rule(chip, bytes);
    if (!lines) {
      const auto known = chips_by_global_rule(true);
      throw UsageError(
          fmt::format("--memory global: no rule is known for the global memory of {}; {} {} one",
                      chip.name, joined(known), known.size() == 1 ? "has" : "have"));
    }
    return {std::string(chip.name),
            memory,
            bytes,
            *lines,
            global_rule(chip, bytes, GlobalMemoryRule::sector_bytes),
            notes_of(remarks_on_global(chip))};
  }
  const auto rule = shared_rule(chip, bytes);
  if (!rule) {
    throw UsageError(
        fmt::format("--word-bytes {}: no rule is known for such elements in the shared memory of "
                    "{}; it has one for {} bytes",
                    bytes, chip.name, sizes_with_a_rule(chip)));
  }
  return {
      std::string(chip.name), memory, bytes, *rule, {}, notes_of(remarks_on_shared(chip, bytes))};
}

}  // namespace

std::string MemoryChoice::unit() const {
  if (!is_chip()) return "stage";
  return memory == "global" ? "line" : "wavefront";
}

std::string MemoryChoice::description() const {
  std::string text = machine;
  if (is_chip()) text += " " + memory + " memory";
  if (is_chip() || element_bytes != word_bytes) {
    text += fmt::format(", {}-byte elements", element_bytes);
  }
  return text;
}

MemoryChoice choose_memory(const MemoryOptions& options) {
  MachineArgument machine = options.machine;
  require_machine(machine, and_chips({"dmm", "umm"}), options.command);
  merge_width(machine, options.width);
  require_only_width(machine, options.command);
  if (options.element_bytes) require_element_size(*options.element_bytes);
  if (const auto chip = find_chip(machine.name)) return choose_chip(*chip, options);
  return choose_pure(machine, options);
}

}  // namespace bankproof::cli
