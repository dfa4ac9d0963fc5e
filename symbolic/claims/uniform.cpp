// Finds values that are the same; see uniform.hpp.
#include "uniform.hpp"

#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "../execution/substitute.hpp"
#include "subject.hpp"

namespace bankproof::symbolic {

namespace {

class Uniform {
 public:
  explicit Uniform(const Subject& subject)
      : pool_(subject.pool), inputs_(subject.inputs()), trace_(subject.trace()) {
    const Trace& trace = trace_;
    for (std::size_t l = 0; l < trace.loops.size(); ++l) {
      counters_.insert(trace.loops[l].counter);
      // The last iteration, too, if all go on alike.
      const LoopInstance& loop = trace.loops[l];
      if (loop.last) values_[*loop.last] = {loop.went_on, loop.parent};
      for (const LoopInstance::Open& one : loop.open) {
        values_[one.value] = {{one.start, one.next}, l};
      }
    }
    for (const Result& one : trace.results) {
      values_.try_emplace(one.value, Value{one.sources, one.loop});
    }
    add_elements(subject);
    for (const Agreed& one : trace.agreed) agreed_.emplace(one.value, one);
  }

  std::vector<Agreed> all() {
    // The largest set of values each of which depends on nothing else.
    for (bool all_do = false; !all_do;) {
      all_do = true;
      for (auto one = values_.begin(); one != values_.end();) {
        const bool is_uniform = depends_on_uniform(one->second.sources);
        all_do = all_do && is_uniform;
        one = is_uniform ? std::next(one) : values_.erase(one);
      }
    }
    std::vector<Agreed> all;
    for (const auto& [value, of] : values_) {
      Agreed made{value, value, {}, depends_on_loads(value)};
      for (auto loop = of.loop; loop; loop = trace_.loops[*loop].parent) {
        made.iterations.push_back(trace_.loops[*loop].counter);
      }
      add_names(made, of.loop, all);
    }
    return all;
  }

 private:
  struct Value {
    std::vector<Term> sources{};
    std::optional<std::size_t> loop{};
  };

  /// Those under their first names: others follow from these.
  void add_elements(const Subject& subject) {
    std::set<Term> renamed;
    for (const LoopInstance& loop : trace_.loops) {
      for (const auto& [inside, outside] : loop.renamed) renamed.insert(outside);
      for (const auto& [inside, before] : loop.earlier) renamed.insert(before);
    }
    for (const Load& load : trace_.loads) {
      const auto element = subject.elements.loaded.find(load.value);
      if (element == subject.elements.loaded.end() || !load.access) continue;
      if (renamed.count(load.value) != 0) continue;
      const Access& access = trace_.accesses[*load.access];
      values_.try_emplace(load.value, Value{{element->second.offset}, access.loop});
    }
  }

  bool depends_on_uniform(const std::vector<Term>& sources) const {
    bool is_uniform = true;
    std::unordered_map<Term, bool> met;
    for (const Term source : sources) {
      each_unknown(pool_, source, met, [&](Term unknown) {
        is_uniform = is_uniform && (inputs_.scope(unknown) != Scope::thread ||
                                    inputs_.agrees(unknown) || counters_.count(unknown) != 0 ||
                                    is_agreed(unknown) || values_.count(unknown) != 0);
      });
    }
    return is_uniform;
  }

  /// Whether threads agree about it, and are in the same iterations: behind a loop, what they got
  /// in their last iteration is the same only if it was the same iteration.
  bool is_agreed(Term value) const {
    const auto found = agreed_.find(value);
    return found != agreed_.end() && depends_on_uniform(found->second.iterations);
  }

  /// Whether threads agree about it only if they agree about what they load.
  bool depends_on_loads(Term value) const {
    bool depends = false;
    std::unordered_map<Term, bool> met;
    std::vector<Term> waiting{value};
    while (!waiting.empty()) {
      const Term next = waiting.back();
      waiting.pop_back();
      each_unknown(pool_, next, met, [&](Term unknown) {
        const auto agreed = agreed_.find(unknown);
        depends = depends || inputs_.agrees(unknown) ||
                  (agreed != agreed_.end() && agreed->second.is_loaded);
        const auto found = values_.find(unknown);
        if (found == values_.end()) return;
        waiting.insert(waiting.end(), found->second.sources.begin(), found->second.sources.end());
      });
    }
    return depends;
  }

  /// The value under each of its names: it may be renamed by each loop that is around it.
  void add_names(const Agreed& value, std::optional<std::size_t> loop, std::vector<Agreed>& all) {
    std::vector<Agreed> names{value};
    for (; loop; loop = trace_.loops[*loop].parent) {
      const LoopInstance& one = trace_.loops[*loop];
      Substitution earlier(pool_);
      earlier.put(one.counter, pool_.subtract(one.counter, pool_.constant(1, 64)));
      add_renamed(one.earlier, earlier, names);
      Substitution behind(pool_);
      add_renamed(one.renamed, behind, names);
    }
    all.insert(all.end(), names.begin(), names.end());
  }

  static void add_renamed(const std::vector<std::pair<Term, Term>>& pairs, Substitution& by,
                          std::vector<Agreed>& names) {
    std::map<Term, Term> other;
    for (const auto& [inside, outside] : pairs) {
      by.put(inside, outside);
      other.emplace(inside, outside);
    }
    for (std::size_t n = 0, count = names.size(); n < count; ++n) {
      const auto found = other.find(names[n].value);
      if (found == other.end()) continue;
      Agreed renamed = names[n];
      renamed.value = found->second;
      for (Term& iteration : renamed.iterations) iteration = by(iteration);
      names.push_back(std::move(renamed));
    }
  }

  Pool& pool_;
  const Inputs& inputs_;
  const Trace& trace_;
  std::map<Term, Value> values_;  // that may be uniform
  std::map<Term, Agreed> agreed_;
  std::set<Term> counters_;  // of loops
};

}  // namespace

std::vector<Agreed> uniform_values(const Subject& subject) { return Uniform(subject).all(); }

}  // namespace bankproof::symbolic
