// Decides claims; see prove.hpp.
#include "prove.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <span>

#include "../../proofs/solvers/solvers.hpp"
#include "../../ptx/syntax/cpp_names.hpp"
#include "../claims/threads.hpp"
#include "../flow/inlining.hpp"
#include "../flow/parameter_addresses.hpp"
#include "../flow/stack.hpp"
#include "../invariants/invariants.hpp"
#include "../replay/words.hpp"
#include "addresses.hpp"
#include "agreeing.hpp"
#include "answers.hpp"
#include "assumed.hpp"
#include "known.hpp"
#include "premises.hpp"
#include "reach.hpp"

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
constexpr std::ptrdiff_t most_findings = 8;
constexpr std::ptrdiff_t most_refuted = 2;
/// After so long, one that is refuted is enough.
constexpr double seconds_of_refuted_claim = 4;
/// After so many that are open, others are asked in haste, and in more after so long.
constexpr int most_undecided = 1;
constexpr double seconds_at_ease = 8;
/// Then no further ones are asked.
constexpr double seconds_of_open_claim = 15;

/// So many questions are asked at once, first and at most, as long as all are proved.
constexpr std::size_t first_foreseen = 2;
constexpr std::size_t most_foreseen = 16;

class Proving {
 public:
  explicit Proving(const Request& request)
      : request_(request),
        values_(values_of(*request.kernel,
                          signature_of(request.kernel->name, request.kernel->parameters.size(),
                                       request.source_text, request.types),
                          request.types)),
        inlined_(with_calls_inlined(request.file->module, index_of(request))),
        in_registers_(with_stack_in_registers(with_calls(), index_of(request))),
        by_name_(with_parameters_by_name(with_stack(), index_of(request))),
        lines_(request.file->module, request.file->source),
        conditions_(take_element_conditions(request_, values_)),
        replays_(request.file, request.kernel->name, conditions_,
                 written_by_hosts(request.file->module, overwritten_in(request))) {}

  KernelProof all() {
    const Clock clock;
    KernelProof proof{.kernel = ptx::demangled(request_.kernel->name)};
    std::vector<Claim> claims = request_.claims;
    const bool is_chosen = !claims.empty() || !request_.addresses.empty();
    if (!is_chosen) claims.assign(all_claims.begin(), all_claims.end());
    if (!request_.addresses.empty()) claims.push_back(Claim::address);
    say("following the kernel");
    try {
      execution_.emplace(pool_, module(), kernel(), shape_of(request_, values_));
      subject_.emplace(subject_of(pool_, *execution_, request_, values_, conditions_));
      examples_.emplace(*subject_, *request_.kernel, request_, values_);
      usual_.emplace(*subject_, request_, values_);
      answers_.emplace(*subject_, *examples_, *usual_, replays_, lines_, request_.is_stopped);
      if (!request_.addresses.empty()) {
        addresses_.emplace(*subject_, request_, values_, *examples_, lines_);
      }
      subject_->loads_agree = has_agreeing_loads(*subject_);
      look_for_invariants();
      say("looking for threads that reach each access");
      reach_.emplace(*subject_, *examples_, lines_);
      reach_->look(proof, request_.is_stopped);
      reached_ = proof.reached;
      if (subject_->loads_agree) decide_whether_loads_agree();
      for (const Claim claim : claims) {
        Decision decision = decide_claim(claim);
        if (decision.verdict == Verdict::nothing && !is_chosen) continue;
        proof.decisions.push_back(std::move(decision));
      }
    } catch (const NotFollowed& reason) {
      for (const Claim claim : claims) {
        Finding finding{.verdict = Verdict::unsupported, .why = reason.what.what};
        finding.lines.push_back(lines_.at(reason.what.place));
        proof.decisions.push_back(
            {.claim = claim, .verdict = Verdict::unsupported, .findings = {std::move(finding)}});
      }
    }
    proof.assumptions = assumed();
    for (const Decision& one : proof.decisions) {
      if (one.within.empty()) continue;
      proof.assumptions.push_back(std::string(name_of(one.claim)) + ": " +
                                  as_conditions(one.within) +
                                  ", as long as no --where bounds what is named");
    }
    proof.seconds = clock.seconds();
    return proof;
  }

