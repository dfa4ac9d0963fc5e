// Writes random kernels. %r1 is the value that a thread computes; it depends on the thread's path.
#include "random_kernel.hpp"

namespace bankproof::ptx {

namespace {

const char* const head = ".version 8.3\n.target sm_90\n.address_size 64\n";
const char* const registers =
    ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b32 %c<64>;\n.reg .b64 %rd<5>;\n";

// Computes a new %r1 from the old one.
std::string scrambled(std::uint32_t number) {
  return "mad.lo.u32 %r1, %r1, 1664525, " + std::to_string(2 * number + 1) +
         ";\nshr.u32 %r2, %r1, 7;\nxor.b32 %r1, %r1, %r2;\n";
}

class Writer {
 public:
  Writer(const std::vector<std::uint8_t>& choices, const KernelFeatures& features)
      : choices_(choices), features_(features) {}

  std::string structured() {
    const std::string body = locals() + "bar.sync 0;\n" + statements(0, true);
    return head + functions() + kernel_head() + body + kernel_end();
  }

  std::string tangled() {
    const std::uint32_t count = 2 + choice(9);
    std::string body = locals() + "mov.u32 %r3, 24;\n";
    for (std::uint32_t b = 0; b < count; ++b) {
      body += "B" + std::to_string(b) + ":\n" + scrambled(b);
      if (features_.collectives && choice(6) == 1) body += collective();
      if (features_.calls && choice(8) == 1) body += call();
      if (features_.exits && choice(10) == 1) body += condition() + "@%p1 exit;\n";
      if (features_.locals && choice(6) == 1) body += local();
      body += "sub.u32 %r3, %r3, 1;\nsetp.eq.u32 %p0, %r3, 0;\n@%p0 bra END;\n";
      if (choice(4) == 3) {
        body += "and.b32 %r4, %r1, 3;\nT" + std::to_string(b) + ": .branchtargets B" +
                std::to_string(choice(count)) + ", B" + std::to_string(choice(count)) + ", END, B" +
                std::to_string(choice(count)) + ";\nbrx.idx %r4, T" + std::to_string(b) + ";\n";
        continue;
      }
      body += condition() + "@" + (choice(2) == 1 ? "!" : "") + "%p1 bra B" +
              std::to_string(choice(count)) + ";\n";
      if (choice(3) == 1) body += "bra.uni B" + std::to_string(choice(count)) + ";\n";
    }
    return head + functions() + kernel_head() + body + "END:\n" + kernel_end();
  }

 private:
  std::uint32_t choice(std::uint32_t below) {
    return next_ < choices_.size() ? choices_[next_++] % below : 0;
  }

  std::string label() { return "L" + std::to_string(labels_++); }

  static std::string kernel_head() {
    return std::string(".visible .entry k(.param .u64 out)\n{\n") + registers +
           "ld.param.u64 %rd1, [out];\nmov.u32 %r5, %tid.x;\nmov.u32 %r6, %ctaid.x;\n"
           "mov.u32 %r7, %ntid.x;\nmad.lo.u32 %r1, %r6, %r7, %r5;\nmul.wide.u32 %rd2, %r1, 4;\n"
           "add.u64 %rd2, %rd1, %rd2;\n";
  }
  static std::string kernel_end() { return "st.global.u32 [%rd2], %r1;\nret;\n}\n"; }

  // A function with branches, and a recursive function.
  static std::string functions() {
    return std::string(".func (.param .b32 result) f(.param .b32 x)\n{\n") + registers +
           "ld.param.b32 %r1, [x];\nand.b32 %r2, %r1, 5;\nsetp.eq.u32 %p1, %r2, 4;\n"
           "@%p1 bra OTHER;\nmul.lo.u32 %r1, %r1, 3;\nst.param.b32 [result], %r1;\n"
           "setp.eq.u32 %p2, %r2, 1;\n@%p2 ret;\n"
           "OTHER: add.u32 %r1, %r1, 77;\nst.param.b32 [result], %r1;\nret;\n}\n"
           ".func (.param .b32 result) g(.param .b32 x)\n{\n" +
           registers +
           "ld.param.b32 %r1, [x];\nand.b32 %r2, %r1, 3;\nsetp.eq.u32 %p1, %r2, 0;\n"
           ".local .align 4 .b8 kept[4];\nst.local.b32 [kept], %r1;\n"
           "@%p1 bra BASE;\nshr.u32 %r3, %r1, 1;\n{ .param .b32 a; .param .b32 b;\n"
           "st.param.b32 [a], %r3;\ncall.uni (b), g, (a);\nld.param.b32 %r4, [b]; }\n"
           "ld.local.b32 %r1, [kept];\nadd.u32 %r1, %r1, %r4;\n"
           "BASE: st.param.b32 [result], %r1;\nret;\n}\n";
  }

  std::string call() {
    const std::string name = choice(2) == 1 ? "g" : "f";
    return "{ .param .b32 a; .param .b32 b;\nst.param.b32 [a], %r1;\ncall.uni (b), " + name +
           ", (a);\nld.param.b32 %r1, [b]; }\n";
  }

  // Eight words of local memory, with their generic address in %rd4.
  std::string locals() const {
    if (!features_.locals) return "";
    std::string text =
        ".local .align 16 .b8 mine[32];\nmov.u64 %rd3, mine;\n"
        "cvta.local.u64 %rd4, %rd3;\n";
    for (int word = 0; word < 8; ++word) {
      text += "st.local.u32 [mine+" + std::to_string(4 * word) + "], %r5;\n";
    }
    return text;
  }

