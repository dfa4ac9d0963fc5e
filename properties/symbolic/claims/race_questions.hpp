// The questions about races of a kernel, and the races that the machine finds.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "../../../symbolic/claims/question.hpp"
#include "../../../symbolic/solving/decide.hpp"
#include "../../ptx/kernel_run.hpp"

namespace bankproof::symbolic {

/// The lines of two accesses, in order.
using Lines = std::pair<std::size_t, std::size_t>;
inline Lines lines_of(const ptx::Place& a, const ptx::Place& b) {
  return std::minmax<std::size_t>({a.line, b.line});
}

struct AskedLaunch {
  ptx::Extent grid;
  ptx::Extent block;
  Asked (*ask)(Subject&);
  std::size_t words;  // of the buffer
};

/// The races of the machine, all of them within a block, or all between blocks.
inline std::set<Lines> races_of(const ptx::Module& module, const AskedLaunch& launch,
                                std::uint32_t n) {
  ptx::KernelRun run(module, "k");
  run.buffer(std::vector<std::uint32_t>(launch.words));
  run.value(n);
  run.launch(launch.grid, launch.block);
  std::set<Lines> all;
  for (const auto& [key, fault] : run.result().faults.all()) {
    if (fault.kind != ptx::FaultKind::race || fault.other_site == ptx::no_site) continue;
    const auto& sites = run.program().sites;
    all.insert(lines_of(sites[fault.site].place, sites[fault.other_site].place));
  }
  return all;
}

inline bool cannot_race(const Pool& pool, const Question& question, unsigned ms) {
  if (question.unasked != Unasked::no) return false;
  const Effort little{.integers_ms = ms, .bits_ms = 0, .tries_bits = false};
  const auto is_excluded = [&](const Possibility& one) {
    return decide(pool, one.statements.asked, little).kind == Decided::Kind::never;
  };
  return std::any_of(question.ways.begin(), question.ways.end(), [&](const auto& way) {
    return std::all_of(way.begin(), way.end(), is_excluded);
  });
}

/// The questions of a kernel, by the lines of the two accesses. A pair without a question cannot
/// race.
class Questions {
 public:
  Questions(ptx::Module module, const AskedLaunch& launch)
      : Questions(std::move(module), launch, [](Pool& pool, Execution& execution) {
          return Subject{pool, execution};
        }) {}

  /// With all that `know` adds to the subject.
  template <class Know>
  Questions(ptx::Module module, const AskedLaunch& launch, Know know)
      : module_(std::move(module)),
        execution_(pool_, module_, module_.functions.front(), shape_of(launch)) {
    Subject subject = know(pool_, execution_);
    ask(subject, launch);
  }

  /// Whether a solver leaves it open that these lines race.
  bool may_race(const Lines& lines, unsigned ms = 300) const {
    const auto found = questions_.find(lines);
    return found != questions_.end() &&
           std::any_of(found->second.begin(), found->second.end(),
                       [&](const Question& one) { return !cannot_race(pool_, one, ms); });
  }
  std::vector<Lines> pairs() const {
    std::vector<Lines> all;
    all.reserve(questions_.size());
    for (const auto& [lines, asked] : questions_) all.push_back(lines);
    return all;
  }

 private:
  void ask(Subject& subject, const AskedLaunch& launch) {
    for (const Question& question : launch.ask(subject).questions) {
      // A question about families is about several pairs.
      std::set<Lines> pairs;
      for (std::size_t k = 0; k + 1 < question.participants.size(); k += 2) {
        pairs.insert(lines_of(question.participants[k].instruction->place,
                              question.participants[k + 1].instruction->place));
      }
      for (const Lines& lines : pairs) questions_[lines].push_back(question);
    }
  }
  static Shape shape_of(const AskedLaunch& launch) {
    Shape shape;
    std::copy(launch.block.begin(), launch.block.end(), shape.block.begin());
    std::copy(launch.grid.begin(), launch.grid.end(), shape.grid.begin());
    return shape;
  }

  ptx::Module module_;
  Pool pool_;
  Execution execution_;
  std::map<Lines, std::vector<Question>> questions_;
};

}  // namespace bankproof::symbolic