 private:
  static std::size_t index_of(const Request& request) {
    return static_cast<std::size_t>(request.kernel - request.file->module.functions.data());
  }
  /// The kernel with the functions that it calls.
  const ptx::Module& with_calls() const {
    return inlined_ ? inlined_->module : request_.file->module;
  }
  const ptx::Module& with_stack() const { return in_registers_ ? *in_registers_ : with_calls(); }
  const ptx::Module& module() const { return by_name_ ? *by_name_ : with_stack(); }
  const ptx::Function& kernel() const { return module().functions[index_of(request_)]; }

  void say(const std::string& step) const {
    if (request_.progress) request_.progress(step);
  }
  bool is_stopped() const { return request_.is_stopped && request_.is_stopped(); }

  // ---- Claims

  Asked asked(Claim claim) {
    if (claim == Claim::address) return addresses_->asked();
    return ask(*subject_, claim, request_.most_wavefronts, request_.most_sectors);
  }

  Decision decide_claim(Claim claim) {
    return is_stopped() ? stopped({.claim = claim}) : decide(claim, asked(claim));
  }
  /// What is open stays open.
  static Decision stopped(Decision decision) {
    const bool is_refuted =
        std::any_of(decision.findings.begin(), decision.findings.end(),
                    [](const Finding& one) { return one.verdict == Verdict::refuted; });
    decision.verdict = is_refuted ? Verdict::refuted : Verdict::unknown;
    if (!is_refuted) decision.why = "the run was stopped before the claim was decided";
    return decision;
  }

