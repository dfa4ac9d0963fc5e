// Oblivious kernels make the same accesses whatever they load: random kernels run on two contents
// of memory, and the kernels of the benchmarks are told apart.
#include "../../../ptx/flow/oblivious.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../../../ptx/syntax/parser.hpp"
#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::ElementsAre;

std::string why_not(const std::string& body, const std::string& items = {}) {
  const Module module = parse(kernel(body, items), "k.ptx");
  const auto found = data_dependence(module.functions.back());
  return found ? found->what : "";
}

TEST(Oblivious, are_kernels_whose_loads_reach_no_address_branch_or_guard) {
  const std::string load = "ld.global.u32 %r5, [%rd2];\n";
  EXPECT_EQ(why_not(load + "add.u32 %r5, %r5, 1;\nst.global.u32 [%rd2], %r5;\nret;"), "");
  EXPECT_EQ(why_not(load + "setp.eq.u32 %p1, %r5, 0;\nselp.u32 %r6, %r5, 1, %p1;\n"
                           "@%p1 mov.u32 %r6, 3;\nst.global.u32 [%rd2], %r6;\nret;"),
            "");
  EXPECT_EQ(why_not("setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\n" + load + "L:\nret;"), "");
}

TEST(Oblivious, are_no_kernels_whose_loads_reach_one) {
  const std::string load = "ld.global.u32 %r5, [%rd2];\n";
  const std::string test = load + "add.u32 %r6, %r5, 1;\nsetp.eq.u32 %p1, %r6, 0;\n";
  EXPECT_EQ(why_not(load + "mul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd3, %rd3, %rd1;\n"
                           "st.global.u32 [%rd3], 1;\nret;"),
            "an address");
  EXPECT_EQ(why_not(test + "@%p1 bra L;\nmov.u32 %r7, 1;\nL:\nret;"), "a branch");
  EXPECT_EQ(why_not(test + "@%p1 ret;\nret;"), "a branch");
  EXPECT_EQ(why_not(test + "@%p1 st.global.u32 [%rd2], 1;\nret;"), "a guard");
  EXPECT_EQ(why_not(test + "not.pred %p2, %p1;\n@!%p2 ld.global.u32 %r7, [%rd2];\nret;"),
            "a guard");
  EXPECT_EQ(why_not(load + "shfl.sync.idx.b32 %r6, %r1, %r5, 31, -1;\nret;"), "who takes part");
  EXPECT_EQ(why_not(test + "vote.sync.ballot.b32 %r7, %p1, -1;\nsetp.eq.u32 %p3, %r7, 0;\n"
                           "@%p3 bra L;\nL:\nret;"),
            "a branch");
  EXPECT_EQ(why_not("mov.u32 %r5, %clock;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra L;\nL:\nret;"),
            "a branch");
  EXPECT_EQ(why_not("atom.global.add.u32 %r5, [%rd2], 1;\nsetp.eq.u32 %p1, %r5, 0;\n"
                    "@%p1 bra L;\nL:\nret;"),
            "a branch");
  EXPECT_EQ(why_not(test + "ld.global.u32 %r7, [%rd1];\nselp.u32 %r8, %r7, 1, %p1;\n"
                           "st.global.u32 [%rd2], %r8;\nret;"),
            "who uses a loaded value");
  // A loop carries the value to an earlier line.
  EXPECT_EQ(why_not("mov.u32 %r7, 0;\nmov.u32 %r8, 0;\nL:\nsetp.lt.u32 %p1, %r7, 9;\n"
                    "@!%p1 ret;\nmov.u32 %r7, %r8;\n" +
                    load + "mov.u32 %r8, %r5;\nbra L;"),
            "a branch");
}

TEST(Oblivious, follow_values_through_shared_and_local_memory) {
  const std::string tile = ".shared .align 4 .b8 tile[256];\n";
  const std::string at = "mov.u32 %r6, tile;\nld.global.u32 %r5, [%rd2];\n";
  const std::string use =
      "ld.shared.u32 %r7, [%r6];\nsetp.eq.u32 %p1, %r7, 0;\n@%p1 bra L;\nL:\nret;";
  EXPECT_EQ(why_not(at + "st.shared.u32 [%r6], %r5;\n" + use, tile), "a branch");
  EXPECT_EQ(why_not(at + "st.shared.u32 [%r6], %r1;\n" + use, tile), "");
  EXPECT_EQ(why_not(at + "cp.async.ca.shared.global [%r6], [%rd1], 4;\n" + use, tile), "a branch");
  const std::string box = ".local .align 4 .b8 box[8];\nmov.u64 %rd5, box;\n";
  const std::string use_box =
      "ld.local.u32 %r7, [%rd5];\nsetp.eq.u32 %p1, %r7, 0;\n@%p1 bra L;\nL:\nret;";
  EXPECT_EQ(why_not(box + "ld.global.u32 %r5, [%rd2];\nst.local.u32 [%rd5], %r5;\n" + use_box),
            "a branch");
  EXPECT_EQ(why_not(box + "ld.global.u32 %r5, [%rd2];\nst.u32 [%rd4], %r5;\n" + use_box),
            "a branch");
  EXPECT_EQ(why_not(box + "st.local.u32 [%rd5], %r1;\n" + use_box), "");
}

