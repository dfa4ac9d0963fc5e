// Planted bugs: each rule left out. The laws must catch each of them in every run.
#include "../../../testing/canary.hpp"
#include "late_execution.hpp"

namespace bankproof::cuda::tests {
namespace {

using bankproof::testing::caught;

template <Rule missing>
class OrderWithout : public Order {
  bool holds(Rule rule) const override { return rule != missing; }
};

template <Rule... rules>
void each_is_caught() {
  const auto is_caught = [](Rule rule, const ::testing::AssertionResult& result) {
    EXPECT_TRUE(result) << "rule " << static_cast<int>(rule);
  };
  (is_caught(rules, caught(&order_is_that_of_the_graph<OrderWithout<rules>>)), ...);
}

TEST(Canary, an_order_without_one_of_its_rules_is_caught) {
  each_is_caught<Rule::host_order, Rule::stream_order, Rule::host_knowledge, Rule::creation,
                 Rule::legacy_waits, Rule::legacy_is_waited_for, Rule::event_wait,
                 Rule::event_synchronization, Rule::stream_synchronization,
                 Rule::device_synchronization, Rule::edge, Rule::join, Rule::passing>();
}

/// Gives timelines of destroyed streams to operations that do not know them.
class ReusesTimelines : public Order {
  bool may_follow(const Clock&, Name) const override { return true; }
};

TEST(Canary, an_order_that_uses_timelines_again_too_early_is_caught) {
  EXPECT_TRUE(caught(&order_is_that_of_the_graph<ReusesTimelines>));
}

/// Takes what one thread knows for what all know.
struct OneKnowsForAll : Order {
  Clock known_to_all() { return known(main_thread); }
};

/// Forgets a write when a later operation reads.
class ReadsCoverWrites : public AccessHistory {
  bool covers(const Operation& operation, AccessKind, const Access& earlier) const override {
    return AccessHistory::covers(operation, AccessKind::write, earlier);
  }
};

/// Forgets accesses that are not ordered with the new one.
class CoversUnordered : public AccessHistory {
  bool covers(const Operation&, AccessKind kind, const Access& earlier) const override {
    return kind == AccessKind::write || kind == earlier.kind;
  }
};

class OnlyWritesConflict : public AccessHistory {
  bool conflicts(const Access& earlier, const Operation& operation,
                 AccessKind kind) const override {
    return earlier.kind == AccessKind::write && AccessHistory::conflicts(earlier, operation, kind);
  }
};

class EverythingConflicts : public AccessHistory {
  bool conflicts(const Access& earlier, const Operation& operation,
                 AccessKind kind) const override {
    return (kind != earlier.kind || kind == AccessKind::write) &&
           earlier.operation != operation.name;
  }
};

TEST(Canary, a_history_that_forgets_or_invents_races_is_caught) {
  EXPECT_TRUE(caught(&conflicts_are_those_of_brute_force<ReadsCoverWrites, Order>));
  EXPECT_TRUE(caught(&conflicts_are_those_of_brute_force<CoversUnordered, Order>));
  EXPECT_TRUE(caught(&conflicts_are_those_of_brute_force<OnlyWritesConflict, Order>));
  EXPECT_TRUE(caught(&conflicts_are_those_of_brute_force<EverythingConflicts, Order>));
  EXPECT_TRUE(caught(&conflicts_are_those_of_brute_force<AccessHistory, OneKnowsForAll>));
}

class WaitsForNothing : public PendingOperations {
  using PendingOperations::PendingOperations;
  bool waits_for(const Operation&, Name) const override { return false; }
};

/// Executes an operation before those of other streams that it waits for.
class WaitsForItsTimelineOnly : public PendingOperations {
  using PendingOperations::PendingOperations;
  bool waits_for(const Operation& operation, Name earlier) const override {
    return earlier.timeline == operation.name.timeline;
  }
};

/// Also forgets what pending operations do not know.
class ForgetsThePending : public PendingOperations {
 public:
  using PendingOperations::PendingOperations;
  static Clock known_to_all(Clock known_to_later) { return known_to_later; }
};

TEST(Canary, a_queue_that_ignores_the_order_is_caught) {
  EXPECT_TRUE(caught(&executions_respect_the_order<WaitsForNothing, AccessHistory>));
  EXPECT_TRUE(caught(&executions_respect_the_order<WaitsForItsTimelineOnly, AccessHistory>));
  EXPECT_TRUE(caught(&executions_respect_the_order<ForgetsThePending, AccessHistory>));
}

TEST(Canary, the_rules_of_the_order_themselves_are_not_caught) {
  EXPECT_FALSE(caught(&order_is_that_of_the_graph<Order>));
  EXPECT_FALSE(caught(&conflicts_are_those_of_brute_force<AccessHistory, Order>));
  EXPECT_FALSE(caught(&executions_respect_the_order<PendingOperations, AccessHistory>));
}

}  // namespace
}  // namespace bankproof::cuda::tests
