// Where the machine finds that a random kernel reads shared memory that nobody has written, no
// solver may say that all of it is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "../../../symbolic/claims/question.hpp"
#include "../../../symbolic/solving/decide.hpp"
#include "../../../testing/property.hpp"
#include "../../ptx/kernel_run.hpp"

namespace bankproof::symbolic {
namespace {

constexpr std::uint32_t threads = 16;
/// Two warps: the machine runs one up to a barrier before it runs the other.
constexpr std::uint32_t threads_in_turns = 64;

/// Threads write words of an array, in a loop or not, and read some after a barrier, or without
/// one. Or one thread writes a word in a loop with two ends, or behind it, and all read this word.
/// Or threads write one half of the array in each turn of a loop, and read the other one.
class RandomTile {
 public:
  enum class Writers : std::uint8_t { many, one, in_turns };

  RandomTile(std::uint64_t seed, Writers writers) : random_(seed) {
    if (writers == Writers::one) {
      write_by_one();
      return;
    }
    if (writers == Writers::in_turns) {
      write_in_turns();
      return;
    }
    const std::uint32_t writes = 1 + below(2);
    for (std::uint32_t w = 0; w < writes; ++w) write(w);
    if (below(5) != 0) line(below(3) == 0 ? "bar.warp.sync 0xffffffff" : "bar.sync 0");
    index("%r20");
    if (below(4) == 0) line("min.u32 %r20, %r20, %r9");
    line("mad.lo.u32 %r21, %r20, 4, %r3");
    line("mov.u32 %r22, 0");
    if (below(3) == 0) {
      line("setp.lt.u32 %p1, %r1, " + number(17));
      line("@%p1 ld.shared.u32 %r22, [%r21]");
    } else {
      line("ld.shared.u32 %r22, [%r21]");
    }
    // The machine reports what is used.
    line("mad.wide.u32 %rd2, %r1, 4, %rd1");
    line("st.global.u32 [%rd2], %r22");
  }

  std::string text() const {
    return ".version 8.3\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
           ".reg .pred %p<9>;\n.reg .b32 %r<60>;\n.reg .b64 %rd<9>;\n"
           ".shared .align 4 .b8 tile[1024];\n"
           "ld.param.u64 %rd1, [out];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, "
           "%ntid.x;\n"
           "mov.u32 %r3, tile;\n" +
           body_ + "ret;\n}\n";
  }

 private:
  std::uint32_t below(std::uint32_t most) { return static_cast<std::uint32_t>(random_() % most); }
  std::string number(std::uint32_t most) { return std::to_string(below(most)); }
  void line(const std::string& text) { body_ += text + ";\n"; }

  void index(const std::string& to) {
    switch (below(6)) {
      case 0:
        line("sub.u32 " + to + ", " + std::to_string(threads - 1) + ", %r1");
        break;
      case 1:
        line("xor.b32 " + to + ", %r1, " + number(threads));
        break;
      case 2:
        line("add.u32 " + to + ", %r1, " + number(4));
        break;
      case 3:
        line("shr.u32 " + to + ", %r1, " + number(3));
        break;
      case 4:
        line("mul.lo.u32 " + to + ", %r1, " + std::to_string(1 + below(3)));
        break;
      default:
        line("mov.u32 " + to + ", %r1");
        break;
    }
  }

  void write(std::uint32_t w) {
    index("%r10");
    const std::string name = "L" + std::to_string(w);
    switch (below(4)) {
      case 0:  // some threads
        line("setp.lt.u32 %p1, %r1, " + number(18));
        line("mad.lo.u32 %r11, %r10, 4, %r3");
        line("@%p1 st.shared.u32 [%r11], %r1");
        break;
      case 1:  // in strides of the block, up to n
        line("mov.u32 %r12, %r1");
        line("setp.ge.u32 %p2, %r12, %r9");
        line("@%p2 bra E" + name);
        body_ += name + ":\n";
        line("mad.lo.u32 %r11, %r12, 4, %r3");
        line("st.shared.u32 [%r11], %r1");
        line("add.u32 %r12, %r12, %r2");
        line("setp.lt.u32 %p3, %r12, %r9");
        line("@%p3 bra " + name);
        body_ += "E" + name + ":\n";
        break;
      default:
        line("mad.lo.u32 %r11, %r10, 4, %r3");
        line("st.shared.u32 [%r11" + std::string(below(3) == 0 ? "+64" : "") + "], %r1");
        break;
    }
  }

