// Random control flow gives the results of the plain reference, thread by thread, and executes each
// instruction with the same number of threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "../../../testing/property.hpp"
#include "../kernel_run.hpp"
#include "../support.hpp"
#include "random_kernel.hpp"
#include "reference/interpreter.hpp"

namespace bankproof::ptx {
namespace {

using Choices = std::vector<std::uint8_t>;

constexpr std::uint32_t blocks = 2;

struct Compared {
  bool stuck = false;
  bool diverged = false;  // some threads executed an instruction that others did not
};

// The machine runs `text`, and the reference runs `text_of_reference`. The two texts differ only in
// the test of this comparison.
Compared compare(const std::string& text, std::uint32_t threads,
                 const std::string& text_of_reference) {
  const Module module = parse(text_of_reference, "k.ptx");
  std::vector<std::uint32_t> expected(blocks * threads);
  const std::uint64_t address = buffer_address(0);
  const reference::Buffer buffer{address, std::as_writable_bytes(std::span(expected))};
  const auto reference =
      reference::interpret(module, "k", {blocks, 1, 1}, {threads, 1, 1},
                           std::as_bytes(std::span(&address, 1)), std::span(&buffer, 1));
  KernelRun run(text, "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(blocks * threads));
  const LaunchResult& result = run.launch({blocks, 1, 1}, {threads, 1, 1});
  bool waits_in_vain = false;
  bool inactive_lane = false;
  for (const FaultKind kind : run.faults()) {
    (kind == FaultKind::inactive_lane ? inactive_lane : waits_in_vain) = true;
  }
  RC_ASSERT(waits_in_vain == reference.stuck);
  Compared compared{.stuck = reference.stuck};
  if (reference.stuck) return compared;
  RC_ASSERT(inactive_lane == reference.inactive_lane);
  RC_ASSERT(run.data<std::uint32_t>(out) == expected);
  std::set<std::pair<std::size_t, std::size_t>> seen;
  const std::vector<Site>& sites = run.program().sites;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    const std::pair<std::size_t, std::size_t> at{sites[s].function, sites[s].statement};
    const Statement& statement = module.functions[at.first].body[at.second];
    if (!std::holds_alternative<Instruction>(statement) || !seen.insert(at).second) continue;
    const auto found = reference.executions.find(at);
    const std::uint64_t threads_there = found == reference.executions.end() ? 0 : found->second;
    RC_ASSERT(result.lanes[s] == threads_there);
    RC_ASSERT(result.visits[s] * warp_lanes >= result.lanes[s]);
    compared.diverged = compared.diverged || result.lanes[s] % (blocks * threads) != 0;
  }
  return compared;
}

Compared compare(const std::string& text, std::uint32_t threads) {
  return compare(text, threads, text);
}

struct Tried {
  std::size_t all = 0;
  std::size_t stuck = 0;
  std::size_t diverged = 0;

