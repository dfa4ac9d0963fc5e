// Writes tiny kernels as PTX.
#include "tiny_kernel.hpp"

#include <algorithm>

namespace bankproof::ptx {

namespace {

using Kind = TinyStep::Kind;
using Order = TinyStep::Order;

/// ".relaxed.gpu", ".volatile", or nothing.
std::string order_of(const TinyStep& step) {
  const std::string scope = step.device ? ".gpu" : ".cta";
  switch (step.order) {
    case Order::weak:
      return "";
    case Order::is_volatile:
      return ".volatile";
    case Order::relaxed:
      return ".relaxed" + scope;
    case Order::acquire:
      return ".acquire" + scope;
    case Order::release:
      return ".release" + scope;
    case Order::acquire_release:
      return ".acq_rel" + scope;
    case Order::sequential:
      break;
  }
  return ".sc" + scope;
}

/// The lanes of the thread's warp that belong to the kernel.
std::uint32_t members(const TinyKernel& kernel, const TinyThread& of) {
  std::uint32_t mask = 0;
  for (const TinyThread& thread : kernel.threads) {
    if (thread.block == of.block && thread.index / 32 == of.index / 32) {
      mask |= 1U << thread.index % 32;
    }
  }
  return mask;
}

/// The PTX of the step; registers from %r10 on hold the numbers that steps read.
std::string instruction(const TinyKernel& kernel, const StepName& name) {
  const TinyThread& thread = kernel.threads[name.first];
  const TinyStep& step = thread.steps[name.second];
  const std::string offset = std::to_string(4 * step.word);
  const std::string place = step.shared ? "[tile+" + offset + "]" : "[%rd1+" + offset + "]";
  const std::string type = (step.shared ? ".shared" : ".global") + std::string(".b32 ");
  const std::string result = "%r" + std::to_string(10 + name.second);
  const std::string value = std::to_string(value_of(name));
  switch (step.kind) {
    case Kind::load:
    case Kind::await:
      return "ld" + order_of(step) + type + result + ", " + place + ";";
    case Kind::store:
      return "st" + order_of(step) + type + place + ", " + value + ";";
    case Kind::exchange:
      return "atom" + order_of(step) + (step.shared ? ".shared" : ".global") + ".exch.b32 " +
             result + ", " + place + ", " + value + ";";
    case Kind::fence:
      return "fence" + order_of(step) + ";";
    case Kind::barrier:
      return "barrier.sync 0;";  // unlike bar.sync, it may stand in an arm of a branch
    case Kind::warp_barrier:
      break;
  }
  return "bar.warp.sync " + std::to_string(members(kernel, thread)) + ";";
}

class Writer {
 public:
  void line(const std::string& text) {
    result.text += text + "\n";
    ++lines_;
  }

  void step(const TinyKernel& kernel, const StepName& name) {
    const bool waits = kernel.threads[name.first].steps[name.second].kind == Kind::await;
    const std::string label = "WAIT" + std::to_string(place_of(name));
    if (waits) line(label + ":");
    line(instruction(kernel, name));
    result.step_at[lines_] = name;
    if (!waits) return;
    line("setp.eq.u32 %p1, %r" + std::to_string(10 + name.second) + ", 0;");
    line("@%p1 bra " + label + ";");
  }

  TinyText result;

 private:
  std::uint32_t lines_ = 0;
};

}  // namespace

TinyText as_ptx(const TinyKernel& kernel) {
  Writer writer;
  for (const char* const text : {".version 7.8",
                                 ".target sm_80",
                                 ".address_size 64",
                                 ".visible .entry k(.param .u64 words, .param .u64 numbers)",
                                 "{",
                                 ".reg .pred %p<2>;",
                                 ".reg .b32 %r<18>;",
                                 ".reg .b64 %rd<3>;",
                                 ".shared .align 4 .b8 tile[8];",
                                 "ld.param.u64 %rd1, [words];",
                                 "ld.param.u64 %rd2, [numbers];",
                                 "mov.u32 %r1, %tid.x;",
                                 "mov.u32 %r2, %ctaid.x;",
                                 "mad.lo.u32 %r3, %r2, 64, %r1;",
                                 "setp.ne.u32 %p1, %r1, 0;",
                                 "@%p1 bra READY;",
                                 "st.shared.b32 [tile], 0;",
                                 "st.shared.b32 [tile+4], 0;",
                                 "READY:",
                                 "bar.sync 0;"}) {
    writer.line(text);
  }
  for (std::size_t t = 0; t < kernel.threads.size(); ++t) {
    const TinyThread& thread = kernel.threads[t];
    writer.line("setp.eq.u32 %p1, %r3, " + std::to_string(64 * thread.block + thread.index) + ";");
    writer.line("@%p1 bra THREAD" + std::to_string(t) + ";");
  }
  writer.line("ret;");
  for (std::size_t t = 0; t < kernel.threads.size(); ++t) {
    const std::vector<TinyStep>& steps = kernel.threads[t].steps;
    writer.line("THREAD" + std::to_string(t) + ":");
    for (std::size_t k = 0; k < steps.size(); ++k) writer.step(kernel, {t, k});
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (!steps[k].reads()) continue;
      writer.line("st.global.b32 [%rd2+" + std::to_string(4 * place_of({t, k})) + "], %r" +
                  std::to_string(10 + k) + ";");
    }
    writer.line("ret;");
  }
  writer.line("}");
  return std::move(writer.result);
}

std::ostream& operator<<(std::ostream& out, const TinyKernel& kernel) {
  for (std::size_t t = 0; t < kernel.threads.size(); ++t) {
    const TinyThread& thread = kernel.threads[t];
    out << "\n  block " << thread.block << ", thread " << thread.index << ":";
    for (std::size_t k = 0; k < thread.steps.size(); ++k) {
      out << ' ' << instruction(kernel, {t, k});
      if (thread.steps[k].kind == Kind::await) out << " (until it is not 0)";
    }
  }
  return out << '\n';
}

}  // namespace bankproof::ptx
