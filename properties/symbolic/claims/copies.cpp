// Copies by cp.async in random kernels: where the machine finds that a copy races, no solver may
// say that it cannot.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "../../../testing/property.hpp"
#include "race_questions.hpp"

namespace bankproof::symbolic {
namespace {

const AskedLaunch two_warps{{1, 1, 1}, {64, 1, 1}, ask_race, 1024};

/// Threads copy, commit, wait, meet at barriers, and read and write what has been copied; some of
/// it in a loop of n iterations, whose copies go to a ring of buffers. Behind it, they wait for
/// all.
class RandomCopies {
 public:
  explicit RandomCopies(std::uint64_t seed) : random_(seed) {
    line("mov.u32 %r30, 0");
    steps(below(5));
    if (below(4) != 0) loop();
    steps(below(5));
    line("cp.async.wait_all");
    line("bar.sync 0");
    steps(1 + below(2));
  }

  std::string text() const {
    return ".version 8.3\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u64 in, .param .u32 n)\n{\n"
           ".reg .pred %p<9>;\n.reg .b32 %r<60>;\n.reg .b64 %rd<9>;\n"
           ".shared .align 4 .b8 tile[4096];\n"
           "ld.param.u64 %rd1, [in];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\n"
           "mov.u32 %r3, tile;\nmad.wide.u32 %rd2, %r1, 4, %rd1;\n" +
           body_ + "ret;\n}\n";
  }

 private:
  std::uint32_t below(std::uint32_t most) { return static_cast<std::uint32_t>(random_() % most); }
  std::string number(std::uint32_t most) { return std::to_string(below(most)); }
  void line(const std::string& text) { body_ += text + ";\n"; }

  /// A word of one of the buffers, each of 64 words.
  void address() {
    switch (below(3)) {
      case 0:
        line("xor.b32 %r10, %r1, " + std::to_string(1U << below(6)));
        break;
      case 1:
        line("sub.u32 %r10, 63, %r1");
        break;
      default:
        line("mov.u32 %r10, %r1");
    }
    line("add.u32 %r11, %r30, " + number(3));
    line("rem.u32 %r12, %r11, " + std::to_string(ring_));
    line("mad.lo.u32 %r13, %r12, 64, %r10");
    line("mad.lo.u32 %r14, %r13, 4, %r3");
  }

  void steps(std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) step();
  }
  void step() {
    switch (below(9)) {
      case 0:
      case 1:
        address();
        line("cp.async.ca.shared.global [%r14], [%rd2], 4");
        if (below(4) != 0) line("cp.async.commit_group");
        break;
      case 2:
        line("cp.async.commit_group");
        break;
      case 3:
        line("cp.async.wait_group " + number(3));
        break;
      case 4:
        line("cp.async.wait_group 0");
        line("bar.sync 0");
        break;
      case 5:
        line(below(4) == 0 ? "bar.warp.sync 0xffffffff" : "bar.sync 0");
        break;
      case 6:
        address();
        line("st.shared.u32 [%r14], %r1");
        break;
      default:
        address();
        line("ld.shared.u32 %r20, [%r14]");
    }
  }

  void loop() {
    line("setp.ge.u32 %p1, %r30, %r9");
    line("@%p1 bra END");
    body_ += "LOOP:\n";
    steps(1 + below(6));
    line("add.u32 %r30, %r30, 1");
    line("setp.lt.u32 %p2, %r30, %r9");
    line("@%p2 bra LOOP");
    body_ += "END:\n";
  }

  std::mt19937_64 random_;
  std::uint32_t ring_ = 1 + below(4);
  std::string body_;
};

constexpr std::uint32_t iterations[] = {0, 1, 2, 3, 5, 9};

TEST(Copies, that_race_on_the_machine_are_not_excluded) {
  testing::check_property(
      [] {
        const RandomCopies kernel(*rc::gen::arbitrary<std::uint64_t>());
        const ptx::Module module = ptx::parse(kernel.text(), "k.ptx");
        const Questions questions(module, two_warps);
        for (const std::uint32_t n : iterations) {
          for (const Lines& race : races_of(module, two_warps, n)) {
            if (questions.may_race(race)) continue;
            RC_LOG() << kernel.text() << "n = " << n << '\n';
            RC_FAIL("lines " + std::to_string(race.first) + " and " + std::to_string(race.second) +
                    " race, and were said not to");
          }
        }
      },
      "", 15);
}

// A planted bug: the machine's kernel waits for no group.
TEST(Copies, are_compared_with_the_machine) {
  int caught = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::string text = RandomCopies(seed).text();
    const Questions questions(ptx::parse(text, "k.ptx"), two_warps);
    std::string planted = text;
    for (std::size_t at = 0; (at = planted.find("cp.async.wait", at)) != std::string::npos;) {
      planted.replace(at, planted.find(';', at) - at, "mov.u32 %r40, 0");
    }
    const std::set<Lines> races = races_of(ptx::parse(planted, "k.ptx"), two_warps, 3);
    if (std::any_of(races.begin(), races.end(),
                    [&](const Lines& race) { return !questions.may_race(race); })) {
      ++caught;
    }
  }
  EXPECT_GE(caught, 2);
}

