// `prove` gives a layout on its command line the same verdict as loops over all threads. It gives a
// permutation the same verdict as `check` gives the list of the permutation's numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../properties/proofs/formulas/agreement.hpp"
#include "../../testing/canary.hpp"
#include "../../testing/property.hpp"
#include "../check.hpp"
#include "../prove.hpp"
#include "support.hpp"

namespace bankproof::cli {
namespace {

using formulas::Asked;
using formulas::Drawn;
using formulas::PlainAnswer;
using formulas::Question;

/// The options of a machine and its elements.
std::vector<std::string> machine_options(const formulas::RuleCase& rule) {
  std::vector<std::string> all = {"--machine",    rule.machine,
                                  "--width",      std::to_string(rule.width),
                                  "--word-bytes", std::to_string(rule.bytes)};
  if (rule.global) all.insert(all.end(), {"--memory", "global"});
  return all;
}

/// Runs a command that writes its report to `report`; returns the exit code.
int run(std::vector<std::string> arguments, const std::string& report) {
  arguments.insert(arguments.end(), {"--format", "json", "--output", report});
  int exit_code = 0;
  CLI::App app("bankproof");
  add_prove(app, exit_code);
  add_check(app, exit_code);
  std::reverse(arguments.begin(), arguments.end());
  app.parse(std::move(arguments));
  return exit_code;
}

/// The value of a member of a report, as text.
std::string member(const std::string& report, const std::string& name) {
  std::ifstream file(report);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string key = "\"" + name + "\": ";
  const std::size_t at = text.find(key);
  RC_ASSERT(at != std::string::npos);
  const std::size_t begin = at + key.size();
  return text.substr(begin, text.find_first_of(",\n", begin) - begin);
}

/// The expression in C; the suffix u allows numbers from 2^31 on.
std::string text_of(const Drawn& drawn) {
  return formulas::Writer({"i", "j"}, "{}u")(drawn.expression);
}

/// The command line as people would type it: P and the source are expressions; --let names the
/// destination's expression.
std::vector<std::string> typed(const Asked& asked, const Question& question) {
  std::vector<std::string> all = {"prove", "--size", std::to_string(asked.size), "--max-stages",
                                  std::to_string(asked.max_stages)};
  const auto machine = machine_options(asked.rule);
  all.insert(all.end(), machine.begin(), machine.end());
  if (asked.accesses.size() == 1) {
    all.insert(all.end(), {"--address", text_of(asked.accesses[0])});
    if (question.accesses[0].formula.uses_input(1)) {
      all.insert(all.end(), {"--for", fmt::format("j={}..{}", asked.first, asked.last)});
    }
    return all;
  }
  all.insert(all.end(), {"--source", text_of(asked.accesses[0]), "--let",
                         "d=" + text_of(asked.accesses[1]), "--destination", "d"});
  if (asked.permutation) all.insert(all.end(), {"--permutation", text_of(*asked.permutation)});
  return all;
}

/// The first property that does not hold, which the report must name; empty if all hold.
std::optional<std::string> what_fails(const Asked& asked) {
  const Question question = asked.question();
  const PlainAnswer plain(asked);
  for (const formulas::Property& property : properties_of(question)) {
    if (!plain.holds(property)) return property.name(question);
  }
  return std::nullopt;
}

/// `change` changes the command line, as a bug would.
template <class Change>
void prove_says_what_is_so(const Asked& asked, Change change) {
  const TemporaryFolder folder;
  const std::string report = folder / "report";
  std::vector<std::string> arguments = typed(asked, asked.question());
  change(arguments);
  const int exit_code = run(arguments, report);
  const std::optional<std::string> failing = what_fails(asked);
  RC_ASSERT(exit_code == (failing ? 1 : 0));
  RC_ASSERT(member(report, "verdict") == (failing ? "\"refuted\"" : "\"proved\""));
  RC_ASSERT(member(report, "property") == (failing ? '"' + *failing + '"' : "null"));
}
constexpr auto as_typed = [](const std::vector<std::string>&) {};

TEST(ProveAgrees, with_loops_over_all_threads) {
  testing::check_property([](const Asked& asked) { prove_says_what_is_so(asked, as_typed); }, "",
                          4);
}

/// The values of a formula of i, one a line; empty if they are not a permutation.
std::optional<std::string> permutation_of(const Drawn& access, std::uint64_t size) {
  std::string list;
  std::set<std::uint32_t> met;
  const formulas::Formula formula({{"i"}, {}}, {text_of(access), access.expression});
  for (std::uint32_t i = 0; i < size; ++i) {
    const formulas::Outcome outcome = formula(std::array{i});
    const bool is_place = outcome.is_defined() && outcome.value < size;
    if (!is_place || !met.insert(outcome.value).second) return std::nullopt;
    list += std::to_string(outcome.value) + "\n";
  }
  return list;
}

/// `prove` and `check` must agree on each access whose values are a permutation.
template <class Change>
void check_says_what_prove_does(const Asked& asked, Change change) {
  RC_PRE(asked.accesses.size() == 2);
  const TemporaryFolder folder;
  const std::string report = folder / "report";
  for (const Drawn& access : asked.accesses) {
    const auto list = permutation_of(access, asked.size);
    if (!list) continue;
    std::vector<std::string> prove = {"prove", "--size", std::to_string(asked.size),
                                      "--destination", text_of(access)};
    std::vector<std::string> check = {"check", folder.file("list", *list), "--access",
                                      "destination"};
    for (std::vector<std::string>* const command : {&prove, &check}) {
      const auto machine = machine_options(asked.rule);
      command->insert(command->end(), machine.begin(), machine.end());
      command->insert(command->end(), {"--max-stages", std::to_string(asked.max_stages)});
    }
    change(prove);
    RC_ASSERT(run(prove, report) == run(check, report));
  }
}

TEST(ProveAgrees, with_check_of_the_numbers_of_a_permutation) {
  testing::check_property([](const Asked& asked) { check_says_what_prove_does(asked, as_typed); },
                          "", 4);
}

/// A change that replaces the word after an option.
auto changing(std::string option, std::string value) {
  return
      [option = std::move(option), value = std::move(value)](std::vector<std::string>& arguments) {
        const auto at = std::find(arguments.begin(), arguments.end(), option);
        if (at != arguments.end()) *(at + 1) = value;
      };
}

/// A case that RapidCheck does not shrink: a canary fails, and shrinking would run it many times.
Asked any_asked() { return *rc::gen::noShrink(rc::gen::arbitrary<Asked>()); }

TEST(Canary, options_of_prove_that_do_not_arrive_are_caught) {
  using testing::caught;
  for (const auto& [option, value] :
       std::vector<std::pair<std::string, std::string>>{{"--max-stages", "7"},
                                                        {"--size", "1"},
                                                        {"--source", "i"},
                                                        {"--permutation", "i"},
                                                        {"--word-bytes", "4"}}) {
    const auto change = changing(option, value);
    EXPECT_TRUE(caught([&] { prove_says_what_is_so(any_asked(), change); })) << option;
  }
  const auto change = changing("--destination", "i");
  EXPECT_TRUE(caught([&] { check_says_what_prove_does(any_asked(), change); }));
}

}  // namespace
}  // namespace bankproof::cli