  // Exchanges %r1 with one of the local words.
  std::string local() {
    const std::string at =
        "and.b32 %r2, %r1, 28;\nmul.wide.u32 %rd3, %r2, 1;\n"
        "add.u64 %rd3, %rd4, %rd3;\n";
    const bool generic = choice(2) == 1;
    return (generic ? at : "") + "ld" +
           (generic ? ".u32 %r4, [%rd3]" : ".local.u32 %r4, [mine+12]") + ";\nst" +
           (generic ? ".u32 [%rd3]" : ".local.u32 [mine+12]") + ", %r1;\nxor.b32 %r1, %r1, %r4;\n";
  }

  // Sets %p1 to a condition on %r1.
  std::string condition() {
    return "shr.u32 %r2, %r1, " + std::to_string(choice(20)) + ";\nand.b32 %r2, %r2, " +
           std::to_string(1 + choice(7)) + ";\nsetp.lt.u32 %p1, %r2, " +
           std::to_string(1 + choice(4)) + ";\n";
  }

  std::string collective() {
    const std::uint32_t which = choice(features_.exits ? 5 : 6);
    const std::string test = which == 0 ? condition() : "";
    const std::string distance = std::to_string(which == 5 ? 1 + choice(3) : 0);
    switch (which) {
      case 0:
        return test + together("vote.sync.ballot.b32 %r2, %p1, ") + "xor.b32 %r1, %r1, %r2;\n";
      case 1:
        return together("redux.sync.add.u32 %r2, %r1, ") + "add.u32 %r1, %r1, %r2;\n";
      case 2:
        return together("bar.warp.sync ");
      case 3:
        return "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;\nadd.u32 %r1, %r1, %r2;\n";
      case 4:
        return "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r2, %r4}, {%r1}, {%r1}, "
               "{%r1, %r1};\nadd.u32 %r1, %r2, %r4;\n";
      default:
        return together("shfl.sync.bfly.b32 %r2, %r1, " + distance + ", 31, ") +
               "add.u32 %r1, %r1, %r2;\n";
    }
  }

  // The instruction with a mask: either all lanes, or for each half of the warp that half.
  // Sometimes the masks are wrong: the mask of the first half is the first half, but the mask of
  // the second half is all lanes.
  std::string together(const std::string& instruction) {
    const std::uint32_t kind = choice(16);
    if (kind < 12) return instruction + "-1;\n";
    return std::string("and.b32 %r2, %r5, 16;\nmov.u32 %r8, 65535;\nshl.b32 %r8, %r8, %r2;\n") +
           (kind == 12 ? "or.b32 %r8, %r8, 65535;\n" : "") + instruction + "%r8;\n";
  }

  std::string statements(std::uint32_t depth, bool uniform) {
    std::string text;
    const std::uint32_t count = choice(4) + (depth == 0 ? 1 : 0);
    for (std::uint32_t s = 0; s < count; ++s) text += statement(depth, uniform);
    return text;
  }

  // `uniform` says that all threads that have not exited come here.
  std::string statement(std::uint32_t depth, bool uniform) {
    std::string here = scrambled(labels_);
    if (depth > 4) return here;
    switch (choice(10)) {
      case 0:
        return here + (uniform && features_.barriers ? "bar.sync 0;\n" : "");
      case 1:
      case 2: {
        const std::string other = label();
        const std::string end = label();
        const std::string test = condition();
        const std::string first = statements(depth + 1, false);
        return here + test + "@%p1 bra " + other + ";\n" + first + "bra.uni " + end + ";\n" +
               other + ":\n" + statements(depth + 1, false) + end + ":\n";
      }
      case 3:
      case 4:
        return here + loop(depth);
      case 5:
        return here + (features_.exits ? condition() + "@%p1 ret;\n" : "");
      case 6:
        return here + (features_.calls ? call() : "");
      case 7:
        return here + (features_.collectives ? collective() : "");
      case 8:
        return here + (features_.locals ? local() : "");
      default:
        if (breaks_.empty()) return here;
        return here + condition() + "@%p1 bra " +
               (choice(2) == 1 ? breaks_.back() : continues_.back()) + ";\n";
    }
  }

  std::string loop(std::uint32_t depth) {
    const std::string begin = label();
    const std::string next = label();
    const std::string end = label();
    const std::string counter = "%c" + std::to_string(counters_++ % 64);
    std::string text = "and.b32 " + counter + ", %r1, 3;\n" + begin + ":\n";
    breaks_.push_back(end);
    continues_.push_back(next);
    text += statements(depth + 1, false);
    breaks_.pop_back();
    continues_.pop_back();
    return text + next + ":\nadd.u32 " + counter + ", " + counter + ", 1;\nsetp.lt.u32 %p2, " +
           counter + ", 5;\n@%p2 bra " + begin + ";\n" + end + ":\n";
  }

  const std::vector<std::uint8_t>& choices_;
  KernelFeatures features_;
  std::size_t next_ = 0;
  std::uint32_t labels_ = 0;
  std::uint32_t counters_ = 0;
  std::vector<std::string> breaks_;
  std::vector<std::string> continues_;
};

}  // namespace

std::string structured_kernel(const std::vector<std::uint8_t>& choices,
                              const KernelFeatures& features) {
  return Writer(choices, features).structured();
}

std::string tangled_kernel(const std::vector<std::uint8_t>& choices,
                           const KernelFeatures& features) {
  return Writer(choices, features).tangled();
}

}  // namespace bankproof::ptx
