// A step runs only with operands of its own type: the compiler refuses every other pairing.
#include <gtest/gtest.h>

#include <type_traits>

#include "../../../ptx/exec/barrier.hpp"
#include "../../../ptx/exec/collective.hpp"
#include "../../../ptx/exec/control.hpp"
#include "../../../ptx/exec/system.hpp"
#include "../../../ptx/memory/access.hpp"

namespace bankproof::ptx {
namespace {

struct Added {
  std::int64_t number = 0;
};
struct Other {
  std::int64_t number = 0;
};

const Op* add(WarpState& /*warp*/, const Op* op, const Added& added) { return op + added.number; }
const Op* add_untyped(WarpState& /*warp*/, const Op* op, const void* /*operands*/) { return op; }
const Op* plain(WarpState& /*warp*/, const Op* op) { return op; }

constexpr StepWith<Added> add_step = handled_by<add>;

// ---- Pairings that compile

template <class Step, class Operands>
concept Pairs =
    requires(Op op, const Step& step, const Operands& operands) { op.use(step, operands); };
template <class Step, class Operands>
concept PairsWithTemporary = requires(Op op, const Step& step) { op.use(step, Operands{}); };
template <auto handler>
concept MakesStep = requires { HandlerOf<decltype(handler)>::Step::template of<handler>(); };
template <class Operands, auto handler>
concept Handles = requires { StepWith<Operands>::template of<handler>(); };
template <class Step>
concept IsStepAlone = requires(Op op, const Step& step) { op.step = step; };

static_assert(Pairs<StepWith<Added>, Added>);
static_assert(!Pairs<StepWith<Added>, Other>);
static_assert(!Pairs<StepWith<Added>, const void*>);
static_assert(!Pairs<Step, Added>);
static_assert(!PairsWithTemporary<StepWith<Added>, Added>, "the operation would outlive it");
static_assert(MakesStep<&add>);
static_assert(!MakesStep<&add_untyped> && !MakesStep<&plain>);
static_assert(Handles<Added, &add>);
static_assert(!Handles<Other, &add>);
static_assert(!std::is_convertible_v<StepWith<Added>, StepWith<Other>>);
static_assert(IsStepAlone<Step>);
static_assert(!IsStepAlone<StepWith<Added>>, "an operation without the operands of its step");

// Steps of the machine, paired with their own operands or with the operands of similar steps.
static_assert(Pairs<decltype(branch_step), BranchOperands>);
static_assert(!Pairs<decltype(branch_step), TableOperands>);
static_assert(!Pairs<decltype(branch_step), Op> && Pairs<decltype(jump_step), Op>);
static_assert(!Pairs<decltype(fence_step), BarrierOperands>);
static_assert(!Pairs<decltype(barrier_step), CollectiveOperands>);
static_assert(!Pairs<decltype(collective_step), MemoryOperands>);
static_assert(!Pairs<decltype(step_of(Access())), CallOperands>);
static_assert(Pairs<decltype(step_of(Access())), MemoryOperands>);

// ---- Runs of steps

TEST(TypedOperands, come_to_the_handler_of_their_step) {
  const Added two{2};
  Op op;
  op.use(add_step, two);
  WarpState warp;
  EXPECT_EQ(op.step(warp, &op), &op + 2);
  EXPECT_EQ(&op.operands(add_step), &two);
  const Op copy = op;
  EXPECT_EQ(&copy.operands(add_step), &two);
}

}  // namespace
}  // namespace bankproof::ptx
