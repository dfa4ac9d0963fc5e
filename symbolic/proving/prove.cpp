// Decides claims; see prove.hpp.
#include "prove.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "../../proofs/solvers/solvers.hpp"
#include "../../ptx/report/origins.hpp"
#include "../../ptx/syntax/cpp_names.hpp"
#include "../claims/threads.hpp"
#include "../invariants/invariants.hpp"
#include "../solving/decide.hpp"
#include "examples.hpp"
#include "premises.hpp"

namespace bankproof::symbolic {

namespace {

class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// After so many findings of a claim, or so many that are refuted, further questions are not asked.
constexpr std::size_t most_findings = 8;
constexpr std::ptrdiff_t most_refuted = 2;

class Proving {
 public:
  explicit Proving(const Request& request)
      : request_(request),
        parameters_(signature_of(request.kernel->name, request.kernel->parameters.size(),
                                 request.source_text)),
        replays_(request.file, request.kernel->name) {}

  KernelProof all() {
    const Clock clock;
    KernelProof proof{.kernel = ptx::demangled(request_.kernel->name), .parameters = parameters_};
    std::vector<Claim> claims = request_.claims;
    const bool is_chosen = !claims.empty();
    if (!is_chosen) claims.assign(all_claims.begin(), all_claims.end());
    say("following the kernel");
    try {
      execution_.emplace(pool_, request_.file->module, *request_.kernel, request_.shape);
      subject_.emplace(Subject{pool_, *execution_});
      state_premises(*subject_, request_, parameters_);
      examples_.emplace(*subject_, *request_.kernel, request_, parameters_);
      say("looking for invariants");
      invariants_ = add_invariants(*subject_);
      show_reachable(proof);
      reached_ = proof.reached;
      for (const Claim claim : claims) {
        Decision decision = decide_claim(claim);
        if (decision.subjects == 0 && !is_chosen) continue;
        proof.decisions.push_back(std::move(decision));
      }
    } catch (const NotFollowed& reason) {
      for (const Claim claim : claims) {
        Finding finding{.verdict = Verdict::unsupported, .why = reason.what.what};
        finding.lines.push_back(line_at(reason.what.place));
        proof.decisions.push_back(
            {.claim = claim, .verdict = Verdict::unsupported, .findings = {std::move(finding)}});
      }
    }
    proof.assumptions = assumptions();
    if (!request_.buffers.empty()) {
      proof.assumptions.emplace_back("a stated buffer has 0 to 2^40 elements");
    }
    proof.seconds = clock.seconds();
    return proof;
  }

 private:
  void say(const std::string& step) const {
    if (request_.progress) request_.progress(step);
  }

  // ---- What is reached

  void show_reachable(KernelProof& proof) {
    say("looking for threads that reach each access");
    Threads threads(*subject_, Which::of_one_block, 1);
    bool is_any_launch_possible = false;
    const auto look = [&](const Guard& guard, const ptx::Instruction& instruction) {
      const std::vector<Term> statements = threads.with_facts(guard.parts()).all();
      if (examples_->model(statements, {}, Examples::Size::small) ||
          examples_->model(statements, {}, Examples::Size::any)) {
        ++proof.reached;
        is_any_launch_possible = true;
        return;
      }
      const bool is_never = decide(pool_, statements).kind == Decided::Kind::never;
      auto& lines = is_never ? proof.unreachable : proof.maybe_unreachable;
      const ptx::SourceLine line = line_of(instruction);
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    };
    std::set<std::vector<Term>> seen;
    const auto look_once = [&](const Guard& guard, const ptx::Instruction& instruction) {
      if (seen.insert(guard.parts()).second) look(guard, instruction);
    };
    for (const Access& access : subject_->trace().accesses) {
      look_once(access.guard, *access.instruction);
    }
    for (const Barrier& barrier : subject_->trace().barriers) {
      look_once(barrier.guard, *barrier.instruction);
    }
    if (is_any_launch_possible || seen.empty()) return;
    if (decide(pool_, threads.with_facts({}).all()).kind == Decided::Kind::never) {
      throw PremiseError(
          "no launch fulfills the options: they contradict each other, or the sizes that are "
          "assumed (1024 threads in a block, 2^30 in all)");
    }
  }

  // ---- Claims

  Asked asked(Claim claim) {
    switch (claim) {
      case Claim::race:
        return ask_race(*subject_);
      case Claim::blocks:
        return ask_blocks(*subject_);
      case Claim::barriers:
        return ask_barriers(*subject_);
      case Claim::bounds:
        return ask_bounds(*subject_);
      default:
        return ask_banks(*subject_, request_.most_wavefronts);
    }
  }

