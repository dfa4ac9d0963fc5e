// Words for what is open; see reasons.hpp.
#include "reasons.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "../claims/warps.hpp"
#include "../execution/objects.hpp"
#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

std::vector<Term> data_in(const Subject& subject, const Possibility& possibility) {
  const Inputs& inputs = subject.inputs();
  std::set<Term> known;
  for (const Term counter : counters_of(subject.trace())) known.insert(counter);
  for (const LoopInstance& loop : subject.trace().loops) {
    if (loop.last) known.insert(*loop.last);
  }
  std::unordered_map<Term, bool> met;
  for (const auto& [name, term] : inputs.specials()) {
    each_unknown(subject.pool, term, met, [&](Term unknown) { known.insert(unknown); });
  }
  met.clear();
  std::vector<Term> all;
  for (const Term statement : possibility.statements.asked) {
    each_unknown(subject.pool, statement, met, [&](Term unknown) {
      const bool is_own = inputs.scope(unknown) == Scope::thread && known.count(unknown) == 0;
      if (is_own) all.push_back(unknown);
    });
  }
  return all;
}

std::string Reasons::of_open(const Finding& finding, const Question& question) const {
  if (finding.example && finding.example->replayed) {
    if (!finding.example->replayed->has_contents) {
      return "the machine has not tried it: none of the contents that it tries fulfill what is "
             "stated of elements";
    }
    const std::string& other = finding.example->replayed->other_fault;
    if (!other.empty()) {
      return "the machine does not show it for this launch, which has another fault: " + other;
    }
    return "the machine does not show it for this launch; " +
           what_decides(question.ways.front().front());
  }
  if (finding.example && !finding.example->why_not_run.empty()) {
    return "the machine cannot replay it: " + finding.example->why_not_run;
  }
  const std::string why =
      finding.example
          ? "the launch is too large to be replayed; state by --where how large it can be"
          : "Z3 does not decide; state more about the launch by --block, --grid or --where";
  const std::vector<Term>& asked = question.ways.front().front().statements.asked;
  const unsigned exponent = usual_.largest_exponent(asked);
  const std::string could = as_conditions(usual_.at_most({.exponent = exponent}, asked).sizes);
  const std::string all = could.empty() ? why : why + ", such as " + could;
  const Possibility& possibility = question.ways.front().front();
  const bool has_data = finding.example && !data_in(subject_, possibility).empty();
  return has_data ? all + "; " + what_decides(possibility) : all;
}

namespace {

/// 9, if the name has `words` and 9 behind it.
std::optional<std::uint32_t> line_in(std::string_view name, std::string_view words) {
  const std::size_t at = name.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(std::strtoul(name.data() + at + words.size(), nullptr, 10));
}

}  // namespace

/// "it depends on what is loaded at line 9", …
std::string Reasons::what_decides(const Possibility& possibility) const {
  std::set<std::uint32_t> loads;
  bool has_loop = false;
  bool has_result = false;
  for (const Term unknown : data_in(subject_, possibility)) {
    std::string_view name = subject_.pool.name(unknown);
    constexpr std::string_view behind_loop = "last ";
    while (name.starts_with(behind_loop)) name.remove_prefix(behind_loop.size());
    auto line = line_in(name, "loaded at ");
    if (!line) line = line_in(name, "drawn at ");
    if (!line) {
      // Registers when an iteration begins are r0, r1, …; results have the names of registers.
      has_loop = has_loop || (name.starts_with("r") &&
                              name.find_first_not_of("0123456789", 1) == std::string_view::npos);
      has_result = has_result || (name.starts_with("%") && !name.starts_with("%tid"));
      continue;
    }
    for (const Access& access : subject_.trace().accesses) {
      if (access.instruction->place.line == *line) {
        loads.insert(lines_.of(*access.instruction).line);
      }
    }
  }
  std::string text;
  for (const std::uint32_t line : loads) {
    text +=
        (text.empty() ? loads.size() > 1 ? "what is loaded at lines " : "what is loaded at line "
                      : ", ") +
        std::to_string(line);
  }
  const auto add = [&](bool is_met, const std::string& words) {
    if (is_met) text += (text.empty() ? "" : ", or ") + words;
  };
  add(has_loop, "what a loop leaves in a register");
  add(has_result, "a result that is not followed, such as a shuffle's");
  const bool has_count = text.empty() && !subject_.trace().loops.empty();
  add(has_count, "how often a loop runs");
  if (text.empty()) {
    return "nothing else is known to decide it";
  }
  text = "it depends on " + text;
  if (has_loop || has_count) text += of_loops();
  for (const std::string& name : counters_in(possibility)) {
    text += "; state what the counter is at first, as by --where '" + name + "[i] == 0'";
  }
  for (const std::string& name : kept_in(possibility)) {
    text += "; " + name + " keeps its initial values here; if the host writes it, state --symbol " +
            name;
  }
  return text;
}

