// Random kernels whose threads share numbers: elements of an array that no thread writes, results
// of barriers, what one thread stores in shared memory for all, numbers that they draw from a
// counter, and whatever they compute from these in branches and loops. They store to places that
// depend on such numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace bankproof::symbolic {

/// The kernel is k(out, n, in, counter): `in` has 16 elements less than 16, and `out` 1024. Blocks
/// have up to 8 threads.
class RandomSharing {
 public:
  static constexpr std::uint32_t most_threads = 8;
  static constexpr std::size_t words_of_in = 16;
  static constexpr std::size_t words_of_out = 1024;

  explicit RandomSharing(std::uint64_t seed) : engine_(seed) {
    known_ = {{"%r1", false}, {"%r4", true}, {"%r12", true}};
    load(known_[below(3)]);
    statements(6, {true, 0});
  }

  std::string text() const {
    return ".version 8.3\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u64 out, .param .u32 n, .param .u64 in,"
           " .param .u64 counter)\n{\n"
           ".reg .pred %p<9>;\n.reg .b32 %r<400>;\n.reg .f32 %f<3>;\n.reg .b64 %rd<12>;\n"
           ".shared .align 4 .b8 tile[" +
           std::to_string(4 * (tiles_ + 1)) +
           "];\n"
           "ld.param.u64 %rd1, [out];\nld.param.u64 %rd4, [in];\nld.param.u64 %rd5, [counter];\n"
           "mov.u32 %r1, %tid.x;\nmov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %ntid.x;\n"
           "ld.param.u32 %r12, [n];\n" +
           body_ + "ret;\n}\n";
  }

 private:
  struct Value {
    std::string name;
    bool is_uniform;  // the same for all threads of a block
  };
  /// Where a statement is.
  struct At {
    bool is_uniform;  // all threads of a block come there together
    int depth;
    At inside(bool uniform) const { return {is_uniform && uniform, depth + 1}; }
  };

