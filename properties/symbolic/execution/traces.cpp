// The machine runs a random kernel, and the test evaluates the terms of its trace, for every thread
// and every iteration. The kernel must store where the trace says, and nowhere else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "../../../symbolic/execution/execution.hpp"
#include "../../../symbolic/execution/substitute.hpp"
#include "../../../symbolic/flow/stack.hpp"
#include "../../../symbolic/terms/evaluate.hpp"
#include "../../../testing/property.hpp"
#include "../../ptx/kernel_run.hpp"
#include "random_kernel.hpp"
#include "spilled.hpp"

namespace bankproof::symbolic {
namespace {

constexpr std::uint32_t blocks = 3;
constexpr std::uint32_t threads = 5;
/// No loop of a random kernel has more iterations.
constexpr std::uint64_t most_counted = 7;

/// Where the stores of a trace go: words of the buffer.
class Predicted {
 public:
  Predicted(Pool& pool, const ptx::Module& module, std::uint32_t n)
      : pool_(pool), execution_(pool, module, module.functions.front()), n_(n) {}

  /// Nothing if a store depends on an unknown that is no counter.
  std::optional<std::set<std::size_t>> words() {
    std::set<std::size_t> all;
    for (const Access& access : execution_.trace().accesses) {
      if (!add_words(access, all)) return std::nullopt;
    }
    return all;
  }

 private:
  bool is_counter(Term unknown) const {
    const std::string& name = pool_.name(unknown);
    return name[name.rfind(' ') == std::string::npos ? 0 : name.rfind(' ') + 1] == 'k';
  }

  bool add_words(const Access& access, std::set<std::size_t>& all) {
    const Term guard = access.guard.term(pool_);
    // The unknowns on which it depends, and the facts about them.
    std::vector<Term> counters;
    std::vector<const Fact*> facts;
    std::unordered_map<Term, bool> met;
    bool is_open = false;
    const auto see = [&](Term unknown) {
      if (execution_.inputs().scope(unknown) != Scope::thread || pool_.name(unknown) == "tid.x") {
        return;
      }
      if (is_counter(unknown)) {
        counters.push_back(unknown);
      } else {
        is_open = true;
      }
    };
    each_unknown(pool_, access.address, met, see);
    each_unknown(pool_, guard, met, see);
    for (bool more = true; more;) {
      more = false;
      for (const Fact& fact : execution_.trace().facts) {
        if (std::find(facts.begin(), facts.end(), &fact) != facts.end()) continue;
        bool concerns = false;
        std::unordered_map<Term, bool> own;
        each_unknown(pool_, fact.term, own, [&](Term unknown) {
          concerns =
              concerns || std::find(counters.begin(), counters.end(), unknown) != counters.end();
        });
        if (!concerns) continue;
        facts.push_back(&fact);
        each_unknown(pool_, of_any_thread(pool_, fact), met, see);
        more = true;
      }
    }
    if (is_open || counters.size() > 4) return false;
    for (std::uint32_t block = 0; block < blocks; ++block) {
      for (std::uint32_t thread = 0; thread < threads; ++thread) {
        at_ = {{"tid.x", thread}, {"ctaid.x", block}, {"parameter 0", 0}, {"parameter 1", n_}};
        values_.clear();
        count(access, guard, counters, facts, 0, all);
      }
    }
    return true;
  }

  std::uint64_t value(Term term) {
    Values values(pool_, [&](Term unknown) {
      const auto counted = values_.find(unknown);
      if (counted != values_.end()) return counted->second;
      const auto known = at_.find(pool_.name(unknown));
      return known == at_.end() ? 0 : known->second;
    });
    return values(term);
  }

  /// Whether all iterations before the counted ones went on, and the loops end there.
  bool can_be(const std::vector<const Fact*>& facts) {
    for (const Fact* const fact : facts) {
      const Term term = of_any_thread(pool_, *fact);
      if (value(term) == 0) return false;
      if (fact->kind != Fact::Kind::went_on || values_.count(fact->counter) == 0) continue;
      const std::uint64_t here = values_[fact->counter];
      bool holds = true;
      for (std::uint64_t k = 0; k < here && holds; ++k) {
        values_[fact->counter] = k;
        holds = value(term) != 0;
      }
      values_[fact->counter] = here;
      if (!holds) return false;
    }
    return true;
  }

