// Where the machine finds that an access of a random kernel conflicts, or touches more sectors than
// it needs, no solver may say that it does not. The machine judges a launch; the questions are
// about all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "../../../symbolic/claims/question.hpp"
#include "../../../symbolic/solving/decide.hpp"
#include "../../../testing/property.hpp"
#include "../../ptx/kernel_run.hpp"

namespace bankproof::symbolic {
namespace {

/// A kernel with one access by all threads, by some, or in a loop that they leave one by one.
class RandomAccess {
 public:
  explicit RandomAccess(std::uint64_t seed) : random_(seed) {
    constexpr std::array<ptx::Extent, 9> blocks{{{32, 1, 1},
                                                 {64, 1, 1},
                                                 {48, 1, 1},
                                                 {20, 1, 1},
                                                 {16, 4, 1},
                                                 {8, 8, 1},
                                                 {4, 4, 4},
                                                 {64, 2, 1},
                                                 {32, 3, 1}}};
    block_ = blocks[below(blocks.size())];
    is_shared_ = below(3) == 0;
    bytes_ = 1U << below(is_shared_ ? 4 : 5);
    begin_ = 1 + below(4);
    index();
    condition();
  }

  const ptx::Extent& block() const { return block_; }
  bool is_shared() const { return is_shared_; }
  std::uint32_t bytes() const { return bytes_; }

  std::string text() const {
    const bool has_loop = loop_.has_value();
    std::string all =
        ".version 8.3\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
        ".reg .pred %p<9>;\n.reg .b32 %r<60>;\n.reg .b64 %rd<9>;\n" +
        tile() +
        "ld.param.u64 %rd1, [out];\nld.param.u32 %r9, [n];\n"
        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmov.u32 %r50, %ntid.x;\n" +
        body_ + "mov.u32 %r30, 0;\n";
    if (has_loop) all += "LOOP:\n";
    all += "mad.lo.u32 %r31, %r30, 32, %r20;\nmul.lo.u32 %r31, %r31, " + std::to_string(bytes_) +
           ";\n";
    if (is_shared_) {
      all += "mov.u32 %r32, tile;\nadd.u32 %r32, %r32, %r31;\n";
    } else {
      all += "cvt.u64.u32 %rd2, %r31;\nadd.u64 %rd3, %rd1, %rd2;\n";
    }
    const std::string address = is_shared_ ? "[%r32]" : "[%rd3]";
    const std::string space = is_shared_ ? "shared" : "global";
    const std::string type = bytes_ == 1   ? ".u8 %r33"
                             : bytes_ == 2 ? ".u16 %r33"
                             : bytes_ == 4 ? ".u32 %r33"
                             : bytes_ == 8 ? ".v2.u32 {%r33, %r34}"
                                           : ".v4.u32 {%r33, %r34, %r35, %r36}";
    const std::size_t blank = type.find(' ');
    all += guard_ + "ld." + space + type.substr(0, blank) + type.substr(blank) + ", " + address +
           ";\n";
    if (has_loop) {
      all += "add.u32 %r30, %r30, 1;\n" + *loop_ + "setp.le.u32 %p3, %r30, %r40;\n@%p3 bra LOOP;\n";
    }
    return all + "ret;\n}\n";
  }

 private:
  /// An array of bytes may begin within a word.
  std::string tile() const {
    if (!is_small()) return ".shared .align 16 .b8 tile[32768];\n";
    return ".shared .align 1 .b8 before[" + std::to_string(begin_) + "];\n" + ".shared .align " +
           std::to_string(bytes_) + " .b8 tile[32768];\n";
  }
  bool is_small() const { return is_shared_ && bytes_ < 4; }
  std::uint32_t below(std::size_t most) { return static_cast<std::uint32_t>(random_() % most); }
  std::string number(std::uint32_t most) { return std::to_string(below(most)); }
  void line(const std::string& text) { body_ += text + ";\n"; }

  /// The index of the element, in %r20.
  void index() {
    constexpr std::array factors{"1", "1", "1", "2", "3", "8", "0"};
    constexpr std::array near_a_row{"31", "63", "64", "65", "127", "128", "129", "132"};
    line("mul.lo.u32 %r20, %r1, " + std::string(is_small() && below(2) == 0
                                                    ? near_a_row[below(near_a_row.size())]
                                                    : factors[below(factors.size())]));
    constexpr std::array rows{"8", "16", "32", "33", "0"};
    line("mad.lo.u32 %r20, %r2, " + std::string(rows[below(rows.size())]) + ", %r20");
    switch (below(6)) {
      case 0:
        line("xor.b32 %r20, %r20, " + number(16));
        break;
      case 1:
        line("xor.b32 %r20, %r20, %r2");
        break;
      case 2:
        line("shr.u32 %r20, %r20, " + number(3));
        break;
      case 3:
        line("sub.u32 %r20, 600, %r20");
        break;
      case 4:
        line("and.b32 %r21, %r20, 7;\nshr.u32 %r22, %r20, 3;\nmad.lo.u32 %r20, %r22, 16, %r21");
        break;
      default:
        break;
    }
    if (below(3) == 0) line("add.u32 %r20, %r20, " + number(12));
  }