  void add(const Compared& compared) {
    ++all;
    stuck += compared.stuck ? 1U : 0U;
    diverged += compared.diverged ? 1U : 0U;
  }
};

/// Compiling a large kernel takes far longer than running it. So kernels that are compiled are
/// mostly small, every fifth one is not.
std::size_t most_choices() {
  static std::uint64_t compiled = 0;
  return CompiledTurns::is_next() && ++compiled % 5 != 0 ? 100 : 400;
}

Choices random_choices(std::size_t most) {
  return *rc::gen::resize(static_cast<int>(most),
                          rc::gen::container<Choices>(rc::gen::arbitrary<std::uint8_t>()));
}

// Compares the machine with the reference on random kernels. Enough of these kernels must have the
// tested features. By default the last warp is partial.
template <class Kernel>
void check_kernels(const Kernel& kernel, const KernelFeatures& features, bool may_be_stuck,
                   std::uint32_t threads = 70) {
  Tried tried;
  bankproof::testing::check_property(
      [&] { tried.add(compare(kernel(random_choices(most_choices()), features), threads)); });
  if (::testing::Test::HasFailure()) return;
  EXPECT_GT(tried.diverged, tried.all / 4);
  if (may_be_stuck) {
    EXPECT_LT(tried.stuck, 3 * tried.all / 4);
  } else {
    EXPECT_EQ(tried.stuck, 0U);
  }
}

TEST(ControlFlow, gives_the_results_of_the_reference_if_structured) {
  check_kernels(structured_kernel, {true, true, false, true}, false);
}
TEST(ControlFlow, gives_the_results_of_the_reference_with_collectives) {
  check_kernels(structured_kernel, {true, true, true, true}, true);
}
TEST(ControlFlow, gives_the_results_of_the_reference_with_shuffles) {
  // A shuffle may only read lanes that exist, so the last warp is full.
  check_kernels(structured_kernel, {false, false, true, true}, true, 64);
}
TEST(ControlFlow, gives_the_results_of_the_reference_if_tangled) {
  check_kernels(tangled_kernel, {true, true, false, false}, false);
}
TEST(ControlFlow, gives_the_results_of_the_reference_if_tangled_with_collectives) {
  check_kernels(tangled_kernel, {true, false, true, false}, true);
}

// The planted bugs: a branch with the wrong condition, a wrong result, and an instruction that is
// executed once too often.
TEST(ControlFlow, shows_planted_bugs) {
  const std::string right =
      structured_kernel({3, 1, 2, 1, 1, 0, 3, 7, 2, 5, 1, 4}, {true, true, false, true});
  EXPECT_NO_THROW(compare(right, 70));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string wrong = right;
    wrong.replace(wrong.rfind(from), from.size(), to);
    return wrong;
  };
  EXPECT_ANY_THROW(compare(right, 70, with("@%p1 bra", "@!%p1 bra")));
  EXPECT_ANY_THROW(compare(right, 70, with("1664525", "1664527")));
  EXPECT_ANY_THROW(compare(with("ret;", "@%p1 ret; ret;"), 70, with("ret;", "@!%p1 ret; ret;")));
}

TEST(ControlFlow, reference_keeps_the_variables_of_a_thread_apart) {
  const std::string text = structured_kernel(Choices{3, 8, 1, 8, 0, 8, 1}, {});
  ASSERT_NE(text.find("ld.local"), std::string::npos);
  EXPECT_NO_THROW(compare(text, 70));
  std::string wrong = text;
  const std::string first = "st.local.u32 [mine+12], %r5";
  wrong.replace(wrong.find(first), first.size(), "st.local.u32 [mine+12], %r6");
  EXPECT_ANY_THROW(compare(text, 70, wrong));
}

TEST(ControlFlow, gives_the_results_of_the_reference_in_golden_kernels) {
  for (const int limit : {3, 1000}) {
    const Module module = golden("divergence.ptx");
    std::vector<std::uint32_t> in(128);
    for (std::uint32_t i = 0; i < 128; ++i) in[i] = i * 29 % 64;
    std::vector<std::uint32_t> out(130);
    KernelRun run(module, "_Z10divergencePKjPji");
    run.buffer(in);
    run.buffer(out);
    run.value(limit);
    const LaunchResult& result = run.launch({2, 1, 1}, {64, 1, 1});
    std::vector<std::byte> parameters(20);
    const std::array<std::uint64_t, 2> addresses{buffer_address(0), buffer_address(1)};
    std::memcpy(parameters.data(), addresses.data(), 16);
    std::memcpy(parameters.data() + 16, &limit, 4);
    const std::array<reference::Buffer, 2> buffers{
        {{addresses[0], std::as_writable_bytes(std::span(in))},
         {addresses[1], std::as_writable_bytes(std::span(out))}}};
    const auto reference = reference::interpret(module, "_Z10divergencePKjPji", {2, 1, 1},
                                                {64, 1, 1}, parameters, buffers);
    std::uint64_t instructions = 0;
    for (const auto& [at, count] : reference.executions) instructions += count;
    EXPECT_EQ(result.thread_instructions, instructions);
  }
}

}  // namespace
}  // namespace bankproof::ptx
