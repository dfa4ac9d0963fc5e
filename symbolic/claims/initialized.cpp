// Asks whether shared memory is written before it is read; see question.hpp.
//
// For each write to the array that surely comes before, in the same thread or before a barrier, a
// term says which thread would write the bytes (witness.hpp). The question is whether a thread
// reads where no such thread exists, none comes to the write, or each writes elsewhere.
#include <algorithm>
#include <string>

#include "iterations.hpp"
#include "order.hpp"
#include "warps.hpp"
#include "witness.hpp"

namespace bankproof::symbolic {

namespace {

class Initialized {
 public:
  explicit Initialized(Subject& subject)
      : subject_(subject),
        pool_(subject.pool),
        order_(subject.trace()),
        threads_(subject, Which::of_one_block, 1) {}

  Asked all() {
    Asked asked{.claim = Claim::initialized};
    const std::vector<Access>& accesses = subject_.trace().accesses;
    for (std::size_t a = 0; a < accesses.size(); ++a) {
      const Access& access = accesses[a];
      const auto places = places_of(pool_, subject_.inputs(), access.address);
      if (access.kind == AccessKind::write) continue;
      if (!may_be_in(ptx::Space::shared, subject_.inputs(), access, places)) continue;
      ++asked.subjects;
      if (!places || places->size() != 1) {
        asked.questions.push_back(Question::cannot_be_asked(
            Unasked::address, {threads_.participant(0, *access.instruction)}));
        continue;
      }
      add_questions(a, places->front(), asked);
    }
    return asked;
  }

 private:
  /// Asks about each part that a write of the array may write at once.
  void add_questions(std::size_t read, const Place& place, Asked& asked) {
    const Access& access = subject_.trace().accesses[read];
    const std::vector<Written> writes = writes_before(read, place.object);
    std::uint32_t part = access.bytes;
    for (const Written& one : writes) {
      part = std::min(part, subject_.trace().accesses[one.access].bytes);
    }
    for (std::uint32_t begin = 0; begin < access.bytes; begin += part) {
      const Term wanted = pool_.add(place.offset, pool_.constant(begin, 64));
      std::vector<Term> statements;
      add_guard(threads_, 0, access.guard, statements);
      for (const Written& one : writes) {
        for (const Witness& witness : witnesses(one, wanted)) {
          statements.push_back(pool_.negation(writes_there(one, witness, wanted, part)));
        }
      }
      if (is_excluded(pool_, statements)) continue;
      Participant reader = threads_.participant(0, *access.instruction);
      reader.object = place.object;
      reader.offset = wanted;
      asked.questions.push_back(Question::can(threads_.with_facts(statements), {reader}));
    }
  }

  struct Written {
    std::size_t access = 0;
    Term offset{};
    /// Only the thread that reads, since no barrier is between.
    bool only_own = false;
    /// The loops around the write, but for those that are around the read, too.
    std::vector<std::size_t> loops{};
  };

  std::vector<Written> writes_before(std::size_t read, Term object) {
    std::vector<Written> all;
    const Trace& trace = subject_.trace();
    for (std::size_t w = 0; w < trace.accesses.size(); ++w) {
      const Access& access = trace.accesses[w];
      if (access.kind == AccessKind::read) continue;
      const auto places = places_of(pool_, subject_.inputs(), access.address);
      if (!places || places->size() != 1 || places->front().object != object) continue;
      const bool by_any = order_.is_before_barrier(w, read);
      if (!by_any && !order_.is_before(w, read)) continue;
      Written made{.access = w, .offset = places->front().offset, .only_own = !by_any};
      const std::vector<std::size_t> common = order_.common_loops(w, read);
      for (auto loop = access.loop; loop; loop = trace.loops[*loop].parent) {
        if (std::find(common.begin(), common.end(), *loop) == common.end()) {
          made.loops.push_back(*loop);
        }
      }
      all.push_back(std::move(made));
    }
    return all;
  }