  void condition() {
    switch (below(5)) {
      case 0:
        line("setp.lt.u32 %p1, %r1, %r9");
        guard_ = "@%p1 ";
        break;
      case 1:
        line("and.b32 %r41, %r1, 1;\nsetp.eq.u32 %p1, %r41, 0");
        guard_ = "@%p1 ";
        break;
      case 2:
        loop_ = "and.b32 %r40, %r1, " + std::to_string(1 + below(3)) + ";\n";
        break;
      case 3:
        loop_ = "shr.u32 %r40, %r1, 4;\n";
        break;
      default:
        break;
    }
  }

  std::mt19937_64 random_;
  ptx::Extent block_{};
  bool is_shared_ = false;
  std::uint32_t bytes_ = 4;
  std::uint32_t begin_ = 1;  // bytes in front of the array
  std::string body_;
  std::string guard_;
  std::optional<std::string> loop_;
};

/// Whether solvers say that no access takes more than `most`: wavefronts, or sectors too many.
bool is_proved(const ptx::Module& module, const RandomAccess& access, bool is_stated,
               std::uint32_t most) {
  Shape shape;
  if (is_stated) std::copy(access.block().begin(), access.block().end(), shape.block.begin());
  Pool pool;
  Execution execution(pool, module, module.functions.front(), shape);
  Subject subject{pool, execution};
  const Asked asked = access.is_shared() ? ask_banks(subject, most) : ask_coalesced(subject, most);
  const Effort little{.integers_ms = 40, .bits_ms = 80};
  const auto is_never = [&](const Possibility& possibility) {
    return decide(pool, possibility.statements.asked, little).kind == Decided::Kind::never;
  };
  return asked.subjects != 0 &&
         std::all_of(asked.questions.begin(), asked.questions.end(), [&](const Question& question) {
           return std::any_of(question.ways.begin(), question.ways.end(), [&](const auto& way) {
             return std::all_of(way.begin(), way.end(), is_never);
           });
         });
}

/// The wavefronts that the bytes of a warp need, and those of its conflicts.
std::uint64_t wavefronts_of(const ptx::AccessPicture& picture) {
  std::set<std::uint64_t> addresses;
  for (std::size_t lane = 0; lane < picture.addresses.size(); ++lane) {
    if ((picture.lanes >> lane & 1U) != 0) addresses.insert(picture.addresses[lane]);
  }
  return (addresses.size() * picture.element_bytes + 127) / 128 + picture.excess;
}

/// The most that one access of a warp takes on the machine: wavefronts, or sectors too many.
std::uint64_t taken(const ptx::Module& module, const RandomAccess& access, std::uint32_t n) {
  ptx::KernelRun run(module, "k");
  run.buffer(std::vector<std::uint32_t>(1U << 16));
  run.value(n);
  ptx::RunOptions options;
  options.rules = ptx::MachineRules::of("sm_90");
  run.launch({1, 1, 1}, access.block(), options);
  std::uint64_t worst = 0;
  for (const auto& [site, counts] : run.result().counts) {
    if (counts.worst_global) worst = std::max(worst, counts.worst_global->excess);
    if (counts.worst_shared) worst = std::max(worst, wavefronts_of(*counts.worst_shared));
  }
  return worst;
}

BANKPROOF_PROPERTY(AccessesOfWarps, that_are_proved_take_no_more_on_the_machine, ()) {
  const RandomAccess access(*rc::gen::arbitrary<std::uint64_t>());
  const ptx::Module module = ptx::parse(access.text(), "k.ptx");
  RC_LOG() << access.text() << access.block()[0] << "," << access.block()[1] << "\n";
  const bool is_stated = *rc::gen::arbitrary<bool>();
  const std::uint32_t least = access.is_shared() ? std::max(access.bytes() / 4, 1U) : 0;
  const std::uint32_t most = least + *rc::gen::inRange<std::uint32_t>(0, 3);
  const bool proved = is_proved(module, access, is_stated, most);
  RC_CLASSIFY(proved);
  if (!proved) return;
  for (const std::uint32_t n : {0U, 7U, 20U, 33U, 64U}) {
    RC_ASSERT(taken(module, access, n) <= most);
  }
}

// The property is worth something: much is proved, and much conflicts.
TEST(AccessesOfWarps, are_proved_or_conflict) {
  std::size_t proved = 0;
  std::size_t conflicts = 0;
  std::size_t open = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomAccess access(seed);
    const ptx::Module module = ptx::parse(access.text(), "k.ptx");
    const std::uint32_t least = access.is_shared() ? std::max(access.bytes() / 4, 1U) : 0;
    const bool takes_more = taken(module, access, 33) > least;
    if (is_proved(module, access, true, least)) {
      ++proved;
      EXPECT_FALSE(takes_more) << access.text();
    } else if (takes_more) {
      ++conflicts;
    } else {
      ++open;
    }
  }
  EXPECT_GE(proved, 10U);
  EXPECT_GE(conflicts, 10U);
  EXPECT_LE(open, 15U) << proved << " proved, " << conflicts << " conflict";
}

}  // namespace
}  // namespace bankproof::symbolic
