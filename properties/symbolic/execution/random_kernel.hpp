// Random kernels with branches and loops, which store to places that they compute. Each store has a
// part of 4096 bytes of the buffer for itself; in kernels with barriers, all share 128 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace bankproof::symbolic {

inline constexpr std::size_t words_of_store = 1024;

class RandomKernel {
 public:
  explicit RandomKernel(std::uint64_t seed, bool has_barriers = false)
      : words_(seed), has_barriers_(has_barriers) {
    for (int r = 10; r < 16; ++r) {
      line("mad.lo.u32 " + name(r) + ", %r1, " + number(9) + ", " + number(40));
      known_.push_back(r);
    }
    line("mov.u32 %r11, %ctaid.x");
    line("ld.param.u32 %r12, [n]");
    line("setp.gt.s32 %p2, %r1, 2");
    statements(5, 0);
  }

  std::size_t stores() const { return stores_; }
  /// Whether threads may end within a loop.
  bool returns_in_loops() const { return returns_in_loops_; }
  std::string text() const {
    return ".version 8.3\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
           ".reg .pred %p<9>;\n.reg .b32 %r<200>;\n.reg .b64 %rd<9>;\n"
           "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n" +
           body_ + "ret;\n}\n";
  }

 private:
  void line(const std::string& text) { body_ += text + ";\n"; }
  static std::string name(int r) { return "%r" + std::to_string(r); }
  std::string number(std::uint64_t below) { return std::to_string(words_.below(below)); }
  int any() { return known_[words_.below(known_.size())]; }
  std::string operand() { return words_.below(3) == 0 ? number(50) : name(any()); }

  void statements(int count, int depth) {
    for (int k = 0; k < count; ++k) {
      if (has_barriers_ && depth == 0 && words_.below(3) == 0) meet();
      const std::uint64_t kind = words_.below(depth < 3 ? 10 : 7);
      if (kind < 4) {
        arithmetic(depth);
      } else if (kind < 7) {
        store();
      } else if (kind < 8) {
        branch(depth);
      } else {
        loop(depth);
      }
    }
  }

  void arithmetic(int depth) {
    const std::string a = name(any());
    const std::string b = operand();
    // A register that a loop changes in no known way would be an unknown, and no test could tell
    // where a store goes. So loops write new registers only.
    const bool is_new = depth > 0 || words_.below(2) == 0;
    const int to = is_new ? next_++ : any();
    const std::string d = name(to);
    switch (words_.below(9)) {
      case 0:
        line("add.s32 " + d + ", " + a + ", " + b);
        break;
      case 1:
        line("sub.s32 " + d + ", " + a + ", " + b);
        break;
      case 2:
        line("mul.lo.s32 " + d + ", " + a + ", " + b);
        break;
      case 3:
        line("and.b32 " + d + ", " + a + ", " + number(32));
        break;
      case 4:
        line("shl.b32 " + d + ", " + a + ", " + number(4));
        break;
      case 5:
        line("shr.s32 " + d + ", " + a + ", " + number(4));
        break;
      case 6:
        line("rem.u32 " + d + ", " + a + ", " + std::to_string(1 + words_.below(9)));
        break;
      case 7:
        line("min.s32 " + d + ", " + a + ", " + b);
        break;
      default:
        line("setp.lt.s32 %p1, " + a + ", " + b);
        line("selp.b32 " + d + ", " + a + ", " + number(9) + ", %p1");
        break;
    }
    if (is_new) known_.push_back(to);
  }

  /// A barrier, or a loop with one: all threads of a block have the same n.
  void meet() {
    if (words_.below(2) == 0) return line("bar.sync 0");
    const std::string label = std::to_string(labels_++);
    const int counter = next_++;
    const std::string end = name(next_++);
    line("ld.param.u32 " + end + ", [n]");
    line("and.b32 " + end + ", " + end + ", 3");
    line("mov.u32 " + name(counter) + ", 0");
    body_ += "TURN" + label + ":\n";
    inside([&] {
      known_.push_back(counter);
      statements(2, 1);
      if (words_.below(3) != 0) line("bar.sync 0");
      statements(2, 1);
    });
    line("add.s32 " + name(counter) + ", " + name(counter) + ", 1");
    line("setp.lt.u32 %p5, " + name(counter) + ", " + end);
    line("@%p5 bra TURN" + label);
  }

  void store() {
    const std::string guard = words_.below(3) == 0
                                  ? (line("setp.lt.s32 %p2, " + name(any()) + ", " + operand()),
                                     words_.below(2) == 0 ? "@%p2 " : "@!%p2 ")
                                  : "";
    const std::size_t words = has_barriers_ ? 32 : words_of_store;
    line("and.b32 %r2, " + name(any()) + ", " + std::to_string(words - 1));
    line("mul.wide.u32 %rd2, %r2, 4");
    line("add.s64 %rd3, %rd1, %rd2");
    if (has_barriers_) {
      ++stores_;
      return line(words_.below(2) == 0 ? "ld.global.u32 %r3, [%rd3]"
                                       : guard + "st.global.u32 [%rd3], 1");
    }
    line(guard + "st.global.u32 [%rd3+" + std::to_string(4 * words_of_store * stores_++) + "], 1");
  }

