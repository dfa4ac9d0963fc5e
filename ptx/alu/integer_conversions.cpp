// cvt between integers (PTX ISA, "cvt"): the low bits, or with .sat the nearest number of the type.
#include <utility>

#include "convert.hpp"

namespace bankproof::ptx::lanes {

namespace {

template <class D, class S>
D nearest_integer(S a) {
  if (std::cmp_less(a, std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  if (std::cmp_greater(a, std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
  return static_cast<D>(a);
}

}  // namespace

void add_integer_conversions(Table& table) {
  each(all_integers, [&](auto to) {
    each(all_integers, [&](auto from) {
      using D = typename decltype(to)::Type;
      using S = typename decltype(from)::Type;
      table.fast(joined("cvt.", to.name, ".", from.name), [](LaneOf<S> a) {
        return static_cast<LaneOf<D>>(static_cast<D>(static_cast<S>(a)));
      });
      table.add(joined("cvt.sat.", to.name, ".", from.name), [](LaneOf<S> a) {
        return static_cast<LaneOf<D>>(nearest_integer<D>(static_cast<S>(a)));
      });
    });
  });
}

}  // namespace bankproof::ptx::lanes
