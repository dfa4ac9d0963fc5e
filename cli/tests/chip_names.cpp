// Every chip of the table has its name in all options, helps and messages that list chips.
#include "../support/chip_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <array>
#include <string>

#include "../check.hpp"
#include "../kernel.hpp"
#include "../kernel/options.hpp"
#include "../prove.hpp"
#include "../report/memory_choice.hpp"
#include "../support/errors.hpp"
#include "support.hpp"

namespace bankproof::cli {
namespace {

using ::testing::HasSubstr;

/// sm_90 with another name, and with `usual_bytes` as the size of an element when no option gives
/// that size.
Chip made_up(std::string_view name, std::uint32_t usual_bytes, bool has_global_rule) {
  Chip chip = *find_chip("sm_90");
  chip.name = name;
  chip.usual_element_bytes = usual_bytes;
  if (!has_global_rule) chip.global_sources = {};
  return chip;
}

TEST(ChipNames, follow_the_rows) {
  const std::array rows = {made_up("wide", 8, false), made_up("plain", 4, true),
                           made_up("narrow", 2, false)};
  EXPECT_EQ(joined(and_chips({"dmm", "umm"}, rows), " or "), "dmm, umm, wide, plain or narrow");
  EXPECT_EQ(chips_for_kernels(rows), "plain, wide, narrow");
  EXPECT_EQ(help_on_element_bytes(rows),
            "Bytes of an element: 1, 2, 4, 8 or 16 [4; wide: 8; narrow: 2]");
}

/// The descriptions of an option in the commands that name chips.
std::vector<std::string> helps_on(const std::string& option) {
  int exit_code = 0;
  CLI::App app("bankproof");
  add_check(app, exit_code);
  add_prove(app, exit_code);
  add_kernel(app, exit_code);
  std::vector<std::string> helps;
  for (CLI::App* const command : app.get_subcommands({})) {
    if (const auto* found = command->get_option_no_throw(option)) {
      helps.push_back(found->get_description());
    }
  }
  return helps;
}

TEST(ChipNames, are_in_the_help_of_each_command_that_takes_chips) {
  const auto helps = helps_on("--machine");
  EXPECT_EQ(helps.size(), 3U);
  for (const std::string& help : helps) {
    for (const Chip& chip : chips) EXPECT_THAT(help, HasSubstr(std::string(chip.name)));
  }
  for (const std::string& help : helps_on("--word-bytes")) EXPECT_EQ(help, help_on_element_bytes());
}

MemoryOptions options_of(std::string_view machine, const std::string& memory = "") {
  MemoryOptions options;
  options.machine = parse_machine(machine);
  options.memory = memory;
  return options;
}

TEST(ChipNames, are_accepted_by_each_command_that_takes_chips) {
  for (const Chip& chip : chips) {
    const std::string name(chip.name);
    SCOPED_TRACE(name);
    MachineArgument machine = parse_machine(name + ":w=32");
    EXPECT_EQ(machine.name, chip.name);
    EXPECT_THROW(merge_width(machine, 16), UsageError);
    const MemoryChoice choice = choose_memory(options_of(name));
    EXPECT_EQ(choice.element_bytes, chip.usual_element_bytes);
    EXPECT_THAT(choice.description(), HasSubstr(name + " shared memory"));
    EXPECT_EQ(session_options(name, "", "").machine, name);
  }
}

TEST(ChipNames, are_in_the_message_about_a_global_memory_without_a_rule) {
  const auto known = chips_by_global_rule(true);
  for (const std::string_view name : chips_by_global_rule(false)) {
    const std::string message =
        message_of<UsageError>([&] { choose_memory(options_of(name, "global")); });
    for (const std::string_view other : known) EXPECT_THAT(message, HasSubstr(std::string(other)));
  }
}

}  // namespace
}  // namespace bankproof::cli