TEST(Copies, are_proved_or_race) {
  int proved = 0;
  int faults = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomCopies kernel(seed);
    if (kernel.text().find("cp.async.ca") == std::string::npos) continue;
    const ptx::Module module = ptx::parse(kernel.text(), "k.ptx");
    const Questions questions(module, two_warps);
    const std::vector<Lines> pairs = questions.pairs();
    const bool is_proved = std::none_of(
        pairs.begin(), pairs.end(), [&](const Lines& lines) { return questions.may_race(lines); });
    const bool races =
        std::any_of(std::begin(iterations), std::end(iterations),
                    [&](std::uint32_t n) { return !races_of(module, two_warps, n).empty(); });
    EXPECT_FALSE(is_proved && races) << kernel.text();
    if (is_proved) ++proved;
    if (races) ++faults;
  }
  EXPECT_GE(proved, 2);
  EXPECT_GE(faults, 6);
}

// ---- What a copy has to be waited for

constexpr const char* begin =
    ".version 8.3\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u32 n)\n{\n"
    ".reg .pred %p<9>;\n.reg .b32 %r<60>;\n.reg .b64 %rd<9>;\n"
    ".shared .align 4 .b8 tile[4096];\n"
    "ld.param.u64 %rd1, [in];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\n"
    "mov.u32 %r3, tile;\nmad.wide.u32 %rd2, %r1, 4, %rd1;\nmad.lo.u32 %r4, %r1, 4, %r3;\n";
constexpr const char* copies = "cp.async.ca.shared.global [%r4], [%rd2], 4;\n";
constexpr const char* commits = "cp.async.commit_group;\n";
constexpr const char* waits = "cp.async.wait_group 0;\n";
constexpr const char* barrier = "bar.sync 0;\n";
constexpr const char* barrier_of_warps = "bar.warp.sync 0xffffffff;\n";

/// The word of the thread whose number differs by this bit.
std::string reads(std::uint32_t bit) {
  return "xor.b32 %r5, %r1, " + std::to_string(bit) +
         ";\nmad.lo.u32 %r6, %r5, 4, %r3;\nld.shared.u32 %r7, [%r6];\n";
}

/// Whether no race is possible, which the machine confirms; or one is, which the machine finds.
bool is_race_free(const std::string& body) {
  const ptx::Module module = ptx::parse(begin + body + "ret;\n}\n", "k.ptx");
  const Questions questions(module, two_warps);
  const std::vector<Lines> pairs = questions.pairs();
  const bool is_free = std::none_of(pairs.begin(), pairs.end(), [&](const Lines& lines) {
    return questions.may_race(lines, 5000);
  });
  EXPECT_EQ(is_free, races_of(module, two_warps, 9).empty()) << body;
  return is_free;
}

TEST(Copies, are_waited_for_before_the_barrier) {
  const std::string copy = std::string(copies) + commits;
  EXPECT_TRUE(is_race_free(copy + waits + barrier + reads(1)));
  EXPECT_TRUE(is_race_free(copy + waits + barrier + reads(32)));
  EXPECT_TRUE(is_race_free(copy + waits + reads(0)));
  EXPECT_TRUE(is_race_free(copy + waits + barrier_of_warps + reads(1)));
  EXPECT_FALSE(is_race_free(copy + reads(0)));
  EXPECT_FALSE(is_race_free(copy + barrier + reads(0)));
  EXPECT_FALSE(is_race_free(copy + barrier + waits + reads(32)));
  EXPECT_FALSE(is_race_free(copy + barrier + barrier + waits + reads(1)));
  EXPECT_FALSE(is_race_free(copy + barrier_of_warps + waits + reads(1)));
  EXPECT_FALSE(is_race_free(copy + waits + barrier_of_warps + reads(32)));
  // Nobody has committed it.
  EXPECT_FALSE(is_race_free(copies + std::string(waits) + barrier + reads(1)));
  EXPECT_TRUE(is_race_free(copies + std::string("cp.async.wait_all;\n") + barrier + reads(1)));
  // One of two groups, and two copies to one place.
  const std::string wait_for_one = "cp.async.wait_group 1;\n";
  EXPECT_FALSE(is_race_free(copy + wait_for_one + barrier + reads(1)));
  EXPECT_TRUE(is_race_free(copy + commits + wait_for_one + barrier + reads(1)));
  EXPECT_FALSE(is_race_free(copy + copy + waits));
}

