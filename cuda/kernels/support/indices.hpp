// Arrays of indices on a device, for permutations, plans and schedules: integers of 2, 4 or 8
// bytes, signed as `bankproof schedule` writes them, or unsigned. A negative index, −1, marks an
// idle lane of a plan.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace bankproof::cuda {

class IndexSpan {
 public:
  IndexSpan() = default;
  template <class Index>
    requires std::integral<std::remove_const_t<Index>> && (sizeof(Index) > 1)
  IndexSpan(std::span<Index> indices)  // NOLINT(google-explicit-constructor): any span of them
      : data_(indices.data()), size_(indices.size()), bytes_(sizeof(Index)) {}

  const void* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// The bytes of one index.
  std::size_t bytes() const { return bytes_; }

  /// Calls visit(pointer) with the unsigned type among `Kinds` that has the size of an index.
  /// Throws std::invalid_argument if no type has this size; `what` names the call.
  template <class... Kinds, class Visit>
  void visit(const char* what, Visit visit) const {
    const auto is = [&]<class Kind>(const Kind* /*of the type*/) {
      if (bytes_ != sizeof(Kind)) return false;
      visit(static_cast<const Kind*>(data_));
      return true;
    };
    if ((is(static_cast<const Kinds*>(nullptr)) || ...)) return;
    std::string lengths;
    ((lengths += " " + std::to_string(sizeof(Kinds))), ...);
    throw std::invalid_argument(std::string(what) + ": indices of " + std::to_string(bytes_) +
                                " bytes; possible are" + lengths);
  }

 private:
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t bytes_ = sizeof(std::uint32_t);
};

/// S and D of a conflict-free plan, or of the plans for all rows of a matrix, one after the other:
/// the arrays s.npy and d.npy of a plan, or the tables of its plan.h.
struct PlanTables {
  IndexSpan s;
  IndexSpan d;
};

/// Calls visit(s, d) with pointers to the same unsigned type. Throws std::invalid_argument if the
/// two arrays differ in size or type.
template <class... Kinds, class Visit>
void visit_tables(const PlanTables& tables, const char* what, Visit visit) {
  const IndexSpan& s = tables.s;
  const IndexSpan& d = tables.d;
  if (s.size() != d.size() || s.bytes() != d.bytes()) {
    throw std::invalid_argument(std::string(what) + ": s has " + std::to_string(s.size()) +
                                " indices of " + std::to_string(s.bytes()) + " bytes, and d " +
                                std::to_string(d.size()) + " of " + std::to_string(d.bytes()));
  }
  s.visit<Kinds...>(what, [&]<class Kind>(const Kind* of_s) {
    d.visit<Kind>(what, [&](const Kind* of_d) { visit(of_s, of_d); });
  });
}

}  // namespace bankproof::cuda
