// The unknowns from which a kernel computes: its parameters, where a thread is, the shape of the
// launch, and the addresses of variables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "../../ptx/syntax/syntax.hpp"
#include "trace.hpp"

namespace bankproof::symbolic {

/// An array, a variable, or what a parameter points to.
struct Object {
  std::string name;
  std::optional<ptx::Space> space;     // nothing: a parameter points to it
  std::optional<std::uint64_t> bytes;  // nothing: its size is not known
  std::uint64_t align = 1;
  std::optional<std::size_t> parameter = std::nullopt;  // the kernel's parameter that it is
  bool is_certain = true;  // false: a parameter of 64 bits, which may be a number
  bool has_initial_values = false;
};

/// Axes of the block and of the grid that are stated, and values of parameters, by index, first
/// byte and number of bytes; the others are unknowns.
struct Shape {
  std::array<std::optional<std::uint32_t>, 3> block;
  std::array<std::optional<std::uint32_t>, 3> grid;
  std::map<std::tuple<std::size_t, std::uint64_t, std::uint32_t>, std::uint64_t> values{};
  /// Parameters whose types are known to be pointers, by index and first byte.
  std::set<std::pair<std::size_t, std::uint64_t>> pointers{};

  bool operator==(const Shape&) const = default;
};

class Inputs {
 public:
  Inputs(Pool& pool, const ptx::Module& module, const ptx::Function& kernel, Shape shape)
      : pool_(pool), module_(module), kernel_(kernel), shape_(std::move(shape)) {}

  /// %tid.x, %laneid, WARP_SZ, …; nothing for one that is not known here.
  std::optional<Term> special(const std::string& name);
  /// `bytes` of a parameter.
  Term parameter(std::size_t index, std::uint64_t offset, std::uint32_t bytes);
  /// Likewise; a part of what the kernel reads, where it reads several members at once.
  Term member(std::size_t index, std::uint64_t offset, std::uint32_t bytes);
  /// `parameter`, if the kernel reads just these bytes or somebody has asked for them.
  std::optional<Term> reads(std::size_t index, std::uint64_t offset, std::uint32_t bytes) const;
  /// The address of a variable, of 64 bits.
  Term address(const ptx::Symbol& symbol);
  /// A new unknown, a multiple of `align`.
  Term unknown(const std::string& name, unsigned width, Scope scope, std::uint64_t align = 1);

  /// A new unknown, which a thread loads from memory. With `agrees`, all threads of its block that
  /// execute the load get the same, unless they race or come to different barriers: it is a load
  /// from one place of shared memory, in no loop.
  Term loaded(const std::string& name, unsigned width, bool agrees);
  /// The number of a loop's iteration: no address.
  Term counter(const std::string& name);
  bool is_counter(Term unknown) const { return counters_.count(unknown) != 0; }
  /// Another unknown of the same kind.
  Term another(Term unknown, const std::string& name);
  bool is_loaded(Term unknown) const { return loaded_.count(unknown) != 0; }
  bool agrees(Term unknown) const {
    const auto found = loaded_.find(unknown);
    return found != loaded_.end() && found->second;
  }

  /// The length of an axis, `%ntid.` or `%nctaid.`, if it is stated.
  std::optional<std::uint32_t> stated(const std::string& size, char axis) const {
    const auto number = static_cast<std::size_t>(axis - 'x');
    return size == "%ntid." ? shape_.block[number] : shape_.grid[number];
  }
  Scope scope(Term unknown) const { return scopes_.at(unknown); }
  /// The special registers that the kernel reads, by their names.
  const std::map<std::string, Term>& specials() const { return specials_; }
  /// The parameters, by index, first byte and number of bytes.
  const std::map<std::tuple<std::size_t, std::uint64_t, std::uint32_t>, Term>& parameters() const {
    return parameters_;
  }
  /// What begins at an unknown that is an address.
  const Object* object(Term unknown) const;
  /// The generic address at which an object of shared or local memory begins.
  Term generic(Term begin);
  /// The other way; nothing if the unknown is no such address.
  std::optional<Term> begin_of_generic(Term unknown) const {
    const auto found = begins_.find(unknown);
    return found == begins_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::unordered_map<Term, Object>& objects() const { return objects_; }

 private:
  Term axis(const std::string& name);
  Term lane();

  Pool& pool_;
  const ptx::Module& module_;
  const ptx::Function& kernel_;
  Shape shape_;
  std::unordered_map<Term, Scope> scopes_;
  std::unordered_map<Term, bool> loaded_;  // whether they agree
  std::set<Term> counters_;
  std::map<std::string, Term> specials_;
  std::map<std::tuple<std::size_t, std::uint64_t, std::uint32_t>, Term> parameters_;
  std::map<std::pair<ptx::Symbol::Kind, std::size_t>, Term> addresses_;
  std::unordered_map<Term, Object> objects_;
  std::unordered_map<Term, Term> generic_;  // addresses, by those in the objects' own spaces
  std::unordered_map<Term, Term> begins_;
  std::optional<Term> dynamic_shared_;
};

}  // namespace bankproof::symbolic
