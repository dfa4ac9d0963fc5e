// What theorems on index computations share: the sizes and threads that they are about, and the
// elements that a sweep gives to a thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "../../algorithms/window.hpp"
#include "../checked_term.hpp"
#include "../theorem.hpp"

namespace bankproof::proofs {

using Word = CheckedTerm;

/// How much more than its limit a size may be: 0, and 1 in a false twin.
using More = std::uint64_t;

/// `compute` goes through an algorithm's index computations, under its limits.
struct IndexTheorem {
  std::string id;
  std::string statement;
  std::string domain;
  std::function<void(Query&, More)> compute;
};
Theorem no_overflow(const IndexTheorem& of);

/// A size, 1 or more, which is a word of the program.
Word size(Query& q, const std::string& name, std::uint64_t example);
/// 0 ≤ name < end.
Word index(Query& q, const std::string& name, const Word& end, std::uint64_t example = 0);

/// Assumes x ≤ most.
void limit(Query& q, const IntTerm& x, std::uint64_t most);
/// Assumes that an array of rows × columns has less than 2^32 words, or `more` more.
void limit_matrix(Query& q, const Word& rows, const Word& columns, More more);
/// A side, or another number of at most 2^30.
Word side(Query& q, const std::string& name, std::uint64_t example);

/// A matrix of less than 2^32 words, or of that many, with such sides.
struct Matrix {
  Word rows;
  Word columns;

  Matrix(Query& q, More more);
};

/// Row i is one of the matrix's: so are its words.
void in_rows(Query& q, const Word& i, const Word& rows, const Word& columns);

/// The threads of a block, and the width; each at most 2^30.
struct Threads {
  Word p;
  Word w;

  explicit Threads(Query& q);
};

/// An element of a thread that takes part in a sweep over rows × columns elements, on the way to
/// which turns, rows and columns of any thread are computed.
struct Swept {
  Word i;
  Word j;

  Swept(Query& q, const Word& rows, const Word& columns, const Threads& threads,
        std::uint64_t turn = 0);
};

/// A thread of a launch of so many blocks of p threads, and an example of one.
struct ThreadExample {
  std::uint64_t block;
  std::uint64_t thread;
};
Word thread_of_launch(Query& q, const Word& blocks, const Word& p, ThreadExample example);

/// One of so many items of a launch of blocks of p threads, one for each.
Word item_of_launch(Query& q, const Word& items, const Word& p, ThreadExample example);

/// The corner of a block's tile, m × m elements of a matrix.
CornerOf<Word> corner_of_block(Query& q, const Word& rows, const Word& columns, const Word& m);

/// x − y for a test x − y < end that fails where it is negative: in words it is beyond `end` then.
void wraps_beyond(const Word& x, const Word& y, const Word& end);

/// The word of element (i, j) of a window or, beyond the edge, the test that finds it there.
void word_of_window(Query& q, const WindowOf<Word>& window, const Word& i, const Word& j);

}  // namespace bankproof::proofs