  /// The indices of a thread that are unknowns.
  std::vector<Term> indices() {
    std::vector<Term> all;
    for (const char axis : {'x', 'y', 'z'}) {
      if (!threads_.has_axis(axis)) continue;
      const Term index = index_of(axis);
      if (pool_.node(index).op == Operator::unknown) all.push_back(index);
    }
    return all;
  }
  Term index_of(char axis) {
    const Term index = *subject_.inputs().special(std::string("%tid.") + axis);
    const Node& node = pool_.node(index);
    return node.op == Operator::zero_extended ? node.operands[0] : index;
  }

  std::vector<Witness> witnesses(const Written& write, Term wanted) {
    std::vector<Witness> all;
    if (write.loops.empty()) all.emplace_back();  // the thread itself
    std::vector<Term> unknowns = write.only_own ? std::vector<Term>{} : indices();
    for (const std::size_t loop : write.loops) {
      unknowns.push_back(subject_.trace().loops[loop].counter);
    }
    if (unknowns.empty()) return all;
    const auto found = witness_of(subject_, write.offset, wanted, unknowns);
    if (!found) return all;
    // Where the address does not depend on an index, it may be the reader's, or 0.
    Witness with_zeros = *found;
    Witness with_own = *found;
    for (const Term unknown : unknowns) {
      with_zeros.try_emplace(unknown, pool_.constant(0, pool_.width(unknown)));
    }
    for (const std::size_t loop : write.loops) {
      const Term counter = subject_.trace().loops[loop].counter;
      with_own.try_emplace(counter, pool_.constant(0, pool_.width(counter)));
    }
    all.push_back(std::move(with_own));
    all.push_back(std::move(with_zeros));
    return all;
  }

  /// The witness is a thread of the block, comes to the write, and writes the part.
  Term writes_there(const Written& write, const Witness& witness, Term wanted, std::uint32_t part) {
    const Access& access = subject_.trace().accesses[write.access];
    Term all = pool_.truth(true);
    for (const char axis : {'x', 'y', 'z'}) {
      if (!threads_.has_axis(axis)) continue;
      all = pool_.both(
          all, pool_.below(*subject_.inputs().special(std::string("%tid.") + axis),
                           *subject_.inputs().special(std::string("%ntid.") + axis), false));
    }
    for (const Term guard : access.guard.parts()) all = pool_.both(all, guard);
    for (const std::size_t loop : write.loops) {
      const Term leaves = leaves_before(subject_, subject_.trace().loops[loop]);
      all = pool_.both(all, pool_.negation(leaves));
    }
    Substitution by(pool_);
    const bool is_itself = witness.empty() && write.loops.empty();
    const auto put = [&](Term unknown) {
      const auto found = witness.find(unknown);
      if (found != witness.end()) by.put(unknown, found->second);
    };
    for (const Term index : indices()) put(index);
    for (const std::size_t loop : write.loops) put(subject_.trace().loops[loop].counter);
    const Term offset = write.offset;
    if (!is_itself) rename_others(write, witness, all, by);
    const Term begin = by(offset);
    const Term behind = pool_.subtract(wanted, begin);
    const Term fits = pool_.at_most(behind, pool_.constant(access.bytes - part, 64), false);
    return pool_.both(by(all), fits);
  }

  /// What else belongs to the thread that writes is not that of the thread that reads.
  void rename_others(const Written& write, const Witness& witness, Term statement,
                     Substitution& by) {
    std::vector<Term> kept = counters_of(subject_.trace());
    if (!write.only_own) {
      for (const Term index : indices()) kept.push_back(index);
    }
    std::unordered_map<Term, bool> met;
    const auto rename = [&](Term unknown) {
      if (subject_.inputs().scope(unknown) != Scope::thread || witness.count(unknown) != 0) return;
      if (write.only_own || std::find(kept.begin(), kept.end(), unknown) != kept.end()) return;
      if (pool_.name(unknown) == "j") return;
      by.put(unknown, subject_.inputs().unknown(pool_.name(unknown) + "'", pool_.width(unknown),
                                                Scope::thread));
    };
    each_unknown(pool_, statement, met, rename);
    each_unknown(pool_, write.offset, met, rename);
  }

  Subject& subject_;
  Pool& pool_;
  ProgramOrder order_;
  Threads threads_;
};

}  // namespace

Asked ask_initialized(Subject& subject) { return Initialized(subject).all(); }

}  // namespace bankproof::symbolic
