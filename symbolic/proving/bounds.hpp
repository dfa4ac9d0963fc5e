// Bounds of sizes that nobody states, within which a claim may hold.
#pragma once

#include <string>
#include <vector>

#include "prove.hpp"

namespace bankproof::symbolic {

/// Each of some parameters is at most a power of two, and not negative if that is needed. An index
/// of 32 bits, such as row * columns + column, wraps around for larger sizes, and two threads may
/// then touch the same element. What an index is divided by is at least 1.
struct Bounds {
  std::vector<Term> terms;
  SizeBounds sizes;
};

/// Bounds of one kernel's parameters.
class UsualBounds {
 public:
  UsualBounds(Subject& subject, const Request& request, const std::vector<NamedValue>& values);

  struct Most {
    unsigned exponent = 0;
    bool is_from_zero = false;
    bool is_of_grid = false;  // of the grid's axes, too: a block's index may be multiplied
    /// Of sizes that are no factor of a product, if it is another one; factors are then at least 1.
    std::optional<unsigned> of_others = std::nullopt;
    bool is_of_buffers = false;  // of the elements of stated buffers, too
  };
  /// Three numbers of which may be multiplied, as in (block · blockDim + thread) · size.
  static constexpr Most small_factors{10, true, true, 30, false};
  /// No stated buffer has more than 2^30 elements. Often this is what keeps row * columns + column
  /// from wrapping around, whatever the rows and columns are.
  static constexpr Most small_buffers{30, true, true, std::nullopt, true};
  /// For the whole numbers among the parameters that the statements are about, and that no --where
  /// bounds.
  Bounds at_most(const Most& most, const std::vector<Term>& statements) const;
  /// The largest exponent for which the products of such sizes, and of an index that is less than
  /// another one, do not wrap around: 15 for row * columns + column in 32 bits, 10 for a product of
  /// two sizes and an index. At most 30, as many as a launch has threads.
  unsigned largest_exponent(const std::vector<Term>& statements) const;
  /// The largest ones, of numbers that may be negative, and of others.
  std::vector<std::vector<Term>> alternatives(const std::vector<Term>& statements) const;
  /// As statements.
  std::vector<Term> of(const SizeBounds& bounds) const;

 private:
  struct Size {
    Term term;
    std::string name;
    bool is_signed;
    std::optional<Term> index{};  // of an axis of the grid: a block's
  };
  std::vector<Size> axes_of_grid() const;
  std::vector<Size> buffers() const;
  void add_within(std::vector<Term>& all, const Size& size, const SizeBound& bound) const;
  unsigned sizes_in(Term factor) const;

  Subject& subject_;
  const Request& request_;
  std::vector<Size> sizes_;
};

}  // namespace bankproof::symbolic
