// What theorems on index computations share: the sizes and threads that they are about, and the
// elements that a sweep gives to a thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "../../../algorithms/window.hpp"
#include "../../builder/checked_term.hpp"
#include "../../builder/theorem.hpp"

namespace bankproof::proofs {

using Word = CheckedTerm;

/// How much more than its limit a size may be: 0, and 1 in a false twin.
using More = std::uint64_t;

/// `compute` goes through an algorithm's index computations, under its limits. It assumes nothing
/// but those of sizes; what the algorithm tests is a guard().
struct IndexTheorem {
  std::string id;
  std::string statement;
  std::string domain;
  std::function<void(Query&, More)> compute;
};
Theorem no_overflow(const IndexTheorem& of);

/// A size, 1 or more, which is a word of the program.
Word size(Query& q, const std::string& name, std::uint64_t example);
/// 0 ≤ name < end, as a loop has it that ends there.
Word index(Query& q, const std::string& name, const Word& end, std::uint64_t example = 0);
/// What the algorithm tests before it goes on.
void guard(const Truth& condition);

/// Assumes x ≤ most.
void limit(Query& q, const IntTerm& x, std::uint64_t most);
/// Assumes that an array of rows × columns has less than 2^32 words, or `more` more.
void limit_matrix(Query& q, const Word& rows, const Word& columns, More more);
/// A side, or another number of at most 2^30.
Word side(Query& q, const std::string& name, std::uint64_t example);
/// A radius v of at most 2^30, of which 0 is one.
Word radius(Query& q);

/// A matrix of less than 2^32 words, or of that many, with such sides.
struct WordMatrix {
  Word rows;
  Word columns;

  WordMatrix(Query& q, More more);
};

/// Row i is one of the matrix's: so are its words.
void in_rows(Query& q, const Word& i, const Word& rows, const Word& columns);

/// Of a thread: one of its turns, its block, and its number in the block. `of` follows the names of
/// these where there are several.
struct Example {
  std::uint64_t turn = 0;
  std::uint64_t block = 0;
  std::uint64_t thread = 0;
  std::string of = {};
};

/// The item of a thread in one of the turns that so many threads take over all items, or past them.
Word in_turns(Query& q, const Word& items, const Word& threads, const Word& thread,
              const Example& example = {});
/// An item of one of the p threads of a block.
Word item_of_thread(Query& q, const Word& items, const Word& p, const Example& example = {});

/// d blocks of p threads.
struct Blocks {
  Word d;
  Word p;

  /// With x + dp ≤ 2^32, or `more` more, and an example of p.
  Blocks(Query& q, const Word& x, More more, std::uint64_t threads = 1);
};
/// An item of one of their threads.
Word item_of_launch(Query& q, const Word& items, const Blocks& blocks, const Example& example = {});

/// A thread of a launch of so many blocks of p threads.
Word thread_of_launch(Query& q, const Word& blocks, const Word& p, const Example& example = {});
/// An item of a launch that has blocks of p threads, and a thread for each item.
Word own_item(Query& q, const Word& items, const Word& p, const Example& example = {});

/// The threads of a block, and the width; each at most 2^30.
struct Threads {
  Word p;
  Word w;

  explicit Threads(Query& q);
  Threads(Query& q, Word width);
};

/// An element of a thread that takes part in a sweep over rows × columns elements, on the way to
/// which turns, rows and columns of any thread are computed.
struct Swept {
  Word i;
  Word j;

  Swept(Query& q, const Word& rows, const Word& columns, const Threads& threads,
        const Example& example = {});
};

/// The corner of a block's tile, m × m elements of a matrix.
CornerOf<Word> corner_of_block(Query& q, const Word& rows, const Word& columns, const Word& m);

/// x − y for a test x − y < end that fails where it is negative: in words it is beyond `end` then.
void wraps_beyond(const Word& x, const Word& y, const Word& end);
/// What the test says: 0 ≤ x − y < end.
Truth is_within(const Word& x, const Word& y, const Word& end);

/// The word of element (i, j) of a window or, beyond the edge, the test that finds it there.
void word_of_window(Query& q, const WindowOf<Word>& window, const Word& i, const Word& j);

}  // namespace bankproof::proofs