  Decision decide_claim(Claim claim) {
    const Clock clock;
    const Asked questions = asked(claim);
    Decision decision{.claim = claim, .subjects = questions.subjects};
    std::vector<std::string> texts = invariants_;
    for (const Question& question : questions.questions) {
      say(std::string(name_of(claim)) + ": question " + std::to_string(decision.questions + 1) +
          " of " + std::to_string(questions.questions.size()));
      ++decision.questions;
      if (auto finding = answer(claim, question, texts)) add(decision, std::move(*finding));
      const auto refuted =
          std::count_if(decision.findings.begin(), decision.findings.end(),
                        [](const Finding& one) { return one.verdict == Verdict::refuted; });
      if (decision.findings.size() >= most_findings || refuted >= most_refuted) break;
    }
    decision.verdict = Verdict::proved;
    if (decision.subjects == 0) {
      decision.verdict = Verdict::unknown;
      decision.why = "the kernel has nothing that the claim is about";
    }
    const auto has = [&](Verdict verdict) {
      return std::any_of(decision.findings.begin(), decision.findings.end(),
                         [&](const Finding& one) { return one.verdict == verdict; });
    };
    if (has(Verdict::unknown)) decision.verdict = Verdict::unknown;
    if (has(Verdict::refuted)) decision.verdict = Verdict::refuted;
    if (decision.verdict == Verdict::proved && !texts.empty()) {
      say(std::string(name_of(claim)) + ": cvc5 confirms");
      const Confirmed confirmed = confirm(texts);
      if (confirmed.why_not) {
        decision.verdict = Verdict::unknown;
        decision.why = "Z3 proves it; cvc5 does not decide: " + *confirmed.why_not;
      }
    }
    if (decision.verdict == Verdict::proved) doubt(decision);
    decision.seconds = clock.seconds();
    return decision;
  }

  /// A claim that follows from nothing that runs, or from a claim that does not hold, is not
  /// proved.
  void doubt(Decision& decision) {
    if (reached_ == 0) {
      decision.verdict = Verdict::unknown;
      decision.why = "no solver finds a thread that comes to any access or barrier";
    }
    // Barriers separate accesses only if all threads come to the same ones.
    if (decision.claim != Claim::race || subject_->trace().barriers.empty()) return;
    if (!barriers_hold_) barriers_hold_ = decide_claim(Claim::barriers).verdict == Verdict::proved;
    if (!*barriers_hold_) {
      decision.verdict = Verdict::unknown;
      decision.why = "it is not proved that all threads come to the same barriers";
    }
  }

  /// One finding for each set of lines.
  static void add(Decision& decision, Finding finding) {
    for (Finding& known : decision.findings) {
      // What is not stated is not stated for any line.
      if (!finding.example && known.why == finding.why && known.lines != finding.lines) {
        for (const ptx::SourceLine& line : finding.lines) {
          if (std::find(known.lines.begin(), known.lines.end(), line) == known.lines.end()) {
            known.lines.push_back(line);
          }
        }
        return;
      }
      if (known.lines != finding.lines) continue;
      if (known.verdict != Verdict::refuted) known = std::move(finding);
      return;
    }
    decision.findings.push_back(std::move(finding));
  }

  /// Nothing if the question's statements cannot hold; then its text is among `texts`.
  std::optional<Finding> answer(Claim claim, const Question& question,
                                std::vector<std::string>& texts) {
    Finding finding;
    for (const Participant& one : question.participants) {
      const ptx::SourceLine line = line_of(*one.instruction);
      if (std::find(finding.lines.begin(), finding.lines.end(), line) == finding.lines.end()) {
        finding.lines.push_back(line);
      }
      finding.opcodes.push_back(one.instruction->opcode());
    }
    if (question.unasked != Unasked::no) {
      finding.why = why_not(question);
      return finding;
    }
    std::vector<Term> asked = question.statements.asked;
    std::sort(asked.begin(), asked.end());
    const auto is_part = [&](const std::vector<Term>& known) {
      return std::includes(asked.begin(), asked.end(), known.begin(), known.end());
    };
    // Fewer statements than these cannot hold.
    if (std::any_of(never_.begin(), never_.end(), is_part)) return std::nullopt;
    const Decided decided = decide_question(claim, question);
    if (decided.kind == Decided::Kind::never) {
      texts.push_back(decided.text);
      never_.push_back(std::move(asked));
      return std::nullopt;
    }
    if (decided.kind == Decided::Kind::unknown) {
      finding.why = "Z3 does not decide; state more about the launch by --block, --grid or --where";
      return finding;
    }
    Example example = replayed(claim, finding, question, decided.model);
    // A race within a block may hide one between blocks; and much may depend on contents.
    for (const Examples::Size size : {Examples::Size::single, Examples::Size::ample}) {
      if (!example.replayed || example.replayed->shows) break;
      if (size == Examples::Size::single && claim != Claim::blocks) continue;
      const auto model = examples_->model(question.statements.all(), question.participants, size);
      if (!model) continue;
      Example other = replayed(claim, finding, question, *model);
      if (other.replayed && other.replayed->shows) example = std::move(other);
    }
    if (example.replayed && example.replayed->shows) {
      finding.verdict = Verdict::refuted;
    } else if (example.replayed) {
      finding.why =
          "the machine does not show it for this launch: contents of buffers may decide, or what a "
          "loop leaves in a register";
    } else {
      finding.why = "the launch is too large to be replayed; state by --where how large it can be";
    }
    finding.example = std::move(example);
    return finding;
  }

