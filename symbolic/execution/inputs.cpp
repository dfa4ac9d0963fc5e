// Makes the unknowns of a kernel; see inputs.hpp.
#include "inputs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>
#include <variant>

#include "../../ptx/syntax/types.hpp"

namespace bankproof::symbolic {

namespace {

constexpr std::array<std::pair<std::string_view, Scope>, 4> axes{{{"%tid", Scope::thread},
                                                                  {"%ntid", Scope::launch},
                                                                  {"%ctaid", Scope::block},
                                                                  {"%nctaid", Scope::launch}}};

}  // namespace

Term Inputs::counter(const std::string& name) {
  const Term made = unknown(name, 64, Scope::thread);
  counters_.insert(made);
  return made;
}

Term Inputs::another(Term unknown, const std::string& name) {
  const Term made = this->unknown(name, pool_.width(unknown), scope(unknown));
  if (is_counter(unknown)) counters_.insert(made);
  return made;
}

Term Inputs::loaded(const std::string& name, unsigned width, bool agrees) {
  const Term made = unknown(name, width, Scope::thread);
  loaded_[made] = agrees;
  return made;
}

Term Inputs::unknown(const std::string& name, unsigned width, Scope scope, std::uint64_t align) {
  const Term made = pool_.unknown(name, width, align);
  scopes_.emplace(made, scope);
  return made;
}

Term Inputs::axis(const std::string& name) {
  const auto known = specials_.find(name);
  if (known != specials_.end()) return known->second;
  const std::string_view base = std::string_view(name).substr(0, name.find('.'));
  const auto* const found =
      std::find_if(axes.begin(), axes.end(), [&](const auto& a) { return a.first == base; });
  const auto number = static_cast<std::size_t>(name.back() - 'x');
  const auto& stated = base == "%ntid" ? shape_.block : shape_.grid;
  if (found->second == Scope::launch && number < 3 && stated[number]) {
    return specials_[name] = pool_.constant(*stated[number], 32);
  }
  const auto& around = base == "%tid" ? shape_.block : shape_.grid;
  if (found->second != Scope::launch && number < 3 && around[number]) {
    const auto bits = static_cast<unsigned>(std::bit_width(*around[number] - 1));
    // The length of the axis is known, too, to whoever looks for it.
    axis(std::string(base == "%tid" ? "%ntid." : "%nctaid.") + name.back());
    return specials_[name] =
               bits == 0 ? pool_.constant(0, 32)
                         : pool_.zero_extended(unknown(name.substr(1), bits, found->second), 32);
  }
  return specials_[name] = unknown(name.substr(1), 32, found->second);
}

/// The place of the thread in its warp.
Term Inputs::lane() {
  const Term row = pool_.add(axis("%tid.y"), pool_.multiply(axis("%ntid.y"), axis("%tid.z")));
  const Term thread = pool_.add(axis("%tid.x"), pool_.multiply(axis("%ntid.x"), row));
  return pool_.zero_extended(pool_.part(thread, 0, 5), 32);
}

std::optional<Term> Inputs::special(const std::string& name) {
  if (name == "WARP_SZ") return pool_.constant(32, 32);
  if (name == "%laneid") return lane();
  const std::size_t dot = name.find('.');
  const std::string_view base = std::string_view(name).substr(0, dot);
  const bool is_axis =
      std::any_of(axes.begin(), axes.end(), [&](const auto& a) { return a.first == base; });
  if (is_axis && dot != std::string::npos) return axis(name);
  const auto mask = [&](bool with, bool above) {
    const Term one = pool_.constant(1, 32);
    const Term below = pool_.subtract(pool_.shift_left(one, lane()), one);
    const Term own = pool_.shift_left(one, lane());
    const Term rest = above ? pool_.bits_not(pool_.add(below, own)) : below;
    return with ? pool_.add(rest, own) : rest;
  };
  if (name == "%lanemask_eq") return pool_.shift_left(pool_.constant(1, 32), lane());
  if (name == "%lanemask_lt") return mask(false, false);
  if (name == "%lanemask_le") return mask(true, false);
  if (name == "%lanemask_gt") return mask(false, true);
  if (name == "%lanemask_ge") return mask(true, true);
  return std::nullopt;
}

Term Inputs::parameter(std::size_t index, std::uint64_t offset, std::uint32_t bytes) {
  const auto [place, is_new] = parameters_.try_emplace({index, offset, bytes});
  if (!is_new) return place->second;
  if (const auto stated = shape_.values.find(place->first); stated != shape_.values.end()) {
    return place->second = pool_.constant(stated->second, 8 * bytes);
  }
  const ptx::Variable& parameter = kernel_.parameters[index];
  std::string name = "parameter " + std::to_string(index);
  if (offset != 0) name += "+" + std::to_string(offset);
  place->second = unknown(name, 8 * bytes, Scope::launch);
  if (bytes == 8) {
    Object object{.name = name, .space = std::nullopt, .bytes = std::nullopt, .align = 1};
    object.is_certain = parameter.pointer || shape_.pointers.count({index, offset}) != 0;
    if (parameter.pointer) {
      object.space = parameter.pointer->space;
      object.align = parameter.pointer->align.value_or(1);
    }
    objects_.emplace(place->second, std::move(object));
  }
  return place->second;
}

Term Inputs::member(std::size_t index, std::uint64_t offset, std::uint32_t bytes) {
  if (const auto read = reads(index, offset, bytes)) return *read;
  for (const auto& [where, term] : parameters_) {
    const auto& [other, begin, size] = where;
    if (other != index || begin > offset || offset + bytes > begin + size) continue;
    return pool_.part(term, static_cast<unsigned>(8 * (offset - begin)), 8 * bytes);
  }
  return parameter(index, offset, bytes);
}

std::optional<Term> Inputs::reads(std::size_t index, std::uint64_t offset,
                                  std::uint32_t bytes) const {
  const auto found = parameters_.find({index, offset, bytes});
  return found == parameters_.end() ? std::nullopt : std::optional(found->second);
}

Term Inputs::address(const ptx::Symbol& symbol) {
  const auto [place, is_new] = addresses_.try_emplace({symbol.kind, symbol.index});
  if (is_new) {
    const ptx::Variable* variable = nullptr;
    if (symbol.kind == ptx::Symbol::Kind::variable) variable = &module_.variables[symbol.index];
    if (symbol.kind == ptx::Symbol::Kind::local) {
      variable = std::get_if<ptx::Variable>(&kernel_.body[symbol.index]);
    }
    Object object{.name = symbol.name, .space = std::nullopt, .bytes = std::nullopt, .align = 1};
    if (symbol.kind == ptx::Symbol::Kind::parameter) {
      variable = &kernel_.parameters[symbol.index];
      object.parameter = symbol.index;
    }
    if (variable != nullptr) {
      std::uint64_t bytes = ptx::bytes_of(variable->type) * variable->vector;
      for (const std::uint64_t dimension : variable->dimensions) bytes *= dimension;
      // Parameters of functions are in the frame of a call.
      const bool is_of_call =
          symbol.kind == ptx::Symbol::Kind::local && variable->space == ptx::Space::param;
      object.space = is_of_call ? ptx::Space::local : variable->space;
      if (bytes != 0) object.bytes = bytes;
      object.align = variable->align.value_or(ptx::bytes_of(variable->type));
      object.has_initial_values = !variable->initial.empty();
    }
    // All arrays of dynamic shared memory begin at the same address.
    const bool is_dynamic = variable != nullptr && variable->space == ptx::Space::shared &&
                            variable->linkage == ptx::Linkage::external;
    place->second = is_dynamic && dynamic_shared_
                        ? *dynamic_shared_
                        : unknown("&" + symbol.name, 64, Scope::launch,
                                  std::bit_floor(std::max<std::uint64_t>(object.align, 1)));
    if (is_dynamic) dynamic_shared_ = place->second;
    objects_.emplace(place->second, std::move(object));
  }
  return pool_.add(place->second, pool_.constant(static_cast<std::uint64_t>(symbol.offset), 64));
}

Term Inputs::generic(Term begin) {
  const auto [place, is_new] = generic_.try_emplace(begin);
  if (is_new) {
    const Object& object = objects_.at(begin);
    place->second = unknown("generic &" + object.name, 64, scopes_.at(begin),
                            std::bit_floor(std::max<std::uint64_t>(object.align, 1)));
    begins_.emplace(place->second, begin);
  }
  return place->second;
}

const Object* Inputs::object(Term unknown) const {
  const auto found = objects_.find(unknown);
  return found == objects_.end() ? nullptr : &found->second;
}

}  // namespace bankproof::symbolic
