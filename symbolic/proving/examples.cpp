// Finds launches and evaluates them; see examples.hpp.
#include "examples.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "../../cuda/session/arguments.hpp"
#include "../../cuda/session/parameters.hpp"
#include "../../ptx/syntax/cpp_names.hpp"
#include "../claims/warps.hpp"
#include "../execution/substitute.hpp"
#include "../terms/evaluate.hpp"
#include "premises.hpp"

namespace bankproof::symbolic {

namespace {

/// A parameter that is more than a warp, and one that is not small.
constexpr std::uint64_t more = 40;
constexpr std::uint64_t ample = 2000;
/// A buffer whose size nobody states, and the largest one of a replay.
constexpr std::uint64_t usual_bytes = std::uint64_t{1} << 20;
/// Of such a buffer, if something is stated of its elements: pairs of them are looked at.
constexpr std::uint64_t few_elements = 512;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;
constexpr std::uint64_t most_threads = std::uint64_t{1} << 20;

/// Evaluates terms. Unknowns that the model does not have are 0.
Values values_in(const Pool& pool, const Model& model) {
  return Values(pool, [&model](Term unknown) {
    const auto found = model.find(unknown);
    return found == model.end() ? std::uint64_t{0} : found->second;
  });
}

}  // namespace

Examples::Examples(Subject& subject, const ptx::Function& kernel, const Request& request,
                   const std::vector<NamedValue>& values)
    : subject_(subject), kernel_(kernel), request_(request), values_(values) {
  for (const Access& access : subject_.trace().accesses) {
    const auto places = places_of(subject_.pool, subject_.inputs(), access.address);
    if (!places) continue;
    for (const Place& place : *places) bases_.insert(place.object);
  }
  for (const auto& [begin, object] : subject_.inputs().objects()) {
    if (object.space) bases_.insert(begin);
  }
}

std::uint64_t Examples::value(const Model& model, Term term) const {
  return values_in(subject_.pool, model)(term);
}

bool Examples::fulfills(const Model& model, const std::vector<Term>& statements) const {
  Values values = values_in(subject_.pool, model);
  return std::all_of(statements.begin(), statements.end(),
                     [&](Term statement) { return values(statement) == 1; });
}

std::vector<std::vector<Term>> Examples::wishes(const std::vector<Term>& statements,
                                                const std::vector<Participant>& participants,
                                                Size size) const {
  Pool& pool = subject_.pool;
  std::set<Term> unknowns;
  std::unordered_map<Term, bool> met;
  for (const Term statement : statements) {
    each_unknown(pool, statement, met, [&](Term unknown) { unknowns.insert(unknown); });
  }
  // The machine allocates buffers, whatever the statements are about.
  for (const auto& [object, bytes] : subject_.bytes) {
    each_unknown(pool, bytes, met, [&](Term unknown) { unknowns.insert(unknown); });
  }
  std::vector<std::vector<Term>> all;
  struct Sizes {
    std::uint64_t block, grid, other;
  };
  for (const Sizes& most : {Sizes{64, 4, 256}, Sizes{1024, 64, 65536}}) {
    std::vector<Term> some;
    const auto limit = [&](Term term, std::uint64_t to) {
      some.push_back(pool.at_most(term, pool.constant(to, pool.width(term)), false));
    };
    for (const Term unknown : unknowns) {
      const std::string& name = pool.name(unknown);
      const bool is_object = bases_.count(unknown) != 0;
      if (name.rfind("ntid", 0) == 0) {
        limit(unknown, most.block);
      } else if (name.rfind("nctaid", 0) == 0) {
        limit(unknown, most.grid);
      } else if (name.rfind("ctaid", 0) == 0) {
        limit(unknown, most.grid - 1);
      } else if (!is_object && !subject_.inputs().is_loaded(unknown) && pool.width(unknown) >= 16) {
        limit(unknown, most.other);
      }
    }
    for (const Participant& one : participants) {
      if (!one.offset) continue;
      // In front of an array, too. Addresses of shared memory have 32 bits.
      const std::uint64_t far = usual_bytes - 64;
      const bool is_shared = subject_.inputs().object(*one.object)->space == ptx::Space::shared;
      const Term offset = pool.resized(*one.offset, is_shared ? 32 : 64, false);
      limit(pool.add(offset, pool.constant(far, pool.width(offset))), 2 * far);
    }
    all.push_back(std::move(some));
  }
  all.emplace_back();
  const auto& specials = subject_.inputs().specials();
  if (size == Size::any) {
    all.erase(all.begin());
  } else if (size != Size::ample) {
    all.resize(1);
  }
  if (const auto x = specials.find("%ntid.x"); x != specials.end() && size == Size::warps) {
    all.front().push_back(pool.below(pool.constant(lanes_of_warp, 32), x->second, false));
  }
  if (size == Size::single) {
    for (const auto& [name, term] : specials) {
      if (name.rfind("%ntid.", 0) == 0) {
        all.front().push_back(pool.equal(term, pool.constant(1, 32)));
      }
    }
  }
  if (size == Size::more || size == Size::ample) {
    all = {all[size == Size::more ? 0 : 1]};
    const std::uint64_t least = size == Size::more ? more : ample;
    for (const auto& [where, term] : subject_.inputs().parameters()) {
      if (unknowns.count(term) == 0 || bases_.count(term) != 0) continue;
      const unsigned width = pool.width(term);
      if (width >= 32) all.front().push_back(pool.at_most(pool.constant(least, width), term, true));
    }
  }
  // The machine has no empty buffers.
  for (std::vector<Term>& some : all) {
    for (const auto& [object, bytes] : subject_.bytes) {
      some.push_back(pool.negation(pool.equal(bytes, pool.constant(0, 64))));
    }
  }
  return all;
}

std::optional<Model> Examples::model(const std::vector<Term>& statements,
                                     const std::vector<Participant>& participants, Size size,
                                     unsigned ms, const IsWanted& is_wanted) const {
  const auto ends = [&] { return request_.is_stopped && request_.is_stopped(); };
  if (ends()) return std::nullopt;
  auto found = model_of(subject_.pool, statements, wishes(statements, participants, size), ms);
  const bool is_enough = found && (!is_wanted || is_wanted(*found));
  if (size != Size::small || is_enough || ends()) return found;
  auto guess = guessed(subject_, bases_, statements, usual_guesses * ms / usual_ms, is_wanted);
  return guess && (!found || is_wanted(*guess)) ? guess : found;
}

std::vector<std::uint32_t> Examples::loaded(const Model& model) const {
  constexpr std::size_t most = 2;
  std::map<Term, std::uint64_t> in_order(model.begin(), model.end());
  std::vector<std::uint32_t> all;
  for (const auto& [unknown, value] : in_order) {
    const auto word = static_cast<std::uint32_t>(value);
    const bool is_new = word != 0 && std::find(all.begin(), all.end(), word) == all.end();
    if (is_new && all.size() < most && subject_.inputs().is_loaded(unknown)) all.push_back(word);
  }
  return all;
}

/// The bytes of an element about which a statement is; 0 if there is none.
std::uint32_t Examples::unit_of(Term object) const {
  for (const ElementStatement& statement : subject_.elements.stated) {
    for (const ElementStatement::Use& use : statement.uses) {
      if (use.object == object) return use.bytes;
    }
  }
  return 0;
}

Launch Examples::launch(const Model& model, const std::vector<Participant>& participants) const {
  Launch made;
  const auto& specials = subject_.inputs().specials();
  const auto size = [&](const std::string& name) -> std::uint32_t {
    const auto found = specials.find(name);
    if (found == specials.end()) return 1;
    return std::max<std::uint32_t>(static_cast<std::uint32_t>(value(model, found->second)), 1);
  };
  for (std::size_t k = 0; k < 3; ++k) {
    made.block[k] = size(std::string("%ntid.") + "xyz"[k]);
    made.grid[k] = size(std::string("%nctaid.") + "xyz"[k]);
  }
  made.shared = subject_.dynamic_shared ? value(model, *subject_.dynamic_shared) : 0;
  for (const cuda::Parameter& parameter : cuda::parameters_of(kernel_)) {
    made.parameters.emplace_back(parameter.bytes);
  }
  made.loaded = loaded(model);
  for (const auto& [where, term] : subject_.inputs().parameters()) {
    const auto& [index, offset, bytes] = where;
    if (bytes == 8 && bases_.count(term) != 0) {
      const auto stated = subject_.bytes.find(term);
      const std::uint32_t unit = unit_of(term);
      std::uint64_t allocated = unit == 0 ? usual_bytes : few_elements * unit;
      if (stated != subject_.bytes.end()) allocated = value(model, stated->second);
      for (const Participant& one : participants) {
        if (stated == subject_.bytes.end() && one.object == term && one.offset) {
          allocated = std::max(allocated, value(model, *one.offset) + 64);
        }
      }
      made.buffers[index].push_back({allocated, offset, unit == 0 ? 4 : unit});
      continue;
    }
    const std::uint64_t content = value(model, term);
    std::memcpy(&made.parameters.at(index).at(offset), &content, bytes);
  }
  return made;
}

std::string Examples::name_of_parameter(std::size_t index) const {
  for (const NamedValue& one : values_) {
    if (one.index == index && !one.is_member) return one.name;
  }
  return "argument " + std::to_string(index);
}

std::string Examples::name_of(Term object) const {
  for (const auto& [where, term] : subject_.inputs().parameters()) {
    if (term != object) continue;
    const auto& [index, offset, bytes] = where;
    for (const NamedValue& one : values_) {
      if (one.index == index && one.offset == offset && one.bytes == bytes) return one.name;
    }
    return "byte " + std::to_string(offset) + " of " + name_of_parameter(index);
  }
  if (const auto index = subject_.inputs().object(object)->parameter) {
    return name_of_parameter(*index);
  }
  // f(int)::counts
  const std::string full = ptx::demangled(subject_.inputs().object(object)->name);
  const std::size_t scope = full.rfind("::");
  return scope == std::string::npos ? full : full.substr(scope + 2);
}

std::string Examples::name_in_messages(std::optional<Term> object) const {
  if (!object) return "";
  for (const auto& [where, term] : subject_.inputs().parameters()) {
    if (term != *object) continue;
    return "'" + cuda::name_of_argument(std::get<0>(where), std::get<1>(where)) + "'";
  }
  const auto space = subject_.inputs().object(*object)->space;
  return space == ptx::Space::shared ? "shared memory" : "";
}

Example Examples::made(const Model& model, const std::vector<Participant>& participants) const {
  Example example{.launch = launch(model, participants)};
  for (const NamedValue& one : values_) {
    const auto term = subject_.inputs().reads(one.index, one.offset, one.bytes);
    const bool is_buffer = term && bases_.count(*term) != 0;
    if (one.bytes == 0 || is_buffer || (one.is_member && !term)) continue;
    const std::vector<std::byte>& bytes = example.launch.parameters.at(one.index);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &bytes.at(one.offset), one.bytes);
    example.values.emplace_back(one.name, one.is_signed
                                              ? std::to_string(signed_value(bits, 8 * one.bytes))
                                              : std::to_string(bits));
  }
  for (const Participant& one : participants) {
    ExampleThread thread;
    for (std::size_t k = 0; k < 3; ++k) {
      thread.block[k] = static_cast<std::uint32_t>(value(model, one.block[k]));
      thread.thread[k] = static_cast<std::uint32_t>(value(model, one.thread[k]));
    }
    if (one.object && one.offset) {
      thread.object = name_of(*one.object);
      if (is_followed(one)) thread.offset = value(model, *one.offset);
    }
    example.threads.push_back(std::move(thread));
  }
  return example;
}

