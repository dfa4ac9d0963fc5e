// One table lists the keys of each machine; parsing, printing and all messages use the table.
#include "machine_argument.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "../../model/gpu/chip_table.hpp"
#include "../../model/units.hpp"
#include "../../text/typed.hpp"
#include "errors.hpp"
#include "words.hpp"

namespace bankproof::cli {
namespace {

using Member = std::optional<std::uint64_t> MachineArgument::*;

struct Key {
  std::string_view name;
  Member member;
};

constexpr std::array<Key, 6> keys = {{{"w", &MachineArgument::width},
                                      {"l", &MachineArgument::latency},
                                      {"L", &MachineArgument::global_latency},
                                      {"d", &MachineArgument::dmms},
                                      {"p", &MachineArgument::threads},
                                      {"capacity", &MachineArgument::capacity}}};

struct Machine {
  std::string_view name;
  std::string_view keys;         // joined by commas, in the order of the table above
  std::uint64_t only_width = 0;  // for chips; 0 for the theoretical machines
};

constexpr std::array<Machine, 5> theoretical_machines = {{{"pram", "p", 0},
                                                          {"dmm", "w,l,p,capacity", 0},
                                                          {"umm", "w,l,p,capacity", 0},
                                                          {"hmm", "w,l,L,d,p,capacity", 0},
                                                          {"async-hmm", "w,l,L,d,p,capacity", 0}}};

constexpr auto machines = [] {
  std::array<Machine, theoretical_machines.size() + chips.size()> all;
  Machine* next = std::copy(theoretical_machines.begin(), theoretical_machines.end(), all.data());
  for (const Chip& chip : chips) *next++ = {chip.name, "w", Chip::warp_width};
  return all;
}();

constexpr auto names = [] {
  std::array<std::string_view, machines.size()> result;
  for (std::size_t k = 0; k < machines.size(); ++k) result[k] = machines[k].name;
  return result;
}();

const Machine& find_machine(std::string_view name) {
  const auto found = std::find_if(machines.begin(), machines.end(),
                                  [&](const Machine& machine) { return machine.name == name; });
  if (found == machines.end()) {
    throw UsageError("unknown machine " + in_quotes(name) + there_are(name, names));
  }
  return *found;
}

bool has_key(const Machine& machine, std::string_view key) {
  const auto own = split_at_commas(machine.keys);
  return std::find(own.begin(), own.end(), key) != own.end();
}

/// The reason why a machine cannot have this width; empty if it can.
std::string width_complaint(const Machine& machine, std::uint64_t width) {
  if (width == 0) return "the width is at least 1";
  if (width > widest_access) return "widths go up to " + std::to_string(widest_access);
  if (machine.only_width != 0 && width != machine.only_width) {
    return "the width of " + std::string(machine.name) + " is " +
           std::to_string(machine.only_width);
  }
  return "";
}

/// One `key=value`.
void set_key(MachineArgument& argument, const Machine& machine, std::string_view setting,
             std::string_view whole) {
  const auto fail = [&](const std::string& why) {
    throw UsageError("bad machine " + in_quotes(whole) + ": " + why);
  };
  if (whole.ends_with(':')) fail("expected key=value after the colon");
  if (setting.empty()) fail("expected key=value before and after each comma");
  const std::size_t equals = setting.find('=');
  const std::string_view name = setting.substr(0, equals);
  const auto key =
      std::find_if(keys.begin(), keys.end(), [&](const Key& known) { return known.name == name; });
  const auto own_keys = split_at_commas(machine.keys);
  if (key == keys.end()) {
    fail("unknown key " + in_quotes(name) + "; " + std::string(machine.name) + " has " +
         joined(own_keys));
  }
  if (!has_key(machine, name)) {
    fail(std::string(machine.name) + " has no " + std::string(name) + ", only " + joined(own_keys));
  }
  if (equals == std::string_view::npos) fail("expected " + std::string(name) + "=NUMBER");
  const std::string_view text = setting.substr(equals + 1);
  const DecimalNumber number = parse_decimal(text);
  if (number.out_of_range) fail(std::string(name) + " does not fit 64 bits: " + in_quotes(text));
  if (!number.value) {
    fail(std::string(name) + " has to be a decimal number without sign, not " + in_quotes(text));
  }
  if (argument.*(key->member)) fail(std::string(name) + " is given twice");
  if (name == "w") {
    const std::string complaint = width_complaint(machine, *number.value);
    if (!complaint.empty()) fail(complaint);
  }
  if (*number.value == 0) fail(std::string(name) + " is at least 1");
  argument.*(key->member) = number.value;
}

}  // namespace

std::string MachineArgument::to_string() const {
  std::string text = name;
  char separator = ':';
  for (const Key& key : keys) {
    if (const auto& value = this->*(key.member)) {
      text += separator + std::string(key.name) + "=" + std::to_string(*value);
      separator = ',';
    }
  }
  return text;
}

std::span<const std::string_view> machine_names() { return names; }

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

MachineArgument parse_machine(std::string_view text) {
  const std::size_t colon = text.find(':');
  const Machine& machine = find_machine(text.substr(0, colon));
  MachineArgument argument;
  argument.name = machine.name;
  if (colon == std::string_view::npos) return argument;
  for (const std::string_view setting : split_at_commas(text.substr(colon + 1))) {
    set_key(argument, machine, setting, text);
  }
  return argument;
}

void merge_width(MachineArgument& machine, std::optional<std::uint64_t> width) {
  if (!width) return;
  const Machine& known = find_machine(machine.name);
  const std::string option = "--width " + std::to_string(*width);
  if (!has_key(known, "w")) throw UsageError(option + ": " + machine.name + " has no width");
  if (machine.width && *machine.width != *width) {
    throw UsageError(option + " contradicts --machine " + machine.to_string());
  }
  const std::string complaint = width_complaint(known, *width);
  if (!complaint.empty()) throw UsageError(option + ": " + complaint);
  machine.width = width;
}

void require_machine(const MachineArgument& machine, std::span<const std::string_view> usable,
                     std::string_view command) {
  if (std::find(usable.begin(), usable.end(), machine.name) != usable.end()) return;
  throw UsageError("machine " + in_quotes(machine.name) + " does not work with " +
                   std::string(command) + ", which takes " + joined(usable));
}

}  // namespace bankproof::cli