  Decision decide(Claim claim, const Asked& questions) {
    const Clock clock;
    some_end_ = some_end_ || questions.some_end;
    Decision decision{.claim = claim, .subjects = questions.subjects};
    if (claim == Claim::banks) decision.most = request_.most_wavefronts;
    if (claim == Claim::coalesced && request_.most_sectors > 0) {
      decision.most = request_.most_sectors;
    }
    std::set<ptx::SourceLine> lines;
    for (const ptx::Instruction* const one : questions.instructions) lines.insert(lines_.of(*one));
    decision.lines.assign(lines.begin(), lines.end());
    std::vector<Excluded> excluded = invariants_;
    int undecided = 0;
    std::size_t foreseen = 0;
    SizeBounds assumed;
    for (const Question& question : questions.questions) {
      if (is_stopped()) return stopped(std::move(decision));
      if (decision.questions == foreseen && decision.findings.empty()) {
        const auto rest = std::span(questions.questions).subspan(foreseen);
        const std::size_t more = std::clamp(foreseen, first_foreseen, most_foreseen);
        answers_->foresee(claim, rest.first(std::min(rest.size(), more)));
        foreseen += more;
      }
      say(std::string(name_of(claim)) + ": question " + std::to_string(decision.questions + 1) +
          " of " + std::to_string(questions.questions.size()));
      ++decision.questions;
      // A claim with open questions is not proved: further ones may still refute it.
      Answers::Haste haste = Answers::Haste::none;
      if (!assumed.empty()) haste = Answers::Haste::little;
      if (undecided >= most_undecided) haste = Answers::Haste::some;
      if (undecided >= most_undecided && clock.seconds() > seconds_at_ease) {
        haste = Answers::Haste::much;
      }
      Answers::Answer answer = (*answers_)(claim, question, haste, assumed);
      std::move(answer.excluded.begin(), answer.excluded.end(), std::back_inserter(excluded));
      if (answer.finding) {
        const bool holds_within = !answer.finding->within.empty();
        add_bounds(assumed, answer.finding->within);
        if (answer.finding->verdict == Verdict::unknown && !holds_within) ++undecided;
        add(decision, std::move(*answer.finding));
      } else {
        if (claim == Claim::address) addresses_->shown(decision.questions - 1, answer.way);
      }
      const auto count = [&](const auto& is) {
        return std::count_if(decision.findings.begin(), decision.findings.end(), is);
      };
      // Those that hold within bounds may be assumed in the end.
      const auto open = count([](const Finding& one) { return one.within.empty(); });
      const auto refuted =
          count([](const Finding& one) { return one.verdict == Verdict::refuted; });
      const bool is_late = clock.seconds() > seconds_of_refuted_claim;
      if (open >= most_findings || refuted >= (is_late ? 1 : most_refuted)) break;
      if (undecided >= most_undecided && clock.seconds() > seconds_of_open_claim) {
        const std::size_t rest = questions.questions.size() - decision.questions;
        if (rest > 0) {
          decision.why = "the claim is open after " + std::to_string(decision.questions) +
                         " questions; " + std::to_string(rest) + " more are not asked";
        }
        break;
      }
    }
    assume_bounds(decision);
    decision.verdict = Verdict::proved;
    if (decision.subjects == 0) {
      decision.verdict = Verdict::nothing;
      decision.why = "the kernel has nothing that the claim is about";
    }
    const auto has = [&](Verdict verdict) {
      return std::any_of(decision.findings.begin(), decision.findings.end(),
                         [&](const Finding& one) { return one.verdict == verdict; });
    };
    if (has(Verdict::unknown)) decision.verdict = Verdict::unknown;
    if (has(Verdict::refuted)) {
      decision.verdict = Verdict::refuted;
      decision.why.clear();
    }
    if (decision.verdict == Verdict::proved && claim == Claim::address && addresses_->unused()) {
      decision.verdict = Verdict::unknown;
      decision.why = "no access has the index " + *addresses_->unused();
    }
    if (decision.verdict == Verdict::proved && is_stopped()) return stopped(std::move(decision));
    if (decision.verdict == Verdict::proved && !excluded.empty()) {
      say(std::string(name_of(claim)) + ": cvc5 confirms");
      // cvc5 answers each text once.
      std::sort(excluded.begin(), excluded.end());
      excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
      std::erase_if(excluded, [&](const Excluded& one) { return confirmed_.count(one) != 0; });
      const Confirmed confirmed = confirm(pool_, excluded, request_.is_stopped);
      confirmed_.insert(excluded.begin(),
                        excluded.begin() + static_cast<std::ptrdiff_t>(confirmed.count));
      if (confirmed.why_not && is_stopped()) return stopped(std::move(decision));
      if (confirmed.why_not) {
        decision.verdict = Verdict::unknown;
        decision.why = "Z3 proves it; cvc5 does not decide: " + *confirmed.why_not;
      }
    }
    if (decision.verdict == Verdict::proved) doubt(decision);
    decision.seconds = clock.seconds();
    return decision;
  }

  /// Keeps the assumption that threads agree about what they load if it holds: all come to the same
  /// barriers, and nothing races for what they load.
  void decide_whether_loads_agree() {
    const Trace& trace = subject_->trace();
    const bool has_barrier = !trace.barriers.empty() || !trace.warp_barriers.empty();
    if (has_barrier) barriers_ = decide_claim(Claim::barriers);
    if (!has_barrier || barriers_->verdict == Verdict::proved) {
      const Asked races = ask_race_about(*subject_, objects_of_agreeing_loads(*subject_));
      loads_ = decide(Claim::race, races);
      if (loads_->verdict == Verdict::proved || races.subjects == 0) return;
    }
    subject_->loads_agree = false;
    barriers_.reset();
    loads_.reset();
    look_for_invariants();
  }

  void look_for_invariants() {
    say("looking for invariants");
    execution_->forget_invariants();
    invariants_ = add_invariants(*subject_, [&](const std::vector<Term>& statements) {
      return usual_->alternatives(statements);
    });
  }