/// Whether the thread and the iterations decide the offset. What else it depends on, such as a
/// register that follows no rule, may have another value in a launch.
bool Examples::is_followed(const Participant& one) const {
  const Pool& pool = subject_.pool;
  std::unordered_map<Term, bool> known;
  for (std::size_t k = 0; k < 3; ++k) {
    each_unknown(pool, one.thread[k], known, [](Term) {});
    each_unknown(pool, one.block[k], known, [](Term) {});
  }
  bool all = true;
  each_unknown(pool, *one.offset, known, [&](Term unknown) {
    std::string_view name = pool.name(unknown);
    while (name.starts_with("last ")) name.remove_prefix(5);
    const bool is_counter = name.size() > 1 && name[0] == 'k' && name[1] >= '0' && name[1] <= '9';
    all = all && (is_counter || subject_.inputs().scope(unknown) == Scope::launch);
  });
  return all;
}

bool Examples::can_be_run(const Example& example) {
  const auto volume = [](const std::array<std::uint32_t, 3>& of) {
    return std::uint64_t{of[0]} * of[1] * of[2];
  };
  std::uint64_t bytes = 0;
  for (const auto& [parameter, buffers] : example.launch.buffers) {
    for (const LaunchBuffer& buffer : buffers) {
      if (buffer.bytes == 0 || buffer.bytes > most_bytes) return false;
      bytes += buffer.bytes;
    }
  }
  return bytes <= most_bytes && volume(example.launch.block) <= 1024 &&
         volume(example.launch.grid) <= most_threads &&
         volume(example.launch.block) * volume(example.launch.grid) <= most_threads;
}

}  // namespace bankproof::symbolic
