// The grammar of machines: an accepted text comes back as typed; a refusal says how to fix it.
#include "../support/machine_argument.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "../support/chip_names.hpp"
#include "../support/errors.hpp"
#include "support.hpp"

namespace bankproof::cli {
namespace {

TEST(MachineArgument, every_name_stands_alone) {
  for (const std::string_view name : machine_names()) {
    const MachineArgument machine = parse_machine(name);
    EXPECT_EQ(machine.name, name);
    EXPECT_EQ(machine.to_string(), name);
    EXPECT_EQ(machine.width, std::nullopt);
  }
  EXPECT_EQ(machine_names().size(), 5 + chips.size());
}

TEST(MachineArgument, takes_all_keys_in_any_order) {
  const MachineArgument machine = parse_machine("hmm:capacity=12288,p=1024,d=14,L=300,l=2,w=32");
  EXPECT_EQ(machine.width, 32u);
  EXPECT_EQ(machine.latency, 2u);
  EXPECT_EQ(machine.global_latency, 300u);
  EXPECT_EQ(machine.dmms, 14u);
  EXPECT_EQ(machine.threads, 1024u);
  EXPECT_EQ(machine.capacity, 12288u);
  EXPECT_EQ(machine.to_string(), "hmm:w=32,l=2,L=300,d=14,p=1024,capacity=12288");
  EXPECT_EQ(parse_machine(machine.to_string()), machine);
  EXPECT_EQ(parse_machine("sm_90:w=32").width, 32u);
  EXPECT_EQ(parse_machine("dmm:l=18446744073709551615").latency, 18446744073709551615u);
}

TEST(MachineArgument, refuses_the_rest_and_names_the_cure) {
  const std::string known =
      "here are " + joined(and_chips({"pram", "dmm", "umm", "hmm", "async-hmm"}));
  const std::vector<Refusal> table = {
      {"", "unknown machine ''; t" + known},
      {"dnm", "unknown machine 'dnm'; did you mean 'dmm'? T" + known},
      {"sm90", "unknown machine 'sm90'; did you mean 'sm_90'? T" + known},
      {"kepler", "unknown machine 'kepler'; did you mean 'kepler-64bit'? T" + known},
      {"dmm:x=3", "bad machine 'dmm:x=3': unknown key 'x'; dmm has w, l, p and capacity"},
      {"dmm:W=3", "bad machine 'dmm:W=3': unknown key 'W'; dmm has w, l, p and capacity"},
      {"dmm:L=3", "bad machine 'dmm:L=3': dmm has no L, only w, l, p and capacity"},
      {"umm:d=3", "bad machine 'umm:d=3': umm has no d, only w, l, p and capacity"},
      {"pram:w=3", "bad machine 'pram:w=3': pram has no w, only p"},
      {"sm_90:l=3", "bad machine 'sm_90:l=3': sm_90 has no l, only w"},
      {"sm_90:w=16", "bad machine 'sm_90:w=16': the width of sm_90 is 32"},
      {"dmm:w", "bad machine 'dmm:w': expected w=NUMBER"},
      {"dmm:w=", "bad machine 'dmm:w=': w has to be a decimal number without sign, not ''"},
      {"dmm:w=-1", "bad machine 'dmm:w=-1': w has to be a decimal number without sign, not '-1'"},
      {"dmm:w=4x", "bad machine 'dmm:w=4x': w has to be a decimal number without sign, not '4x'"},
      {"dmm:w=0", "bad machine 'dmm:w=0': the width is at least 1"},
      {"dmm:w=1025", "bad machine 'dmm:w=1025': widths go up to 1024"},
      {"dmm:l=0", "bad machine 'dmm:l=0': l is at least 1"},
      {"hmm:capacity=0", "bad machine 'hmm:capacity=0': capacity is at least 1"},
      {"dmm:l=18446744073709551616",
       "bad machine 'dmm:l=18446744073709551616': l does not fit 64 bits: '18446744073709551616'"},
      {"dmm:w=4,w=4", "bad machine 'dmm:w=4,w=4': w is given twice"},
      {"dmm:", "bad machine 'dmm:': expected key=value after the colon"},
      {"dmm:w=4,", "bad machine 'dmm:w=4,': expected key=value before and after each comma"},
      {"dmm:=4", "bad machine 'dmm:=4': unknown key ''; dmm has w, l, p and capacity"},
  };
  for (const auto& refusal : table) {
    EXPECT_EQ(message_of<UsageError>([&] { parse_machine(refusal.input); }), refusal.message);
  }
}

TEST(MergeWidth, means_the_key_w) {
  MachineArgument machine = parse_machine("dmm:l=5");
  merge_width(machine, std::nullopt);
  EXPECT_EQ(machine.width, std::nullopt);
  merge_width(machine, 16);
  EXPECT_EQ(machine.to_string(), "dmm:w=16,l=5");
  merge_width(machine, 16);
  EXPECT_EQ(machine.width, 16u);
}

TEST(MergeWidth, refuses_contradictions_and_values_that_are_not_widths) {
  const auto merged = [](const std::string& text, std::uint64_t width) {
    return message_of<UsageError>([&] {
      MachineArgument machine = parse_machine(text);
      merge_width(machine, width);
    });
  };
  EXPECT_EQ(merged("dmm:w=16,l=2", 32), "--width 32 contradicts --machine dmm:w=16,l=2");
  EXPECT_EQ(merged("dmm", 0), "--width 0: the width is at least 1");
  EXPECT_EQ(merged("umm", 1025), "--width 1025: widths go up to 1024");
  EXPECT_EQ(merged("sm_90", 16), "--width 16: the width of sm_90 is 32");
  EXPECT_EQ(merged("pram", 32), "--width 32: pram has no width");
}

TEST(RequireMachine, names_the_machines_that_a_command_takes) {
  constexpr std::array<std::string_view, 3> usable = {"dmm", "umm", "sm_90"};
  EXPECT_NO_THROW(require_machine(parse_machine("umm"), usable, "check"));
  EXPECT_EQ(
      message_of<UsageError>([&] { require_machine(parse_machine("pram"), usable, "check"); }),
      "machine 'pram' does not work with check, which takes dmm, umm and sm_90");
}

RC_GTEST_PROP(MachineArgument, never_crashes_and_prints_what_it_parsed, ()) {
  const auto tail =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("wlLdp=,0123456789")));
  try {
    const MachineArgument machine = parse_machine("hmm:" + tail);
    RC_TAG("accepted");
    RC_ASSERT(parse_machine(machine.to_string()) == machine);
  } catch (const UsageError&) {
  }
}

}  // namespace
}  // namespace bankproof::cli