  static void add_bounds(SizeBounds& within, const SizeBounds& more) {
    for (const auto& [name, bound] : more) {
      SizeBound& known = within.try_emplace(name, bound).first->second;
      known.exponent = std::min(known.exponent, bound.exponent);
      known.least = std::max(known.least, bound.least);
    }
  }

  /// A claim of which only the sizes are open is proved for usual ones.
  void assume_bounds(Decision& decision) const {
    SizeBounds within;
    for (const Finding& one : decision.findings) {
      if (one.within.empty()) return;
      add_bounds(within, one.within);
    }
    if (within.empty() || !reach_->is_within(*usual_, within)) return;
    decision.within = std::move(within);
    decision.findings.clear();
  }

  /// A claim that follows from nothing that runs, or from a claim that does not hold, is not
  /// proved.
  void doubt(Decision& decision) {
    const Trace& trace = subject_->trace();
    const bool has_barrier = !trace.barriers.empty() || !trace.warp_barriers.empty();
    const bool has_any = !trace.accesses.empty() || has_barrier;
    if (reached_ == 0 && (decision.claim != Claim::asserts || has_any)) {
      decision.verdict = Verdict::unknown;
      decision.why = "no solver finds a thread that comes to any access or barrier";
    }
    if (subject_->elements.may_contradict) {
      decision.verdict = Verdict::unknown;
      decision.why = "no solver finds contents for which all holds that is stated of elements";
    }
    if (subject_->loads_agree && loads_) add_bounds(decision.within, loads_->within);
    // Barriers separate accesses only if all threads come to the same ones.
    const bool rests_on_barriers = decision.claim == Claim::race ||
                                   decision.claim == Claim::initialized ||
                                   (subject_->loads_agree && decision.claim != Claim::barriers);
    if (!rests_on_barriers || !has_barrier) return;
    if (!barriers_) barriers_ = decide_claim(Claim::barriers);
    if (barriers_->verdict != Verdict::proved) {
      decision.verdict = Verdict::unknown;
      decision.why = "it is not proved that all threads come to the same barriers";
    }
    add_bounds(decision.within, barriers_->within);
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
      if (known.verdict == Verdict::refuted) return;
      const bool are_open = known.within.empty() && finding.within.empty();
      if (!are_open && finding.verdict != Verdict::refuted) continue;
      known = std::move(finding);
      return;
    }
    decision.findings.push_back(std::move(finding));
  }

  std::vector<std::string> assumed() const {
    std::vector<std::string> all = assumed_of_all();
    if (inlined_) add_assumed(*inlined_, all);
    if (subject_) add_assumed(*subject_, all);
    if (!request_.buffers.empty()) all.emplace_back("a stated buffer has 0 to 2^40 elements");
    if (some_end_) {
      all.emplace_back(
          "a barrier does not wait for threads that have ended (compute capability 7.0 and later)");
    }
    return all;
  }

  Request request_;
  std::vector<NamedValue> values_;
  std::optional<Inlined> inlined_;
  std::optional<ptx::Module> in_registers_;
  std::optional<ptx::Module> by_name_;
  Lines lines_;
  std::vector<ElementCondition> conditions_;
  Replays replays_;
  Pool pool_;
  std::optional<Execution> execution_;
  std::optional<Subject> subject_;
  std::optional<Examples> examples_;
  std::vector<Excluded> invariants_;
  std::set<Excluded> confirmed_;  // by cvc5
  std::size_t reached_ = 0;       // accesses and barriers to which a thread surely comes
  std::optional<Decision> barriers_;
  std::optional<Decision> loads_;  // no race for what threads agree about
  bool some_end_ = false;          // before the barriers
  std::optional<Reach> reach_;
  std::optional<UsualBounds> usual_;
  std::optional<Answers> answers_;
  std::optional<Addresses> addresses_;
};

}  // namespace

KernelProof prove(const Request& request) { return Proving(request).all(); }

}  // namespace bankproof::symbolic