/// A kernel in which the rule alone decides, and what it finds.
struct ObliviousCase {
  std::string body;
  std::string expected;
  std::string items{};
};

// %r5 is loaded; %r6 is the tile's address in shared memory; %p1 depends on %r5.
const std::string loaded =
    "ld.global.u32 %r5, [%rd2];\nsetp.eq.u32 %p1, %r5, 0;\nmov.u32 %r6, tile;\n";
const std::string tile_of_256 = ".shared .align 16 .b8 tile[256];\n";
std::string branch_on(const std::string& r) {
  return "setp.eq.u32 %p7, " + r + ", 0;\n@%p7 bra L;\nL:\nret;";
}
std::string branch_on_predicate(const std::string& p) { return "@" + p + " bra L;\nL:\nret;"; }
const std::string branch_on_tile = "ld.shared.u32 %r7, [%r6];\n" + branch_on("%r7");

// Each would be called oblivious without one of the rules.
const std::vector<ObliviousCase> oblivious_cases = {
    // Values that differ from launch to launch.
    {"mov.u64 %rd5, %globaltimer;\ncvt.u32.u64 %r7, %rd5;\n" + branch_on("%r7"), "a branch"},
    {"mov.u64 %rd5, %gridid;\ncvt.u32.u64 %r7, %rd5;\n" + branch_on("%r7"), "a branch"},
    {"mov.u64 %rd5, %clock64;\ncvt.u32.u64 %r7, %rd5;\n" + branch_on("%r7"), "a branch"},
    // Vectors, pairs of predicates, negated predicates.
    {"mov.b64 %rd5, {%r1, %r5};\ncvt.u32.u64 %r7, %rd5;\n" + branch_on("%r7"), "a branch"},
    {"ld.global.v2.u32 {%r8, %r9}, [%rd2];\n" + branch_on("%r8"), "a branch"},
    {"ld.global.v2.u32 {%r8, %r9}, [%rd2];\n" + branch_on("%r9"), "a branch"},
    {"setp.eq.u32 %p2|%p3, %r5, 1;\n" + branch_on_predicate("%p2"), "a branch"},
    {"setp.eq.u32 %p2|%p3, %r5, 1;\n" + branch_on_predicate("%p3"), "a branch"},
    {"setp.eq.and.u32 %p2, %r1, 0, !%p1;\n" + branch_on_predicate("%p2"), "a branch"},
    // Guards and carries.
    {"mov.u32 %r7, 1;\n@%p1 mov.u32 %r7, 2;\n" + branch_on("%r7"), "a branch"},
    {"add.cc.u32 %r7, %r5, 1;\naddc.u32 %r8, %r1, 0;\n" + branch_on("%r8"), "a branch"},
    {"@%p1 membar.gl;\nret;", "a guard"},
    {"@%p1 bar.sync 0;\nret;", "a guard"},
    {"@%p1 shfl.sync.bfly.b32 %r7, %r1, 1, 31, -1;\nret;", "a guard"},
    {"@%p1 ret;\nret;", "a branch"},
    {"@%p1 exit;\nret;", "a branch"},
    {"ts: .branchtargets L0, L1;\nbrx.idx %r5, ts;\nL0:\nL1:\nret;", "a branch"},
    {"call.uni f, ();\nret;", "a call", ".func f()\n{\nret;\n}\n"},
    // Who takes part, and results of those who do.
    {"bar.sync %r5;\nret;", "who takes part"},
    {"barrier.sync 1, %r5;\nret;", "who takes part"},
    {"bar.red.popc.u32 %r7, %r5, %p2;\nret;", "who takes part"},
    {"vote.sync.ballot.b32 %r7, %p2, %r5;\nret;", "who takes part"},
    {"match.any.sync.b32 %r7, %r1, %r5;\nret;", "who takes part"},
    {"redux.sync.add.s32 %r7, %r1, %r5;\nret;", "who takes part"},
    {"elect.sync %r7|%p2, %r5;\nret;", "who takes part"},
    {"bar.red.popc.u32 %r7, 0, %p1;\n" + branch_on("%r7"), "a branch"},
    {"shfl.sync.bfly.b32 %r7, %r5, 1, 31, -1;\n" + branch_on("%r7"), "a branch"},
    {"match.any.sync.b32 %r7, %r5, -1;\n" + branch_on("%r7"), "a branch"},
    {"redux.sync.add.s32 %r7, %r5, -1;\n" + branch_on("%r7"), "a branch"},
    // Addresses.
    {"cvt.u64.u32 %rd5, %r5;\nld.global.u32 %r7, [%rd5];\nret;", "an address"},
    {"cvt.u64.u32 %rd5, %r5;\natom.global.add.u32 %r7, [%rd5], 1;\nret;", "an address"},
    {"cvt.u64.u32 %rd5, %r5;\nred.global.add.u32 [%rd5], 1;\nret;", "an address"},
    {"cvt.u64.u32 %rd5, %r5;\ncp.async.ca.shared.global [%r6], [%rd5], 4;\nret;", "an address"},
    {"cp.async.ca.shared.global [%r5], [%rd1], 4;\nret;", "an address"},
    {"cp.async.ca.shared.global [%r6], [%rd1], 4, %r5;\nret;", "the size of a copy"},
    {"wmma.load.c.sync.aligned.row.m16n16k16.shared.f16 {%r20, %r21, %r22, %r23}, [%r6], %r5;\n"
     "ret;",
     "an address"},
    {"wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%r6], {%r20, %r21, %r22, %r23}, %r5;\n"
     "ret;",
     "an address"},
    // Loads, and values that go through memory.
    {"ld.u32 %r7, [%rd2];\n" + branch_on("%r7"), "a branch"},
    {"wmma.load.c.sync.aligned.row.m16n16k16.global.f16 {%r20, %r21, %r22, %r23}, [%rd1], 16;\n" +
         branch_on("%r23"),
     "a branch"},
    {"st.u32 [%rd4], %r5;\n" + branch_on_tile, "a branch"},
    {"st.shared.v2.u32 [%r6], {%r1, %r5};\n" + branch_on_tile, "a branch"},
    {"st.shared::cta.u32 [%r6], %r5;\n" + branch_on_tile, "a branch"},
    {"red.shared.add.u32 [%r6], %r5;\n" + branch_on_tile, "a branch"},
    {"atom.shared.add.u32 %r8, [%r6], %r5;\n" + branch_on_tile, "a branch"},
    {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r6], {%r5};\n" + branch_on_tile, "a branch"},
    {"wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%r6], {%r20, %r21, %r5, %r23}, 16;\n" +
         branch_on_tile,
     "a branch"},
    {"st.shared.u32 [%r6], %r5;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r6];\n" +
         branch_on("%r8"),
     "a branch"},
    // The analysis does not follow these instructions.
    {"mbarrier.init.shared.b64 [%r6], 1;\nret;", "an instruction that is not followed"},
    {"mbarrier.pending_count.b64 %r7, %rd5;\nret;", "an instruction that is not followed"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r6], [%rd1], 16, "
     "[%r7];\nret;",
     "an instruction that is not followed"},
};

