// Tiles with swizzled rows (row xor column), for widths that are powers of two, in machine words.
#include "../../../algorithms/layout.hpp"
#include "../lists.hpp"
#include "replay.hpp"

namespace bankproof::proofs {
namespace {

constexpr const char* domain = "w = 2^k, k ≤ 15, in words of 32 bits";

/// A tile of side 2^k, and words of its rows and columns.
struct SwizzledTile {
  Query& q;
  WordTerm k;

  explicit SwizzledTile(Query& query) : q(query), k(query.word("k", 2)) {
    q.assume(k <= number(15));
  }
  WordTerm number(std::uint32_t value) const { return {q, value}; }
  WordTerm side() const { return number(1) << k; }
  /// 0 ≤ name < end.
  WordTerm below(const std::string& name, const WordTerm& end, std::uint32_t example) const {
    WordTerm word = q.word(name, example);
    q.assume(word < end);
    return word;
  }
  WordTerm bank(const WordTerm& place) const { return place & (side() - number(1)); }
};

std::string replay_swizzle(const Values& values, bool row) {
  Values of = values;
  of["w"] = std::uint64_t{1} << values.at("k");
  const auto place = [](std::uint64_t i, std::uint64_t j, const Values& v) {
    return swizzled(i, j, v.at("k"));
  };
  return row ? replay_row(place)(of) : replay_column(place)(of);
}

/// Two words of a row, or else of a column, are in different banks. The row or column is `more`
/// words longer than the tile's side.
Truth banks_differ(Query& q, bool row, std::uint32_t more) {
  const SwizzledTile tile(q);
  const WordTerm line = tile.below(row ? "i" : "j", tile.side(), 1);
  const std::string along = row ? "j" : "i";
  const WordTerm one = tile.below(along, tile.side() + tile.number(more), 0);
  const WordTerm other = tile.below("other_" + along, tile.side() + tile.number(more), 3 + more);
  q.assume(one != other);
  const auto bank = [&](const WordTerm& k) {
    return tile.bank(row ? swizzled(line, k, tile.k) : swizzled(k, line, tile.k));
  };
  return bank(one) != bank(other);
}

Theorem rows_or_columns(bool row) {
  const std::string line = row ? "row" : "column";
  return Theorem{.id = "A12.swizzle." + line + "s",
                 .source = "bankproof",
                 .statement = "in a tile with column i xor j the words of a " + line +
                              " are in different banks",
                 .domain = domain,
                 .unbounded = false}
      .proof([=](Query& q) { q.claim("different banks", banks_differ(q, row, 0)); })
      // The row or column is one word longer.
      .false_twin([=](Query& q) { q.claim("different banks", banks_differ(q, row, 1)); })
      .replay([=](const Values& values) { return replay_swizzle(values, row); });
}

Theorem bijection() {
  return Theorem{.id = "A12.swizzle.bijection",
                 .source = "bankproof",
                 .statement =
                     "in a tile with column i xor j each place has one word: that of (i, j) is at "
                     "i·w + (i xor j), and what is at place a is (⌊a/w⌋, ⌊a/w⌋ xor a mod w)",
                 .domain = domain,
                 .unbounded = false}
      .proof([](Query& q) {
        const SwizzledTile tile(q);
        const WordTerm i = tile.below("i", tile.side(), 1);
        const WordTerm j = tile.below("j", tile.side(), 2);
        const WordTerm place = swizzled(i, j, tile.k);
        const WordTerm all = tile.side() << tile.k;
        q.claim("in the tile", place < all);
        q.claim("its row", (place >> tile.k) == i);
        q.claim("its column", ((place >> tile.k) ^ tile.bank(place)) == j);
        const WordTerm any = tile.below("place", all, 6);
        const WordTerm row = any >> tile.k;
        const WordTerm column = row ^ tile.bank(any);
        q.claim("of the tile", row < tile.side() && column < tile.side());
        q.claim("its place", swizzled(row, column, tile.k) == any);
      })
      .false_twin([](Query& q) {
        // `or` instead of `xor`.
        const SwizzledTile tile(q);
        const WordTerm i = tile.below("i", tile.side(), 1);
        const WordTerm j = tile.below("j", tile.side(), 1);
        const WordTerm place = (i << tile.k) + (i | j);
        q.claim("its column", ((place >> tile.k) ^ tile.bank(place)) == j);
      });
}

}  // namespace

std::vector<Theorem> theorems_on_swizzles() {
  return {rows_or_columns(true), rows_or_columns(false), bijection()};
}

}  // namespace bankproof::proofs