  void write_by_one() {
    const auto perhaps = [&](std::uint32_t most) {
      if (below(most) == 0) line("st.shared.u32 [tile], %r1");
    };
    line("setp.ne.u32 %p4, %r1, " + number(threads));
    line("@%p4 bra DONE");
    line("mov.u32 %r12, %r9");
    body_ += "LOOP:\n";
    line("add.s32 %r12, %r12, -1");
    line("setp.lt.s32 %p2, %r12, 0");
    line("@%p2 bra ENDED");
    line("and.b32 %r13, %r12, 15");
    line("mad.wide.u32 %rd3, %r13, 4, %rd1");
    line("ld.global.u32 %r14, [%rd3]");
    line("setp.eq.u32 %p3, %r14, " + number(2));
    line("@%p3 bra FOUND");
    perhaps(8);
    line("bra LOOP");
    body_ += "FOUND:\n";
    perhaps(2);
    line("bra OUT");
    body_ += "ENDED:\n";
    perhaps(2);
    body_ += "OUT:\n";
    perhaps(4);
    body_ += "DONE:\n";
    if (below(8) != 0) line("bar.sync 0");
    line("ld.shared.u32 %r22, [tile]");
    line("mad.wide.u32 %rd2, %r1, 4, %rd1");
    line("st.global.u32 [%rd2], %r22");
  }

  /// The address of an element of the half in %r13: the thread's own, or one of another warp.
  void address_in_half(const std::string& to, bool is_own) {
    line(is_own ? "mov.u32 " + to + ", %r1"
                : "sub.u32 " + to + ", " + std::to_string(threads_in_turns - 1) + ", %r1");
    line("mad.lo.u32 " + to + ", %r13, " + std::to_string(threads_in_turns) + ", " + to);
    line("mad.lo.u32 " + to + ", " + to + ", 4, %r3");
  }

  /// All is written before it is read, or one thing is wrong.
  void write_in_turns() {
    enum Wrong { begin, begin_half, begin_barrier, end_barrier, half, condition, most = 9 };
    const std::uint32_t wrong = below(Wrong::most);
    const bool asks_first = below(2) == 0;
    line("mov.u32 %r13, " + std::to_string(wrong == Wrong::begin_half ? 1 : 0));
    address_in_half("%r10", true);
    if (wrong != Wrong::begin) line("st.shared.u32 [%r10], %r1");
    if (wrong != Wrong::begin_barrier) line("bar.sync 0");
    line("mov.u32 %r12, 0");
    line("mov.u32 %r22, 0");
    body_ += "LOOP:\n";
    line("setp.ge.u32 %p1, %r12, %r9");
    if (asks_first) line("@%p1 bra DONE");
    line("add.u32 %r15, %r12, 1");
    line("setp.lt.u32 %p2, %r15, " + std::string(wrong == Wrong::condition ? "5"
                                                 : asks_first              ? "%r9"
                                                                           : "0xffffffff"));
    line("add.u32 %r13, %r12, " + std::to_string(wrong == Wrong::half ? below(4) : 1));
    line("and.b32 %r13, %r13, 1");
    address_in_half("%r10", true);
    line("@%p2 st.shared.u32 [%r10], %r1");
    line("and.b32 %r13, %r12, 1");
    address_in_half("%r20", below(3) == 0);
    line("ld.shared.u32 %r21, [%r20]");
    line("add.u32 %r22, %r22, %r21");
    if (wrong != Wrong::end_barrier) line("bar.sync 0");
    line("add.u32 %r12, %r12, 1");
    line("setp.lt.u32 %p3, %r12, %r9");
    line((asks_first ? "" : "@%p3 ") + std::string("bra LOOP"));
    body_ += "DONE:\n";
    line("mad.wide.u32 %rd2, %r1, 4, %rd1");
    line("st.global.u32 [%rd2], %r22");
  }

