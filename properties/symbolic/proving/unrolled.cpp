// Loops that the compiler unrolls: the number of iterations that are left over decides where the
// others begin.
#include "unrolled.hpp"

#include <gtest/gtest.h>

#include <string>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

Decision decision_on_loop(const std::string& ptx, Claim claim) {
  Request request = request_for(ptx);
  request.shape.block = {256, 1, 1};
  request.where = {"arg1 >= 0", "arg1 <= 1 << 30", "gridDim.x <= 1 << 20"};
  request.buffers = {{"arg0", "u32:arg1"}};
  request.claims = {claim};
  return prove(request).decisions.front();
}

TEST(UnrolledLoops, end_below_the_size) {
  for (const Claim claim : {Claim::race, Claim::blocks, Claim::bounds, Claim::overflow}) {
    const Decision decision = decision_on_loop(unrolled_loop, claim);
    EXPECT_EQ(decision.verdict, Verdict::proved) << static_cast<int>(claim);
  }
}

// Planted bugs: an iteration more is left over, and the loop has one more element of each thread.
TEST(UnrolledLoops, with_a_wrong_number_of_iterations_are_refuted) {
  for (const std::string& text :
       {planted(unrolled_loop, "add.s32 %r11, %r10, 1;", "add.s32 %r11, %r10, 2;"),
        planted(unrolled_loop, "setp.lt.u32 %p4, %r10, 3;", "setp.lt.u32 %p4, %r10, 2;")}) {
    EXPECT_EQ(decision_on_loop(text, Claim::bounds).verdict, Verdict::refuted);
  }
}

}  // namespace
}  // namespace bankproof::symbolic
