// Shared parts of theorems on index computations: sizes, threads, and the elements that a sweep
// gives to a thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "../../../algorithms/window.hpp"
#include "../../builder/checked_term.hpp"
#include "../../builder/theorem.hpp"

namespace bankproof::proofs {

using Word = CheckedTerm;

/// A size may exceed its limit by this number: 0, or 1 in a false twin.
using More = std::uint64_t;

/// The theorem that no index of `algorithm` overflows a word. `compute` carries out its index
/// computations within the limits on sizes. It assumes only these limits, and calls guard() for
/// each test that the algorithm makes.
Theorem no_overflow(const std::string& id, const std::string& algorithm, const std::string& domain,
                    const std::function<void(Query&, More)>& compute);

/// A size ≥ 1, which is a word of the program.
Word size(Query& q, const std::string& name, std::uint64_t example);
/// A number with 0 ≤ number < end, like the index of a loop that ends at `end`.
Word index(Query& q, const std::string& name, const Word& end, std::uint64_t example = 0);
/// A test that the algorithm makes before it goes on.
void guard(const Truth& condition);

/// Assumes x ≤ most.
void limit(Query& q, const IntTerm& x, std::uint64_t most);
/// Assumes that an array of rows × columns has less than 2^32 + `more` words.
void limit_matrix(Query& q, const Word& rows, const Word& columns, More more);
/// A side, or another number ≥ 1, of at most 2^30.
Word side(Query& q, const std::string& name, std::uint64_t example);
/// A radius v, 0 ≤ v ≤ 2^30.
Word radius(Query& q);

/// A matrix with less than 2^32 + `more` words, and sides of at most 2^30.
struct WordMatrix {
  Word rows;
  Word columns;

  WordMatrix(Query& q, More more);
};

/// Proves that the words of row i are words of the matrix, given that row i is one of its rows.
void in_rows(Query& q, const Word& i, const Word& rows, const Word& columns);

/// Example values for a thread: one of its turns, its block, and its number in the block. `of` is a
/// suffix that distinguishes the names if there are several threads.
struct Example {
  std::uint64_t turn = 0;
  std::uint64_t block = 0;
  std::uint64_t thread = 0;
  std::string of = {};
};

/// The item that a thread takes in one turn, where `threads` threads take one item each in every
/// turn until no items are left. The item may be past the last one.
Word in_turns(Query& q, const Word& items, const Word& threads, const Word& thread,
              const Example& example = {});
/// An item of one of the p threads of a block.
Word item_of_thread(Query& q, const Word& items, const Word& p, const Example& example = {});

/// d blocks of p threads.
struct Blocks {
  Word d;
  Word p;

  /// Assumes x + dp ≤ 2^32 + `more`. `threads` is the example for p.
  Blocks(Query& q, const Word& x, More more, std::uint64_t threads = 1);
};
/// An item of one of the threads of a launch.
Word item_of_launch(Query& q, const Word& items, const Blocks& blocks, const Example& example = {});

/// A thread of a launch of `blocks` blocks of p threads.
Word thread_of_launch(Query& q, const Word& blocks, const Word& p, const Example& example = {});
/// An item of a launch with blocks of p threads and one thread for each item.
Word own_item(Query& q, const Word& items, const Word& p, const Example& example = {});

/// The threads of a block, and the width. Each is at most 2^30.
struct Threads {
  Word p;
  Word w;

  explicit Threads(Query& q);
  Threads(Query& q, Word width);
};

/// An element of a thread that takes part in a sweep over rows × columns elements. The constructor
/// also computes the turns, rows and columns of any thread.
struct Swept {
  Word i;
  Word j;

  Swept(Query& q, const Word& rows, const Word& columns, const Threads& threads,
        const Example& example = {});
};

/// The corner of a block's tile, which has m × m elements of a matrix.
CornerOf<Word> corner_of_block(Query& q, const Word& rows, const Word& columns, const Word& m);

/// Records the condition that the test x − y < end fails if x − y is negative, because the word x −
/// y wraps around to at least `end`.
void wraps_beyond(const Word& x, const Word& y, const Word& end);
/// The test passes: 0 ≤ x − y < end.
Truth is_within(const Word& x, const Word& y, const Word& end);

/// Computes the word of element (i, j) of a window. For an element beyond the edge, the computation
/// ends at the test that finds the element there.
void word_of_window(Query& q, const WindowOf<Word>& window, const Word& i, const Word& j);

}  // namespace bankproof::proofs