  std::mt19937_64 random_;
  std::string body_;
};

bool is_surely_written(const ptx::Module& module, std::optional<std::uint32_t> block) {
  Shape shape;
  if (block) shape.block = {*block, 1, 1};
  Pool pool;
  Execution execution(pool, module, module.functions.front(), shape);
  Subject subject{pool, execution};
  const Asked asked = ask_initialized(subject);
  const Effort little{.integers_ms = 50, .bits_ms = 100};
  return asked.subjects != 0 &&
         std::all_of(asked.questions.begin(), asked.questions.end(), [&](const Question& question) {
           return question.unasked == Unasked::no &&
                  decide(pool, question.ways.at(0).at(0).statements.asked, little).kind ==
                      Decided::Kind::never;
         });
}

bool shows_fault(const ptx::Module& module, std::uint32_t n, std::uint32_t block) {
  ptx::KernelRun run(module, "k");
  run.buffer(std::vector<std::uint32_t>(block));
  run.value(n);
  run.launch({1, 1, 1}, {block, 1, 1});
  const auto faults = run.faults();
  return std::find(faults.begin(), faults.end(), ptx::FaultKind::uninitialized) != faults.end();
}

std::uint32_t threads_of(RandomTile::Writers writers) {
  return writers == RandomTile::Writers::in_turns ? threads_in_turns : threads;
}
constexpr std::array<std::uint32_t, 5> sizes{0, 5, 16, 30, 64};

BANKPROOF_PROPERTY(InitializedMemory, that_is_proved_is_written_on_the_machine, ()) {
  const auto writers = *rc::gen::element(RandomTile::Writers::many, RandomTile::Writers::one,
                                         RandomTile::Writers::in_turns);
  const RandomTile tile(*rc::gen::arbitrary<std::uint64_t>(), writers);
  const ptx::Module module = ptx::parse(tile.text(), "k.ptx");
  RC_LOG() << tile.text();
  const std::uint32_t block = threads_of(writers);
  const bool is_stated = *rc::gen::arbitrary<bool>();
  const bool proved = is_surely_written(module, is_stated ? std::optional(block) : std::nullopt);
  RC_CLASSIFY(proved);
  if (!proved) return;
  for (const std::uint32_t n : sizes) RC_ASSERT(!shows_fault(module, n, block));
}

TEST(InitializedMemory, is_proved_or_read_too_early) {
  using Writers = RandomTile::Writers;
  for (const auto writers : {Writers::many, Writers::one, Writers::in_turns}) {
    std::size_t proved = 0;
    std::size_t faults = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const RandomTile tile(seed, writers);
      const ptx::Module module = ptx::parse(tile.text(), "k.ptx");
      const std::uint32_t block = threads_of(writers);
      const bool has_fault = std::any_of(sizes.begin(), sizes.end(), [&](std::uint32_t n) {
        return shows_fault(module, n, block);
      });
      if (is_surely_written(module, block)) {
        ++proved;
        EXPECT_FALSE(has_fault) << tile.text();
      } else if (has_fault) {
        ++faults;
      }
    }
    EXPECT_GE(proved, 8U);
    EXPECT_GE(faults, 8U);
  }
}

/// Each thread writes its word, and reads that of thread threadIdx.x ^ mask.
std::string exchange(std::uint32_t mask, const std::string& between) {
  return ".version 8.3\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
         ".reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
         ".shared .align 4 .b8 tile[256];\n"
         "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\n"
         "mad.lo.u32 %r3, %r1, 4, %r2;\nst.shared.u32 [%r3], %r1;\n" +
         between + "xor.b32 %r4, %r1, " + std::to_string(mask) +
         ";\nmad.lo.u32 %r5, %r4, 4, %r2;\nld.shared.u32 %r6, [%r5];\n"
         "mad.wide.u32 %rd2, %r1, 4, %rd1;\nst.global.u32 [%rd2], %r6;\nret;\n}\n";
}

TEST(InitializedMemory, of_lanes_of_a_warp_is_written_before_a_barrier_of_warps) {
  const std::string warps = "bar.warp.sync 0xffffffff;\n";
  const auto is_written = [](const std::string& text) {
    return is_surely_written(ptx::parse(text, "k.ptx"), 64);
  };
  EXPECT_TRUE(is_written(exchange(0, "")));
  EXPECT_FALSE(is_written(exchange(1, "")));
  EXPECT_TRUE(is_written(exchange(1, warps)));
  EXPECT_TRUE(is_written(exchange(16, warps)));
  EXPECT_FALSE(is_written(exchange(32, warps)));  // a lane of the other warp
  EXPECT_FALSE(is_written(exchange(1, "bar.warp.sync 1;\n")));
  EXPECT_TRUE(is_written(exchange(32, "bar.sync 0;\n")));
}

/// In each warp, a lane writes the word of the warp; then each thread reads that of another warp.
std::string total_of_warps(std::uint32_t lane, std::uint32_t warps_before) {
  const std::string before = std::to_string(warps_before);
  return ".version 8.3\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
         ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
         ".shared .align 4 .b8 tile[256];\n"
         "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\n"
         "and.b32 %r3, %r1, 31;\nshr.u32 %r4, %r1, 5;\nmad.lo.u32 %r5, %r4, 4, %r2;\n"
         "setp.eq.u32 %p1, %r3, " +
         std::to_string(lane) +
         ";\n@%p1 st.shared.u32 [%r5], %r1;\nbar.sync 0;\n"
         "mov.u32 %r6, 0;\nsetp.ge.u32 %p2, %r4, " +
         before + ";\n@%p2 ld.shared.u32 %r6, [%r5-" + std::to_string(4 * warps_before) +
         "];\nmad.wide.u32 %rd2, %r1, 4, %rd1;\nst.global.u32 [%rd2], %r6;\nret;\n}\n";
}

TEST(InitializedMemory, of_warps_is_written_by_the_lane_that_a_condition_states) {
  const auto is_written = [](std::uint32_t lane, std::uint32_t warps_before) {
    const ptx::Module module = ptx::parse(total_of_warps(lane, warps_before), "k.ptx");
    const bool is_proved = is_surely_written(module, std::nullopt);
    for (const std::uint32_t block : {7U, 33U, 64U}) {
      EXPECT_FALSE(is_proved && shows_fault(module, 1, block)) << lane << ", " << block;
    }
    return is_proved;
  };
  EXPECT_TRUE(is_written(31, 1));
  EXPECT_TRUE(is_written(0, 0));
  EXPECT_TRUE(is_written(0, 1));
  EXPECT_FALSE(is_written(31, 0));  // the last warp may be too short
  EXPECT_FALSE(is_written(1, 0));
}

/// The last lane of each warp writes its own word, and thread i reads word i | mask.
TEST(InitializedMemory, of_words_that_all_bits_of_an_index_choose_is_written_by_the_last_lane) {
  const auto is_written = [](std::uint32_t mask) {
    const std::string text =
        ".version 8.3\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
        ".reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
        ".shared .align 4 .b8 tile[256];\n"
        "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\n"
        "and.b32 %r3, %r1, 31;\nmad.lo.u32 %r4, %r1, 4, %r2;\nsetp.eq.u32 %p1, %r3, 31;\n"
        "@%p1 st.shared.u32 [%r4], %r1;\nbar.sync 0;\nor.b32 %r5, %r1, " +
        std::to_string(mask) +
        ";\nmad.lo.u32 %r6, %r5, 4, %r2;\nld.shared.u32 %r7, [%r6];\n"
        "mad.wide.u32 %rd2, %r1, 4, %rd1;\nst.global.u32 [%rd2], %r7;\nret;\n}\n";
    const ptx::Module module = ptx::parse(text, "k.ptx");
    const bool is_proved = is_surely_written(module, 64);
    EXPECT_EQ(shows_fault(module, 1, 64), !is_proved);
    return is_proved;
  };
  EXPECT_TRUE(is_written(31));
  EXPECT_FALSE(is_written(15));
}

}  // namespace
}  // namespace bankproof::symbolic