/// The sizes that say how often loops run, if nothing bounds them.
std::string Reasons::of_loops() const {
  std::vector<Term> conditions;
  for (const LoopInstance& loop : subject_.trace().loops) {
    conditions.insert(conditions.end(), loop.went_on.begin(), loop.went_on.end());
  }
  std::string sizes;
  for (const auto& [name, bound] : usual_.at_most({}, conditions).sizes) {
    sizes += (sizes.empty() ? "'" : ", '") + name + " == 8'";
  }
  return sizes.empty() ? ""
                       : "; short loops are written out if --where says how long, as by " + sizes;
}

/// Calls visit(object) for each array that accesses touch from which `unknown` is loaded or drawn.
template <class Visit>
void Reasons::each_source(const Possibility& possibility, std::string_view words,
                          const Visit& visit) const {
  std::unordered_map<Term, bool> met;
  const auto add = [&](Term unknown) {
    const auto line = line_in(subject_.pool.name(unknown), words);
    for (const Access& access : subject_.trace().accesses) {
      if (access.instruction->place.line != line) continue;
      const auto places = places_of(subject_.pool, subject_.inputs(), access.address);
      if (places && places->size() == 1) visit(places->front().object);
    }
  };
  for (const Term statement : possibility.statements.asked) {
    each_unknown(subject_.pool, statement, met, add);
  }
}

/// The counters from which numbers are drawn, if nothing is stated of what they are at first.
std::set<std::string> Reasons::counters_in(const Possibility& possibility) const {
  std::set<std::string> names;
  if (!subject_.draw_ranges.empty()) return names;
  each_source(possibility, "drawn at ", [&](Term object) {
    if (is_only_raised(subject_, object)) names.insert(examples_.name_of(object));
  });
  return names;
}

/// The variables that keep their initial values when a launch is replayed.
std::set<std::string> Reasons::kept_in(const Possibility& possibility) const {
  std::set<std::string> names;
  each_source(possibility, "loaded at ", [&](Term begin) {
    const Object& object = *subject_.inputs().object(begin);
    if (object.has_initial_values && subject_.overwritten.count(object.name) == 0) {
      names.insert(examples_.name_of(begin));
    }
  });
  return names;
}

std::string Reasons::of_bounds(const SizeBounds& sizes) {
  return "it holds if " + as_conditions(sizes) + "; state it by --where";
}

std::string Reasons::of_unasked(const Question& question) const {
  const std::optional<Term> object = question.participants.front().object;
  const std::string name = object ? examples_.name_of(*object) : "";
  switch (question.unasked) {
    case Unasked::size:
      return "the size of " + name + " is not stated; " +
             (subject_.inputs().object(*object)->space == ptx::Space::shared
                  ? "state it by --shared, as in --shared 4*blockDim.x"
                  : "state it by --buffer " + name + "=COUNT");
    case Unasked::alignment:
      return name + " may begin where an access of this width may not; declare it with __align__()";
    case Unasked::wavefronts:
      return "a full warp needs more wavefronts for its bytes than are claimed";
    case Unasked::length:
      return "nobody knows how many bytes are copied";
    case Unasked::paths:
      return "too many paths lead from barriers to accesses";
    case Unasked::under_way:
      return "the thread may end while its copy is under way, and others go on; wait for the copy";
    case Unasked::width:
      return "accesses of 32 bytes are not counted in sectors";
    default:
      return "the address is no array's begin plus a number";
  }
}

}  // namespace bankproof::symbolic