/// A ring of buffers: copies for iteration k + `ahead` are begun in iteration k, behind the
/// barrier.
std::string pipeline(std::uint32_t buffers, std::uint32_t ahead, std::uint32_t groups,
                     const std::string& meet) {
  const std::string count = std::to_string(buffers);
  const auto copy_for = [&](const std::string& iteration) {
    return "rem.u32 %r11, " + iteration + ", " + count +
           ";\nmad.lo.u32 %r12, %r11, 256, %r4;\n"
           "cp.async.ca.shared.global [%r12], [%rd2], 4;\ncp.async.commit_group;\n";
  };
  std::string text = "mov.u32 %r30, 0;\n";
  for (std::uint32_t k = 0; k < ahead; ++k) {
    text += "mov.u32 %r10, " + std::to_string(k) + ";\n" + copy_for("%r10");
  }
  return text + "setp.ge.u32 %p1, %r30, %r9;\n@%p1 bra END;\nLOOP:\ncp.async.wait_group " +
         std::to_string(groups) + ";\n" + meet + "rem.u32 %r13, %r30, " + count +
         ";\nsub.u32 %r14, 63, %r1;\nmad.lo.u32 %r15, %r13, 64, %r14;\n"
         "mad.lo.u32 %r16, %r15, 4, %r3;\nld.shared.u32 %r17, [%r16];\nadd.u32 %r10, %r30, " +
         std::to_string(ahead) + ";\n" + copy_for("%r10") +
         "add.u32 %r30, %r30, 1;\nsetp.lt.u32 %p2, %r30, %r9;\n@%p2 bra LOOP;\nEND:\n" + waits;
}

TEST(Copies, of_pipelines_are_waited_for_in_time) {
  // Powers of two: another ring breaks where k + 2 wraps around.
  for (const std::uint32_t stages : {2U, 4U}) {
    EXPECT_TRUE(is_race_free(pipeline(stages, stages - 1, stages - 2, barrier)));
    EXPECT_FALSE(is_race_free(pipeline(stages, stages - 1, stages - 1, barrier)));
    EXPECT_FALSE(is_race_free(pipeline(stages, stages - 1, stages - 2, "")));
    // The buffer that other threads may still read.
    EXPECT_FALSE(is_race_free(pipeline(stages, stages, stages - 1, barrier)));
  }
}

/// A loop that is entered twice. In its second round, iteration 1 reads what the last copy of the
/// first round writes, before it waits.
std::string twice(std::uint32_t groups) {
  return "mov.u32 %r31, 0;\nROUND:\nmov.u32 %r30, 0;\nsetp.ge.u32 %p1, %r30, %r9;\n@%p1 bra END;\n"
         "LOOP:\nmad.lo.u32 %r10, %r30, 512, %r4;\nsetp.eq.u32 %p3, %r31, 1;\n"
         "setp.le.and.u32 %p4, %r30, 1, %p3;\n@%p4 ld.shared.u32 %r11, [%r10];\n"
         "cp.async.wait_group " +
         std::to_string(groups) +
         ";\nsub.u32 %r12, 1, %r31;\nmad.lo.u32 %r13, %r12, 512, %r4;\n"
         "cp.async.ca.shared.global [%r13], [%rd2], 4;\ncp.async.commit_group;\n"
         "add.u32 %r30, %r30, 1;\nsetp.lt.u32 %p2, %r30, %r9;\n@%p2 bra LOOP;\nEND:\n"
         "add.u32 %r31, %r31, 1;\nsetp.lt.u32 %p5, %r31, 2;\n@%p5 bra ROUND;\n" +
         waits;
}

TEST(Copies, of_an_earlier_round_are_still_under_way) { EXPECT_FALSE(is_race_free(twice(1))); }

}  // namespace
}  // namespace bankproof::symbolic