  void count(const Access& access, Term guard, const std::vector<Term>& counters,
             const std::vector<const Fact*>& facts, std::size_t next, std::set<std::size_t>& all) {
    if (next < counters.size()) {
      for (std::uint64_t k = 0; k < most_counted; ++k) {
        values_[counters[next]] = k;
        count(access, guard, counters, facts, next + 1, all);
      }
    } else if (value(guard) != 0 && can_be(facts)) {
      all.insert(value(access.address) / 4);
    }
  }

  Pool& pool_;
  Execution execution_;
  std::uint32_t n_;
  std::map<std::string, std::uint64_t> at_;
  std::map<Term, std::uint64_t> values_;
};

std::set<std::size_t> written(const ptx::Module& module, std::size_t stores, std::uint32_t n) {
  ptx::KernelRun run(module, "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(words_of_store * stores));
  run.value(n);
  run.launch({blocks, 1, 1}, {threads, 1, 1});
  std::set<std::size_t> all;
  const auto words = run.data<std::uint32_t>(out);
  for (std::size_t word = 0; word < words.size(); ++word) {
    if (words[word] != 0) all.insert(word);
  }
  return all;
}

/// The trace of `followed` must say where the kernel stores.
void compare(const RandomKernel& kernel, const std::string& text, const ptx::Module& module,
             const ptx::Module& followed) {
  const auto n = *rc::gen::inRange<std::uint32_t>(0, 20);
  Pool pool;
  const auto predicted = Predicted(pool, followed, n).words();
  RC_TAG(predicted ? "told" : "open");
  if (!predicted) return;
  const auto found = written(module, kernel.stores(), n);
  std::vector<std::size_t> more;
  std::vector<std::size_t> less;
  std::set_difference(predicted->begin(), predicted->end(), found.begin(), found.end(),
                      std::back_inserter(more));
  std::set_difference(found.begin(), found.end(), predicted->begin(), predicted->end(),
                      std::back_inserter(less));
  // The trace does not know whether a thread has ended in an earlier iteration, so it may predict
  // more.
  if (less.empty() && (more.empty() || kernel.returns_in_loops())) return;
  RC_LOG() << text << "n = " << n << '\n'
           << "predicted, not written: " << ::testing::PrintToString(more)
           << "\nwritten, not predicted: " << ::testing::PrintToString(less) << '\n';
  RC_FAIL("the trace and the machine differ");
}

TEST(Traces, say_where_every_store_goes) {
  testing::check_property(
      [] {
        const RandomKernel kernel(*rc::gen::arbitrary<std::uint64_t>());
        RC_PRE(kernel.stores() > 0);
        const ptx::Module module = ptx::parse(kernel.text(), "k.ptx");
        compare(kernel, kernel.text(), module, module);
      },
      "", 2);
}

TEST(Traces, say_it_of_kernels_that_keep_registers_on_the_stack) {
  testing::check_property(
      [] {
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const RandomKernel kernel(seed);
        RC_PRE(kernel.stores() > 0);
        const std::string text = Spilled(seed).text(kernel.text());
        const ptx::Module module = ptx::parse(text, "k.ptx");
        compare(kernel, text, module, with_stack_in_registers(module, 0).value());
      },
      "", 2);
}

// A planted bug: the trace is that of another n.
TEST(Traces, are_compared_with_the_machine) {
  for (const bool is_on_stack : {false, true}) {
    int told = 0;
    int different = 0;
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
      const RandomKernel kernel(seed);
      if (kernel.stores() == 0) continue;
      ptx::Module module =
          ptx::parse(is_on_stack ? Spilled(seed).text(kernel.text()) : kernel.text(), "k.ptx");
      const auto found = written(module, kernel.stores(), 11);
      if (is_on_stack) module = with_stack_in_registers(module, 0).value();
      Pool pool;
      const auto predicted = Predicted(pool, module, 5).words();
      if (!predicted) continue;
      ++told;
      if (*predicted != found) ++different;
    }
    EXPECT_GT(told, is_on_stack ? 8 : 12);
    EXPECT_GT(different, told / 6);
  }
}

}  // namespace
}  // namespace bankproof::symbolic