  std::uint64_t below(std::uint64_t end) { return engine_() % end; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  std::string number(std::uint64_t end) { return std::to_string(below(end)); }
  void line(const std::string& text) { body_ += text + ";\n"; }
  std::string new_register() { return "%r" + std::to_string(next_++); }
  Value any() { return known_[below(known_.size())]; }
  Value any_uniform() {
    for (int tries = 0; tries < 20; ++tries) {
      if (Value value = any(); value.is_uniform) return value;
    }
    return {"%r12", true};
  }
  void know(const std::string& name, bool is_uniform) { known_.push_back({name, is_uniform}); }
  /// The last four bits, so that places are in the array.
  void keep_small(const std::string& name) { line("and.b32 " + name + ", " + name + ", 15"); }

  void statements(int count, At at) {
    for (int k = 0; k < count; ++k) statement(at);
  }

  void statement(At at) {
    const std::uint64_t kind = below(at.depth < 3 ? 14 : 10);
    if (kind < 1) {
      arithmetic(any(), any(), new_register());
    } else if (kind < 2) {
      unfollowed(any(), new_register());
    } else if (kind < 3) {
      load(any());
    } else if (kind < 5) {
      if (at.is_uniform) publish();
    } else if (kind < 6) {
      if (at.is_uniform) meet();
    } else if (kind < 7) {
      draw();
    } else if (kind < 10) {
      access();
    } else if (kind < 12) {
      loop(at);
    } else {
      branch(at);
    }
  }

  void arithmetic(const Value& a, const Value& b, const std::string& to) {
    const char* const opcodes[] = {"add.s32", "sub.s32", "mul.lo.s32", "min.s32", "xor.b32"};
    line(opcodes[below(5)] + (" " + to) + ", " + a.name + ", " + b.name);
    keep_small(to);
    know(to, a.is_uniform && b.is_uniform);
  }

  /// Symbolic execution does not follow floating point.
  void unfollowed(const Value& a, const std::string& to) {
    line("cvt.rn.f32.s32 %f1, " + a.name);
    line("mul.rn.f32 %f1, %f1, 0f3FC00000");
    line("cvt.rzi.s32.f32 " + to + ", %f1");
    keep_small(to);
    know(to, a.is_uniform);
  }

  void load(const Value& index) {
    const std::string to = new_register();
    line("and.b32 %r2, " + index.name + ", 15");
    line("mul.wide.u32 %rd2, %r2, 4");
    line("add.s64 %rd3, %rd4, %rd2");
    line("ld.global.u32 " + to + ", [%rd3]");
    know(to, index.is_uniform);
  }

  /// One thread stores a number for all.
  void publish() {
    const std::string to = new_register();
    const std::string place = "[tile+" + std::to_string(4 * (one_in(6) ? 0 : ++tiles_)) + "]";
    Value stored = any();
    switch (below(3)) {
      case 0:
        line("setp.eq.u32 %p7, %r1, 0");
        break;
      case 1:
        line("sub.s32 %r3, %r5, 1");
        line("setp.eq.u32 %p7, %r1, %r3");
        break;
      default:
        line("setp.eq.u32 %p7, %r1, " + number(3));
    }
    if (one_in(3)) {
      stored.name = new_register();
      line("mov.u32 " + stored.name + ", 0");
      line("@%p7 atom.global.add.u32 " + stored.name + ", [%rd5], 1");
    }
    line("@%p7 st.shared.u32 " + place + ", " + stored.name);
    if (!one_in(10)) line("bar.sync 0");
    line("ld.shared.u32 " + to + ", " + place);
    if (!one_in(10)) line("bar.sync 0");
    know(to, true);
  }

  /// A barrier with a result.
  void meet() {
    const std::string to = new_register();
    line("setp.lt.s32 %p6, " + any().name + ", " + any().name);
    if (one_in(2)) {
      line("bar.red.popc.u32 " + to + ", 0, %p6");
    } else {
      line("bar.red.or.pred %p8, 0, %p6");
      line("selp.u32 " + to + ", 1, 0, %p8");
    }
    know(to, true);
  }

  /// Threads draw numbers, and store to the places that these are, or near.
  void draw() {
    const std::string drawn = new_register();
    const std::string guard = one_in(3) ? "" : "@%p7 ";
    if (one_in(2)) {
      line("mad.lo.u32 %r3, %r4, %r5, %r1");
      line("setp.lt.u32 %p7, %r3, %r12");
    } else {
      line("setp.lt.s32 %p7, " + any().name + ", " + any().name);
    }
    const char* const ways[] = {"add", "add", "add", "max"};
    line(guard + "atom.global." + ways[below(4)] + ".u32 " + drawn + ", [%rd5], " +
         std::to_string(1 + below(2)));
    const std::string factor = one_in(4) ? "8" : "4";
    line(guard + "mul.wide.u32 %rd2, " + drawn + ", " + factor);
    line(guard + "add.s64 %rd3, %rd1, %rd2");
    line(guard + "st.global.u32 [%rd3], 1");
  }

  /// Threads access places by themselves and numbers that they may have in common.
  void access() {
    const Value value = any();
    line("and.b32 %r2, " + value.name + ", 15");
    switch (below(4)) {
      case 0:
        line("mad.lo.u32 %r2, %r2, 8, %r1");
        break;
      case 1:
        line("mad.lo.u32 %r2, %r1, 16, %r2");
        break;
      case 2:
        line(std::string("add.u32 %r2, ") + (one_in(2) ? "%r12" : "%r1") + ", " +
             (one_in(2) ? "%r1" : "100"));
        break;
      default:
        line("add.u32 %r2, %r2, %r1");
    }
    line("mul.wide.u32 %rd2, %r2, 4");
    line("add.s64 %rd3, %rd1, %rd2");
    std::string guard;
    if (one_in(3)) {
      line("setp.eq.s32 %p2, " + any().name + ", " + any().name);
      guard = one_in(2) ? "@%p2 " : "@!%p2 ";
    }
    line(guard + (one_in(3) ? "ld.global.u32 %r3, [%rd3]" : "st.global.u32 [%rd3], 1"));
  }

  void branch(At at) {
    const std::string label = std::to_string(labels_++);
    const Value a = one_in(2) ? any_uniform() : any();
    const Value b = one_in(2) ? any_uniform() : any();
    const bool is_uniform = a.is_uniform && b.is_uniform;
    const std::string chosen = new_register();
    line("setp.lt.s32 %p3, " + a.name + ", " + b.name);
    line("@%p3 bra ELSE" + label);
    const bool of_one = arm(at.inside(is_uniform), chosen);
    line("bra END" + label);
    body_ += "ELSE" + label + ":\n";
    const bool of_other = arm(at.inside(is_uniform), chosen);
    body_ += "END" + label + ":\n";
    know(chosen, is_uniform && of_one && of_other);
  }
  /// Whether threads that come here together choose the same.
  bool arm(At at, const std::string& chosen) {
    const std::vector<Value> known = known_;
    statements(1 + static_cast<int>(below(2)), at);
    const Value value = any();
    line("mov.u32 " + chosen + ", " + value.name);
    known_ = known;
    return value.is_uniform;
  }

  /// A number follows no rule from iteration to iteration. The loop ends after at most 4.
  void loop(At at) {
    const std::string label = std::to_string(labels_++);
    const std::string counter = new_register();
    const std::string carried = new_register();
    const Value first = any();
    const Value by = one_in(2) ? any_uniform() : any();
    const Value end = one_in(2) ? any_uniform() : any();
    const bool is_carried_uniform = first.is_uniform && by.is_uniform && one_in(2);
    const bool ends_by_it = one_in(2);
    const bool is_uniform = (is_carried_uniform || !ends_by_it) && end.is_uniform;
    line("mov.u32 " + counter + ", 0");
    line("mov.u32 " + carried + ", " + first.name);
    body_ += "LOOP" + label + ":\n";
    const std::vector<Value> known = known_;
    know(counter, is_uniform && at.is_uniform);
    know(carried, is_carried_uniform);
    statements(3, at.inside(is_uniform));
    const Value step = is_carried_uniform ? by : any();
    known_ = known;
    if (one_in(2)) {
      unfollowed({carried, is_carried_uniform}, carried);
    } else {
      arithmetic({carried, is_carried_uniform}, step, carried);
    }
    known_ = known;
    line("add.s32 " + counter + ", " + counter + ", 1");
    line("setp.lt.s32 %p4, " + (ends_by_it ? carried : counter) + ", " + end.name);
    line("setp.lt.and.s32 %p4, " + counter + ", 4, %p4");
    line("@%p4 bra LOOP" + label);
    know(carried, is_carried_uniform && is_uniform);
  }

  std::mt19937_64 engine_;
  std::string body_;
  std::vector<Value> known_;
  int next_ = 20;
  int labels_ = 0;
  int tiles_ = 0;
};

}  // namespace bankproof::symbolic