  /// Makes a body. Registers that only the body writes are not used behind it.
  template <class Body>
  void inside(const Body& body) {
    const std::vector<int> known = known_;
    body();
    known_ = known;
  }

  void branch(int depth) {
    const std::string label = std::to_string(labels_++);
    line("setp.lt.s32 %p3, " + name(any()) + ", " + operand());
    line("@%p3 bra ELSE" + label);
    inside([&] { statements(2, depth + 1); });
    if (!has_barriers_ && words_.below(4) == 0) {
      line("@%p2 ret");
      returns_in_loops_ = returns_in_loops_ || loops_ > 0;
    }
    line("bra END" + label);
    body_ += "ELSE" + label + ":\n";
    inside([&] { statements(1, depth + 1); });
    body_ += "END" + label + ":\n";
  }

  void loop(int depth) {
    const std::string label = std::to_string(labels_++);
    const int counter = next_++;
    const int end = next_++;
    const std::string i = name(counter);
    const bool is_fixed = words_.below(3) == 0;
    const bool halves = words_.below(3) == 0;
    const bool doubles = !halves && words_.below(4) == 0;
    const std::string step = std::to_string(1 + words_.below(3));
    line(is_fixed ? "mov.u32 " + i + ", " + number(3)
                  : "and.b32 " + i + ", " + name(any()) + ", 3");
    line(is_fixed ? "mov.u32 " + name(end) + ", " + number(6)
                  : "and.b32 " + name(end) + ", " + name(any()) + ", 3");
    if (halves) line("shl.b32 " + i + ", " + i + ", 1");
    if (doubles) line("or.b32 " + i + ", " + i + ", 1");
    if (doubles) line("mov.u32 " + name(end) + ", 20");
    // No counter, so that all loops end.
    const int grown = words_.below(2) == 0 ? 10 + static_cast<int>(words_.below(6)) : 0;
    const std::string by = operand();
    // The buffer of a ring, and that of the step before.
    const bool has_ring = words_.below(3) == 0;
    const int turn = has_ring ? next_++ : 0;
    const int before = has_ring ? next_++ : 0;
    const auto buffers = static_cast<std::uint32_t>(2 + words_.below(3));
    if (has_ring) {
      line("mov.u32 " + name(turn) + ", " + std::to_string(words_.below(buffers)));
      line("mov.u32 " + name(before) + ", 7");
    }
    const bool tests_first = words_.below(2) == 0;
    const std::string test =
        halves ? "setp.gt.u32 %p4, " + i + ", 0" : "setp.lt.u32 %p4, " + i + ", " + name(end);
    body_ += "LOOP" + label + ":\n";
    if (tests_first) {
      line(test);
      line("@!%p4 bra DONE" + label);
    }
    ++loops_;
    inside([&] {
      known_.push_back(counter);
      if (has_ring) known_.insert(known_.end(), {turn, before});
      statements(3, depth + 1);
    });
    --loops_;
    if (has_ring) {
      line("mov.u32 " + name(before) + ", " + name(turn));
      line("add.s32 " + name(turn) + ", " + name(turn) + ", 1");
      line("setp.eq.s32 %p6, " + name(turn) + ", " + std::to_string(buffers));
      line("selp.b32 " + name(turn) + ", 0, " + name(turn) + ", %p6");
    }
    if (grown != 0 && name(grown) != by)
      line("add.s32 " + name(grown) + ", " + name(grown) + ", " + by);
    line(halves    ? "shr.u32 " + i + ", " + i + ", 1"
         : doubles ? "shl.b32 " + i + ", " + i + ", 1"
                   : "add.s32 " + i + ", " + i + ", " + step);
    if (tests_first) {
      line("bra LOOP" + label);
    } else {
      line(test);
      line("@%p4 bra LOOP" + label);
    }
    body_ += "DONE" + label + ":\n";
    known_.push_back(counter);
  }

  /// Small numbers of a sequence that the seed determines.
  class Draws {
   public:
    explicit Draws(std::uint64_t seed) : engine_(seed) {}
    std::uint64_t below(std::uint64_t end) { return engine_() % end; }

   private:
    std::mt19937_64 engine_;
  };

  Draws words_;
  bool has_barriers_;
  std::string body_;
  std::vector<int> known_;
  int next_ = 20;
  int labels_ = 0;
  int loops_ = 0;  // around the place
  bool returns_in_loops_ = false;
  std::size_t stores_ = 0;
};

}  // namespace bankproof::symbolic
