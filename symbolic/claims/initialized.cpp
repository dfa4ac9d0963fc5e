// Asks whether shared memory is written before it is read; see question.hpp.
//
// For each write to the array that surely comes before, in the same thread or before a barrier, a
// term says which thread would write the bytes (witness.hpp). The question is whether a thread
// reads where no such thread exists, none comes to the write, or each writes elsewhere.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "../solving/decide.hpp"
#include "counted.hpp"
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
        threads_(subject, Which::of_one_block, 1),
        block_(subject, threads_) {}

  Asked all() {
    Asked asked{.claim = Claim::initialized};
    const std::vector<Access>& accesses = subject_.trace().accesses;
    for (std::size_t a = 0; a < accesses.size(); ++a) {
      const Access& access = accesses[a];
      const auto places = places_of(pool_, subject_.inputs(), access.address);
      if (access.kind == AccessKind::write || access.is_echo) continue;
      if (!may_be_in(ptx::Space::shared, subject_.inputs(), access, places)) continue;
      asked.about(*access.instruction);
      if (!places || places->size() != 1) {
        asked.questions.push_back(Question::cannot_be_asked(
            Unasked::address, {threads_.participant(0, *access.instruction)}));
        continue;
      }
      add_questions(a, places->front(), asked);
    }
    if (!subject_.trace().left_under_way.empty() && ask_barriers(subject_).some_end) {
      refuse_copies(subject_.trace(), threads_, asked);
    }
    return asked;
  }

 private:
  /// Asks about each part that a write of the array may write at once.
  void add_questions(std::size_t read, const Place& place, Asked& asked) {
    const Access& access = subject_.trace().accesses[read];
    const std::vector<Written> writes = writes_before(read, place.object);
    const Covered covered = covered_by(writes, access);
    if (block_.reads_only(place.offset, access.bytes, covered)) return;
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
          add_unless_written(one, witness, wanted, part, statements);
        }
      }
      // The bytes, from the array's begin on, that the threads of the block write together.
      const auto begin_of_rest = std::find(covered.begin(), covered.end(), false) - covered.begin();
      const Term written = pool_.constant(static_cast<std::uint64_t>(begin_of_rest), 64);
      const Term end = pool_.add(wanted, pool_.constant(part, 64));
      statements.push_back(
          pool_.either(pool_.below(written, end, false), pool_.below(end, wanted, false)));
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
    /// Who has written before the read: the thread that reads, lanes of its warp if a barrier of
    /// warps is between, or any thread of the block if a barrier is.
    enum class By : std::uint8_t { itself, warp, block };
    By by = By::itself;
    /// The loops around the write, but for those that are around the read, too.
    std::vector<std::size_t> loops{};
    /// It writes in the iteration of this loop that comes before the reader's.
    std::optional<std::size_t> earlier{};
  };

  /// The term for the iteration in which it writes.
  Term at(const Written& write, Term term) {
    if (!write.earlier) return term;
    const Term counter = subject_.trace().loops[*write.earlier].counter;
    Substitution by(pool_);
    by.put(counter, pool_.subtract(counter, pool_.constant(1, pool_.width(counter))));
    return by(term);
  }

  std::vector<Written> writes_before(std::size_t read, Term object) {
    std::vector<Written> all;
    const Trace& trace = subject_.trace();
    for (std::size_t w = 0; w < trace.accesses.size(); ++w) {
      const Access& access = trace.accesses[w];
      if (access.kind == AccessKind::read || order_.may_be_under_way(w, read)) continue;
      const auto places = places_of(pool_, subject_.inputs(), access.address);
      if (!places || places->size() != 1 || places->front().object != object) continue;
      Written made{.access = w, .offset = places->front().offset};
      const std::vector<std::size_t> common = order_.common_loops(w, read);
      for (auto loop = access.loop; loop; loop = trace.loops[*loop].parent) {
        if (std::find(common.begin(), common.end(), *loop) == common.end()) {
          made.loops.push_back(*loop);
        }
      }
      if (order_.is_before_barrier_of_next(w, read)) {
        Written earlier = made;
        earlier.by = Written::By::block;
        earlier.earlier = common.front();
        earlier.offset = at(earlier, made.offset);
        all.push_back(std::move(earlier));
      }
      if (order_.is_before_barrier(w, read)) {
        made.by = Written::By::block;
      } else if (order_.is_before_warp_barrier(w, read)) {
        made.by = Written::By::warp;
      } else if (!order_.is_before(w, read)) {
        continue;
      }
      all.push_back(std::move(made));
    }
    return all;
  }

  /// The conditions of a write, but for those that the reader fulfills and that are the same for
  /// all threads of the block.
  Term own_guard(const Access& write, const Access& reader) {
    const std::vector<Term>& known = reader.guard.parts();
    const std::vector<Term> counters = counters_of(subject_.trace());
    Term all = pool_.truth(true);
    for (const Term part : write.guard.parts()) {
      bool is_of_thread = false;
      std::unordered_map<Term, bool> met;
      each_unknown(pool_, part, met, [&](Term unknown) {
        is_of_thread = is_of_thread ||
                       (subject_.inputs().scope(unknown) == Scope::thread &&
                        std::find(counters.begin(), counters.end(), unknown) == counters.end());
      });
      const bool is_known = std::find(known.begin(), known.end(), part) != known.end();
      if (is_of_thread || !is_known) all = pool_.both(all, part);
    }
    return all;
  }

  Covered covered_by(const std::vector<Written>& writes, const Access& reader) {
    Covered covered;
    for (const Written& one : writes) {
      if (one.by != Written::By::block || one.earlier || !one.loops.empty()) continue;
      const Access& access = subject_.trace().accesses[one.access];
      block_.add(one.offset, own_guard(access, reader), access.bytes, covered);
    }
    return covered;
  }

  // ---- Witnesses

  bool is_extended(Term term, Term inner) const {
    const Node node = pool_.node(term);
    return term == inner || (node.op == Operator::zero_extended && node.operands[0] == inner);
  }
  /// Whether the term is the lowest bits of the index, but not all.
  bool is_low_part(Term term, Term index) const {
    const Node node = pool_.node(term);
    if (node.op == Operator::zero_extended) return is_low_part(node.operands[0], index);
    return node.op == Operator::part && node.value == 0 && node.operands[0] == index;
  }

  /// The value for which a condition of the write such as `threadIdx.x == …` holds, if there is
  /// one: that of the first term of a condition of which is_it(term) is true.
  template <class IsIt>
  std::optional<Term> stated_by(const Written& write, const IsIt& is_it) {
    for (const Term part : subject_.trace().accesses[write.access].guard.parts()) {
      const Node node = pool_.node(at(write, part));
      if (node.op != Operator::equal) continue;
      const Term apart = pool_.subtract(node.operands[0], node.operands[1]);
      const Node sum = pool_.node(apart);
      if (sum.op != Operator::sum) continue;
      for (std::size_t k = 0; k < sum.operands.size(); ++k) {
        const std::int64_t factor = signed_value(sum.coefficients[k], sum.width);
        if (!is_it(sum.operands[k]) || (factor != 1 && factor != -1)) continue;
        const Term others =
            pool_.subtract(apart, pool_.scale(sum.operands[k], sum.coefficients[k]));
        const Term value =
            factor == -1 ? others : pool_.subtract(pool_.constant(0, sum.width), others);
        if (is_of_no_index(value)) return value;
      }
    }
    return std::nullopt;
  }
  bool is_of_no_index(Term term) {
    const std::vector<Term> all = block_.indices();
    bool none = true;
    std::unordered_map<Term, bool> met;
    each_unknown(pool_, term, met, [&](Term unknown) {
      none = none && std::find(all.begin(), all.end(), unknown) == all.end();
    });
    return none;
  }

  std::vector<Witness> witnesses(const Written& write, Term wanted) {
    std::vector<Witness> all;
    if (write.loops.empty()) all.emplace_back();  // the thread itself
    std::vector<Term> unknowns =
        write.by == Written::By::itself ? std::vector<Term>{} : block_.indices();
    for (const std::size_t loop : write.loops) {
      unknowns.push_back(subject_.trace().loops[loop].counter);
    }
    if (unknowns.empty()) return all;
    const auto found = witness_of(subject_, write.offset, wanted, unknowns);
    if (!found) return all;
    // Where the address does not depend on an index, the condition of the write may say which one
    // it is; else it may be the reader's, or 0.
    Witness with_zeros = *found;
    for (const Term unknown : unknowns) {
      const unsigned width = pool_.width(unknown);
      const auto stated = stated_by(write, [&](Term term) { return is_extended(term, unknown); });
      if (stated) with_zeros.try_emplace(unknown, pool_.resized(*stated, width, false));
    }
    Witness with_own = with_zeros;
    for (const Term unknown : unknowns) {
      with_zeros.try_emplace(unknown, pool_.constant(0, pool_.width(unknown)));
    }
    for (const std::size_t loop : write.loops) {
      const Term counter = subject_.trace().loops[loop].counter;
      with_own.try_emplace(counter, pool_.constant(0, pool_.width(counter)));
    }
    // Where it depends on an index's higher bits, as in `if (lane == 31) a[warp] = …`, the
    // condition may say which the lower ones are.
    Witness with_low = with_own;
    for (const auto& [unknown, higher] : *found) {
      const auto low =
          stated_by(write, [&, index = unknown](Term term) { return is_low_part(term, index); });
      if (low)
        with_low[unknown] = pool_.add(higher, pool_.resized(*low, pool_.width(unknown), false));
    }
    const bool has_low = with_low != with_own;
    all.push_back(std::move(with_own));
    all.push_back(std::move(with_zeros));
    if (has_low) all.push_back(std::move(with_low));
    return all;
  }

  /// The index is one of the block, along each axis.
  Term is_in_block() {
    Term all = pool_.truth(true);
    for (const char axis : {'x', 'y', 'z'}) {
      if (!threads_.has_axis(axis)) continue;
      all = pool_.both(
          all, pool_.below(*subject_.inputs().special(std::string("%tid.") + axis),
                           *subject_.inputs().special(std::string("%ntid.") + axis), false));
    }
    return all;
  }

  /// It is not so that the witness is a thread of the block, comes to the write, and writes the
  /// part. If it is a thread of the block, its loops have ended.
  void add_unless_written(const Written& write, const Witness& witness, Term wanted,
                          std::uint32_t part, std::vector<Term>& statements) {
    const Access& access = subject_.trace().accesses[write.access];
    Term all = is_in_block();
    for (const Term guard : access.guard.parts()) all = pool_.both(all, guard);
    for (const std::size_t loop : write.loops) {
      const Term leaves = leaves_before(subject_, subject_.trace().loops[loop]);
      all = pool_.both(all, pool_.negation(leaves));
    }
    all = at(write, all);
    if (write.earlier) {
      const Term counter = subject_.trace().loops[*write.earlier].counter;
      const Term zero = pool_.constant(0, pool_.width(counter));
      all = pool_.both(all, pool_.negation(pool_.equal(counter, zero)));
    }
    Substitution by(pool_);
    const bool is_itself = witness.empty() && write.loops.empty() && !write.earlier;
    const auto put = [&](Term unknown) {
      const auto found = witness.find(unknown);
      if (found != witness.end()) by.put(unknown, found->second);
    };
    for (const Term index : block_.indices()) put(index);
    for (const std::size_t loop : write.loops) put(subject_.trace().loops[loop].counter);
    const Term offset = write.offset;
    std::unordered_map<Term, bool> met;
    if (!is_itself) {
      rename_others(write, witness, all, met, by);
      rename_others(write, witness, offset, met, by);
      add_ends(write, witness, met, by, statements);
    }
    const Term begin = by(offset);
    const Term behind = pool_.subtract(wanted, begin);
    const Term fits = pool_.at_most(behind, pool_.constant(access.bytes - part, 64), false);
    Term writes = pool_.both(by(all), fits);
    if (write.by == Written::By::warp) {
      const Term warp = pool_.part(threads_.number(0), 5, 27);
      writes = pool_.both(writes, pool_.equal(by(warp), warp));
    }
    statements.push_back(pool_.negation(writes));
  }

  /// What is known of the last iterations that the witness's names, in `met`, are about: it has
  /// passed the barrier before the read, so it has left its loops.
  void add_ends(const Written& write, const Witness& witness, std::unordered_map<Term, bool>& met,
                Substitution& by, std::vector<Term>& statements) {
    std::vector<bool> used(subject_.trace().facts.size());
    for (bool more = true; more;) {
      more = false;
      for (std::size_t f = 0; f < used.size(); ++f) {
        const Fact& fact = subject_.trace().facts[f];
        const auto is_met = [&](Term unknown) { return met.count(unknown) != 0; };
        if (used[f] || fact.kind != Fact::Kind::ends ||
            !(is_met(fact.counter) || std::any_of(fact.about.begin(), fact.about.end(), is_met))) {
          continue;
        }
        used[f] = more = true;
        const Term term = at(write, of_any_thread(subject_.pool, fact));
        rename_others(write, witness, term, met, by);
        statements.push_back(by(pool_.either(pool_.negation(is_in_block()), term)));
      }
    }
  }

  /// Whether the thread that writes has the same as the one that reads: they agree about it, and
  /// are in the same iterations.
  bool do_all_have(Term unknown, const Written& write, const Witness& witness) const {
    if (subject_.loads_agree && subject_.inputs().agrees(unknown)) return true;
    const auto agreed = subject_.agreed.find(unknown);
    if (agreed == subject_.agreed.end()) return false;
    if (agreed->second.is_loaded && !subject_.loads_agree) return false;
    const std::vector<Term> counters = counters_of(subject_.trace());
    bool are_shared = true;
    std::unordered_map<Term, bool> met;
    const auto see = [&](Term one) {
      if (subject_.inputs().scope(one) != Scope::thread) return;
      const bool is_counter = std::find(counters.begin(), counters.end(), one) != counters.end();
      const bool is_earlier =
          write.earlier && one == subject_.trace().loops[*write.earlier].counter;
      const bool is_shared = is_counter && !is_earlier && witness.count(one) == 0;
      are_shared = are_shared && (is_shared || (!is_counter && do_all_have(one, write, witness)));
    };
    for (const Term iteration : agreed->second.iterations) {
      each_unknown(pool_, iteration, met, see);
    }
    return are_shared;
  }

  /// Gives the thread that writes its own names for all other unknowns of a thread.
  void rename_others(const Written& write, const Witness& witness, Term statement,
                     std::unordered_map<Term, bool>& met, Substitution& by) {
    std::vector<Term> kept = counters_of(subject_.trace());
    if (write.by != Written::By::itself) {
      for (const Term index : block_.indices()) kept.push_back(index);
    }
    const auto rename = [&](Term unknown) {
      if (subject_.inputs().scope(unknown) != Scope::thread || witness.count(unknown) != 0) return;
      if (write.by == Written::By::itself ||
          std::find(kept.begin(), kept.end(), unknown) != kept.end())
        return;
      if (pool_.name(unknown) == earlier_iteration) return;
      if (do_all_have(unknown, write, witness)) return;
      by.put(unknown, subject_.inputs().unknown(pool_.name(unknown) + "'", pool_.width(unknown),
                                                Scope::thread));
    };
    each_unknown(pool_, statement, met, rename);
  }

  Subject& subject_;
  Pool& pool_;
  ProgramOrder order_;
  Threads threads_;
  CountedBlock block_;
};

}  // namespace

Asked ask_initialized(Subject& subject) { return Initialized(subject).all(); }

}  // namespace bankproof::symbolic