TEST(Oblivious, are_told_by_each_of_the_rules) {
  for (const ObliviousCase& one : oblivious_cases) {
    EXPECT_EQ(why_not(loaded + one.body, tile_of_256 + one.items), one.expected) << one.body;
  }
}

// The same without a loaded value.
TEST(Oblivious, are_kernels_that_use_shared_memory_for_what_is_known) {
  for (const std::string space : {"shared", "shared::cta"}) {
    EXPECT_EQ(why_not(loaded + "st." + space + ".u32 [%r6], %r1;\nld." + space +
                          ".u32 %r7, [%r6];\n" + branch_on("%r7"),
                      tile_of_256),
              "");
  }
  EXPECT_EQ(why_not(loaded + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%r6];\n" +
                        branch_on("%r8"),
                    tile_of_256),
            "");
  EXPECT_EQ(why_not(loaded + "bar.red.popc.u32 %r7, 0, %p2;\n" + branch_on("%r7"), tile_of_256),
            "");
  EXPECT_EQ(why_not(loaded + "elect.sync %r7|%p2, -1;\n" + branch_on_predicate("%p2"), tile_of_256),
            "");
}

TEST(Oblivious, tell_the_kernels_of_the_benchmarks_apart) {
  std::ifstream file(std::string(BANKPROOF_SOURCE) + "/bench/kernels/kernels.ptx");
  const Module module = parse(std::string{std::istreambuf_iterator<char>(file), {}}, "kernels.ptx");
  std::vector<std::string> others;
  for (const Function& function : module.functions) {
    if (data_dependence(function)) others.push_back(function.name);
  }
  EXPECT_THAT(others, ElementsAre("gather"));
  EXPECT_GE(module.functions.size(), 12U);
}