  /// Tries what is quick first: most questions cannot be, or can be in a small launch.
  Decided decide_question(Claim claim, const Question& question) {
    const std::vector<Term>& asked = question.statements.asked;
    const auto example = [&](Examples::Size size) -> std::optional<Decided> {
      const auto model = examples_->model(question.statements.all(), question.participants, size);
      return model ? std::optional(Decided{Decided::Kind::possible, {}, *model}) : std::nullopt;
    };
    // Banks are the lowest bits of addresses; bit-vectors show them best.
    const unsigned integers_ms = claim == Claim::banks ? 50 : 250;
    Decided decided = decide(pool_, asked, {.integers_ms = integers_ms, .bits_ms = 400});
    if (decided.kind == Decided::Kind::never) return decided;
    if (const auto found = example(Examples::Size::small)) return *found;
    decided = decide(pool_, asked, {.integers_ms = 8 * integers_ms, .bits_ms = 3000});
    if (decided.kind == Decided::Kind::never) return decided;
    return example(Examples::Size::any).value_or(Decided{});
  }

  Example replayed(Claim claim, const Finding& finding, const Question& question,
                   const Model& model) {
    Example example = examples_->made(model, question.participants);
    if (Examples::can_be_run(example)) {
      example.replayed = replays_(example.launch, claim, finding.lines, question.most_wavefronts);
    }
    return example;
  }

  std::string why_not(const Question& question) const {
    const std::optional<Term> object = question.participants.front().object;
    const std::string name = object ? examples_->name_of(*object) : "";
    switch (question.unasked) {
      case Unasked::size:
        return "the size of " + name + " is not stated; " +
               (subject_->inputs().object(*object)->space == ptx::Space::shared
                    ? "state it by --shared BYTES"
                    : "state it by --buffer " + name + "=COUNT");
      case Unasked::alignment:
        return name + " may begin within a word of a bank";
      case Unasked::wavefronts:
        return "a full warp needs more wavefronts for its bytes than are claimed";
      default:
        return "the address is no array's begin plus a number";
    }
  }

  /// The line of the user's own file.
  ptx::SourceLine line_of(const ptx::Instruction& instruction) {
    const auto known = lines_.find(&instruction);
    if (known != lines_.end()) return known->second;
    const ptx::Module& module = request_.file->module;
    const auto function = static_cast<std::size_t>(request_.kernel - module.functions.data());
    const std::vector<ptx::Statement>& body = request_.kernel->body;
    for (std::size_t s = 0; s < body.size(); ++s) {
      if (std::get_if<ptx::Instruction>(&body[s]) != &instruction) continue;
      const ptx::SiteStatement site{function, s};
      return lines_[&instruction] =
                 ptx::origins_of(module, {&site, 1}, request_.file->source).front().at;
    }
    return {};
  }

  ptx::SourceLine line_at(const ptx::Place& place) {
    for (const ptx::Statement& statement : request_.kernel->body) {
      const auto* const instruction = std::get_if<ptx::Instruction>(&statement);
      if (instruction != nullptr && instruction->place.line == place.line &&
          instruction->place.column == place.column) {
        return line_of(*instruction);
      }
    }
    return {};
  }

  static std::vector<std::string> assumptions() {
    return {
        "this PTX is what runs: ptxas and the chip are trusted",
        "pointers point to different arrays, and an access stays in the array of its pointer",
        "each thread ends its loops at some time",
        "lanes of a warp are in the same iteration of a loop (banks)",
        "an axis that the kernel does not read has one index, unless --block or --grid states it",
        "a launch has at most 2^30 threads, and a grid at most 65535 blocks along y and z"};
  }

  const Request& request_;
  std::vector<NamedParameter> parameters_;
  Replays replays_;
  Pool pool_;
  std::optional<Execution> execution_;
  std::optional<Subject> subject_;
  std::optional<Examples> examples_;
  std::vector<std::string> invariants_;
  std::size_t reached_ = 0;  // accesses and barriers to which a thread surely comes
  std::optional<bool> barriers_hold_;
  std::vector<std::vector<Term>> never_;  // sorted statements that cannot hold together
  std::map<const ptx::Instruction*, ptx::SourceLine> lines_;
};

}  // namespace

KernelProof prove(const Request& request) { return Proving(request).all(); }

}  // namespace bankproof::symbolic
