// Writes proofs of kernels for people; see reports.hpp.
#include <fmt/format.h>

#include "../support/shown.hpp"
#include "../support/words.hpp"
#include "reports.hpp"

namespace bankproof::cli {
namespace {

using symbolic::Finding;

/// How much was proved, and of how much.
std::string summary_of(const symbolic::KernelProof& proof) {
  std::size_t proved = 0;
  std::size_t subjects = 0;
  std::size_t questions = 0;
  std::size_t claims = 0;
  for (const symbolic::Decision& one : proof.decisions) {
    claims += one.verdict == symbolic::Verdict::nothing ? 0 : 1;
    proved += one.verdict == symbolic::Verdict::proved ? 1 : 0;
    subjects += one.subjects;
    questions += one.questions;
  }
  return fmt::format(
      "{} of {} proved, about {}; the solvers had to answer {}\n", proved, counted(claims, "claim"),
      subjects == 1 ? "1 access, pair of accesses or barrier"
                    : fmt::format("{} accesses, pairs of them and barriers", subjects),
      counted(questions, "question"));
}

std::string indented(const std::string& lines) {
  std::string text = "    ";
  for (const char c : lines) text += c == '\n' ? "\n    " : std::string(1, c);
  return text + "\n";
}

std::string lines_of(const Finding& finding) {
  std::string text;
  for (const ptx::SourceLine& line : finding.lines) {
    text += (text.empty() ? "" : ", ") + shown_line(line);
  }
  return text;
}

std::string example_of(const symbolic::Example& example) {
  std::string text = "  launch   " + shown_launch(example.launch);
  for (const auto& [name, value] : example.values) {
    text += ", " + shown(name) + " = " + shown(value);
  }
  for (const symbolic::ExampleThread& thread : example.threads) {
    text += "\n  thread   " + shown_thread(thread);
  }
  if (example.replayed && example.replayed->shows) {
    text += "\n  machine  " + shown_line(example.replayed->at) + ": " +
            shown(example.replayed->message);
    const std::vector<std::string>& words = example.replayed->words;
    if (!words.empty()) text += "\n  run      " + shown(as_shell(words));
  }
  return text;
}

}  // namespace

std::string what_is_claimed(symbolic::Claim claim) {
  switch (claim) {
    case symbolic::Claim::race:
      return "no race within a block";
    case symbolic::Claim::blocks:
      return "no race between blocks";
    case symbolic::Claim::barriers:
      return "all threads come to the same barriers";
    case symbolic::Claim::bounds:
      return "each access lies in its array";
    case symbolic::Claim::banks:
      return "no bank conflict in shared memory";
    case symbolic::Claim::coalesced:
      return "no more sectors of global memory than needed";
    case symbolic::Claim::overflow:
      return "no index wraps around";
    case symbolic::Claim::initialized:
      return "shared memory is written before it is read";
    case symbolic::Claim::asserts:
      return "no assertion fails, and no thread traps";
    default:
      return "each access is where the formula says";
  }
}

std::string what_is_claimed(const symbolic::Decision& decision) {
  std::string text = what_is_claimed(decision.claim);
  if (decision.most) {
    const std::string most = "at most " + std::to_string(*decision.most);
    text = decision.claim == symbolic::Claim::banks
               ? most + " wavefronts for an access to shared memory"
               : most + " more sectors of global memory than needed";
  }
  if (!decision.within.empty()) text += ", if " + shown(symbolic::as_conditions(decision.within));
  return text;
}

std::string shown_finding(const Finding& finding) {
  std::string text = lines_of(finding) + (finding.why.empty() ? "" : ": " + shown(finding.why));
  if (finding.example) text += "\n" + example_of(*finding.example);
  return text;
}

std::string shown_line(const ptx::SourceLine& line) {
  return shown(line.file) + ":" + std::to_string(line.line);
}

std::string shown_thread(const symbolic::ExampleThread& thread) {
  std::string text = fmt::format("block ({}) thread ({})", fmt::join(thread.block, ","),
                                 fmt::join(thread.thread, ","));
  if (thread.offset) {
    text += fmt::format(" at byte {} of {}", static_cast<std::int64_t>(*thread.offset),
                        shown(thread.object));
  } else if (!thread.object.empty()) {
    text += " in " + shown(thread.object);
  }
  return text;
}

std::string shown_launch(const symbolic::Launch& launch) {
  return fmt::format("--grid {} --block {}", fmt::join(launch.grid, ","),
                     fmt::join(launch.block, ","));
}

std::string kernel_proof_as_text(const symbolic::KernelProof& proof) {
  std::string text = shown(proof.kernel) + "\n\n";
  for (const symbolic::Decision& one : proof.decisions) {
    text += fmt::format("{:<11} {:<11} {}", name_of(one.verdict), name_of(one.claim),
                        what_is_claimed(one));
    text += "\n";
    if (!one.why.empty()) text += "    " + shown(one.why) + "\n";
    for (const Finding& finding : one.findings) text += indented(shown_finding(finding));
  }
  text += proof.decisions.empty() ? "nothing to prove: the kernel has no access and no barrier\n"
                                  : "\n" + summary_of(proof);
  for (const auto& [what, lines] :
       {std::pair("no thread reaches ", &proof.unreachable),
        std::pair("no solver has found a thread that reaches ", &proof.maybe_unreachable)}) {
    for (const ptx::SourceLine& line : *lines) text += "note: " + (what + shown_line(line)) + "\n";
  }
  text += "\nassumed:\n";
  for (const std::string& one : proof.assumptions) text += "  " + one + "\n";
  return text;
}

}  // namespace bankproof::cli