// ---- Random kernels of one warp. %r10 … %r17 are values; buffers and the tile have 64 words.

class RandomKernel {
 public:
  std::string body() {
    text_ = "mov.u32 %r6, tile;\n";
    for (int k = 0; k < 8; ++k) {
      text_ += "mad.lo.u32 " + value(k) + ", %r1, " + std::to_string(2 * k + 1) + ", " +
               std::to_string(k) + ";\n";
    }
    for (int k = *rc::gen::inRange(3, 14); k > 0; --k) add();
    for (const std::string& label : open_) text_ += label + ":\n";
    return text_ + "ret;";
  }

 private:
  static std::string value(int k) { return "%r" + std::to_string(10 + k); }
  static std::string any() { return value(*rc::gen::inRange(0, 8)); }
  // %rd4 and %r7 become addresses of a word of the buffer and of the tile.
  static std::string address() {
    return "and.b32 %r5, " + any() +
           ", 63;\nmul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd4, %rd1, %rd3;\nshl.b32 %r5, %r5, 2;\n"
           "add.u32 %r7, %r6, %r5;\n";
  }
  static std::string condition() {
    return "and.b32 %r5, " + any() + ", 1;\nsetp.eq.u32 %p1, %r5, 0;\n";
  }
  void add() {
    switch (*rc::gen::inRange(0, 11)) {
      case 0:
      case 1:
        text_ += address() + "ld.global.u32 " + any() + ", [%rd4];\n";
        break;
      case 2:
        text_ += address() + "st.global.u32 [%rd4], " + any() + ";\n";
        break;
      case 3:
        text_ += address() + "ld.shared.u32 " + any() + ", [%r7];\n";
        break;
      case 4:
        text_ += address() + "st.shared.u32 [%r7], " + any() + ";\n";
        break;
      case 5:
        text_ += "add.u32 " + any() + ", " + any() + ", " + any() + ";\n";
        break;
      case 6:
        text_ += condition() + "selp.u32 " + any() + ", " + any() + ", " + any() + ", %p1;\n";
        break;
      case 7:
        text_ += condition() + "@%p1 add.u32 " + any() + ", " + any() + ", 5;\n";
        break;
      case 8:
        text_ += condition() + "@!%p1 ld.global.u32 " + any() + ", [%rd2];\n";
        break;
      case 9:
        if (!open_.empty() && *rc::gen::arbitrary<bool>()) {
          text_ += open_.back() + ":\n";
          open_.pop_back();
        } else {
          open_.push_back("L" + std::to_string(labels_++));
          text_ += condition() + "@%p1 bra " + open_.back() + ";\n";
        }
        break;
      default:
        text_ += "shfl.sync.bfly.b32 " + any() + ", " + any() + ", 1, 31, -1;\n";
        break;
    }
  }

  std::string text_;
  std::vector<std::string> open_;
  int labels_ = 0;
};

// Everything about a launch that must not depend on what it loads.
std::vector<std::uint64_t> trace_of(const std::string& text, std::uint32_t seed) {
  KernelRun run(text, "k");
  std::vector<std::uint32_t> contents(64);
  for (std::uint32_t& word : contents) word = seed = seed * 1664525U + 1013904223U;
  run.buffer(contents);
  RunOptions options;
  options.record_events = true;
  const LaunchResult& result = run.launch({1, 1, 1}, {32, 1, 1}, options);
  std::vector<std::uint64_t> trace(result.visits);
  trace.insert(trace.end(), result.lanes.begin(), result.lanes.end());
  for (const auto& [site, counts] : result.counts) {
    trace.insert(trace.end(), {site, counts.accesses, counts.lanes, counts.wavefronts, counts.lines,
                               counts.sectors});
  }
  for (const EventList list : result.events.warps) {
    for (const Event event : list) {
      trace.push_back(static_cast<std::uint64_t>(event.kind()));
      trace.push_back(event.stages());
    }
  }
  return trace;
}

RC_GTEST_PROP(Oblivious, make_the_same_accesses_whatever_they_load, ()) {
  const auto body =
      rc::gen::resize(rc::kNominalSize, rc::gen::exec([] { return RandomKernel().body(); }));
  const std::string text = kernel(*body, ".shared .align 4 .b8 tile[256];\n");
  const bool is_oblivious = !data_dependence(parse(text, "k.ptx").functions.back());
  RC_TAG(is_oblivious ? "oblivious" : "other");
  if (!is_oblivious) return;
  const auto seed = *rc::gen::inRange<std::uint32_t>(1, 1000);
  RC_ASSERT(trace_of(text, 0) == trace_of(text, seed));
}

}  // namespace
}  // namespace bankproof::ptx
