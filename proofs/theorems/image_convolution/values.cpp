// Tiles of images and matrices (rows I2, K5, K10 and H3), for every size, mask and tile. The
// threads of a block sweep a tile, load the words that the tile needs, and read only words that
// were loaded.
#include "../../../algorithms/image_convolution.hpp"
#include "../../../algorithms/layout.hpp"
#include "../../../algorithms/tiled_convolution/plane.hpp"
#include "../../../algorithms/transpose.hpp"
#include "../../builder/parameters.hpp"
#include "../lists.hpp"
#include "../values/tiles.hpp"

namespace bankproof::proofs {
namespace {

/// p threads that sweep a matrix, and the turn and thread of element (i, j). The false twin leaves
/// out `left_out` pieces of a row.
struct Sweeping {
  Query& q;
  SweepShape<IntTerm> shape{q.number("rows", 1, 5), q.number("columns", 1, 6), q.number("p", 1, 5),
                            width(q)};
  IntTerm i = below(q, "i", shape.rows, 3);
  IntTerm j = below(q, "j", shape.columns, 5);
  IntTerm threads = shape.row_threads();  ///< threads of a row
  IntTerm rows = shape.rows_at_once();    ///< rows of a turn
  IntTerm pieces;
  IntTerm round = i / rows;
  IntTerm piece = j / threads;
  IntTerm thread = row_major(i % rows, j % threads, threads);
  IntTerm turn = row_major(round, piece, pieces);

  explicit Sweeping(Query& query, std::uint64_t left_out = 0)
      : q(query), pieces(shape.pieces() - left_out) {}
  Truth has_the_element() const {
    return shape.row_of(turn, thread) == i && shape.column_of(turn, thread) == j &&
           turn < shape.turns() && thread < shape.p;
  }
};

Theorem sweeps() {
  return Theorem{
      .id = "K5.sweep",
      .source = "bankproof, of OPT III and CONV 7.6",
      .statement =
          "when p threads sweep a matrix, each element has a turn and a thread that has it",
      .domain = "all sizes, p and w"}
      .proof([](Query& q) {
        const Sweeping of(q);
        const auto& [query, shape, i, j, threads, rows, pieces, round, piece, thread, turn] = of;
        q.claim("a row has threads", threads >= 1 && threads <= shape.p);
        q.compare_multiples(threads, 0, rows);
        q.claim("at least a row at once", rows >= 1);
        q.compare_multiples(threads, 0, shape.columns / threads);
        q.claim("at least a piece", pieces >= 1);
        q.multiply_by({threads});
        q.compare_multiples(threads, piece, pieces);
        q.claim("a piece that there is", piece < pieces);
        q.compare_multiples(threads, i % rows + 1, rows);
        q.claim("a thread that there is", thread < rows * threads && rows * threads <= shape.p);
        q.multiply_by({});
        q.compare_multiples(threads, thread / threads, i % rows);
        q.compare_multiples(pieces, turn / pieces, round);

        q.claim("turn and piece", turn / pieces == round && turn % pieces == piece &&
                                      thread / threads == i % rows &&
                                      thread % threads == j % threads);
        q.multiply_by({rows, threads});
        q.claim("the element",
                shape.row_of(turn, thread) == i && shape.column_of(turn, thread) == j);
        const IntTerm rounds = ceil_div(shape.rows, rows);
        q.compare_multiples(rows, round, rounds);
        q.claim("a round that there is", round < rounds);
        q.multiply_by({});
        q.compare_multiples(pieces, round + 1, rounds);
        q.claim("a turn that there is", turn < shape.turns());
        q.claim("they have it", of.has_the_element());
      })
      .false_twin([](Query& q) { q.claim("they have it", Sweeping(q, 1).has_the_element()); });
}

/// Pixel (i, j) of a t × t tile and term (s, u) of a mask of radius v, in the window that the tile
/// has loaded. In the false twin, a side of the window has `fewer` pixels less.
struct Pixel {
  Query& q;
  IntTerm v = q.number("v", 0, 1);
  IntTerm t = q.number("t", 1, 3);
  IntTerm channels = q.number("channels", 1, 2);
  IntTerm side;
  IntTerm channel = below(q, "channel", channels, 1);
  IntTerm i = below(q, "i", t, 2);
  IntTerm j = below(q, "j", t, 1);
  IntTerm s = below(q, "s", 2 * v + 1, 2);
  IntTerm u = below(q, "u", 2 * v + 1, 0);

  explicit Pixel(Query& query, std::uint64_t fewer = 0) : q(query), side(t + 2 * v - fewer) {}
  IntTerm read() const { return row_major(row_major(channel, i + s, side), j + u, side); }
  Truth is_loaded() const { return i + s < side && j + u < side; }
};

Theorem pixels() {
  return Theorem{.id = "K5.loaded",
                 .source = "CONV 7.6, figures 7.20 and 7.21, mended",
                 .statement =
                     "each word that a thread of the tiled kernel reads in shared memory is one of "
                     "its channels × (t + 2v)² and was loaded, with the pixel that the mask wants",
                 .domain = "all v, t, channels and tiles"}
      .proof([](Query& q) {
        const Pixel at(q);
        q.claim("loaded", at.is_loaded());
        q.multiply_by({at.side});
        q.compare_multiples(at.side, at.channel * at.side + at.i + at.s + 1, at.channels * at.side);
        q.claim("a row that there is", at.channel * at.side + at.i + at.s < at.channels * at.side);
        q.claim("in bounds", at.read() < at.channels * at.side * at.side);
        // As element (y, x), the sweep loads pixel (top + y − v, left + x − v).
        const auto [y, x, of_channel] = q.numbers({{"y", 0, 4}, {"x", 0, 1}, {"of_channel", 0, 1}});
        q.assume(y < at.side && x < at.side);
        const IntTerm loaded = row_major(row_major(of_channel, y, at.side), x, at.side);
        q.compare_multiples(at.side, of_channel * at.side + y, at.channel * at.side + at.i + at.s);
        q.compare_multiples(at.side, of_channel, at.channel);
        q.claim("no other pixel is there",
                implies(loaded == at.read(),
                        of_channel == at.channel && y == at.i + at.s && x == at.j + at.u));
      })
      .false_twin([](Query& q) { q.claim("loaded", Pixel(q, 1).is_loaded()); });
}

/// Pixel (y, x) of an image and term (s, t) of its kernel. In the false twin, the window has no
/// halo above its tile or to the left of it.
struct Convolved {
  ConvolvingOf<IntTerm> image;
  IntTerm w;
  TileOf tile;
  IntTerm s;
  IntTerm t;
  WindowOf<IntTerm> window;
  Loaded loaded;

  explicit Convolved(Query& q, bool with_halo = true)
      : image{q.number("rows", 1, 9), q.number("columns", 1, 9), q.number("v", 0, 1)},
        w(width(q)),
        tile(below(q, "y", image.rows, 7), below(q, "x", image.columns, 4), image.columns, w),
        s(below(q, "s", image.side(), 2)),
        t(below(q, "t", image.side(), 0)),
        window{image.rows, image.columns, tile.corner.top, tile.corner.left},
        loaded(q, "window", side()) {
    if (with_halo) window.above = window.before = image.v;
    loaded.load(window, row(), column());
  }
  IntTerm side() const { return w + 2 * image.v; }
  /// The element of the window that the thread reads.
  IntTerm row() const { return tile.i + s; }
  IntTerm column() const { return tile.j + t; }
  Truth has_the_pixel() const {
    return row() < side() && column() < side() &&
           loaded.at(row(), column()) ==
               row_major(tile.y + s - image.v, tile.x + t - image.v, image.columns);
  }
};

Theorem windows() {
  return Theorem{.id = "I2.loaded",
                 .source = "OPT III, theorem 5",
                 .statement =
                     "each pixel has a block of CONV-HMM; for each term of the kernel, the block "
                     "reads a word of its window that was loaded with the image pixel that this "
                     "pixel and term need, and with no other",
                 .domain = "all sizes, v and w; pixels wanted within the edge"}
      .proof([](Query& q) {
        const Convolved of(q);
        of.tile.prove_place(q);
        q.multiply_by({of.image.columns});
        q.claim("the pixel", of.has_the_pixel());
        q.multiply_by({});
        of.loaded.prove_alone(of.row(), of.column());
      })
      .false_twin([](Query& q) { q.claim("the pixel", Convolved(q, false).has_the_pixel()); });
}

/// A pixel's word is inside an image whose rows are `pitch` words apart. In the false twin, the
/// pitch has room for one channel only.
Truth pitch_has_room(Query& q, bool for_channels) {
  const auto [rows, columns, channels] =
      q.numbers({{"rows", 1, 3}, {"columns", 1, 5}, {"channels", 1, 3}});
  const IntTerm pitch = q.number("pitch", 1, for_channels ? 16 : 8);
  q.assume(pitch >= (for_channels ? columns * channels : columns));
  const IntTerm y = below(q, "y", rows, 2);
  const IntTerm x = below(q, "x", columns, 4);
  const IntTerm channel = below(q, "channel", channels, 2);
  q.compare_multiples(pitch, y + 1, rows);
  q.compare_multiples(channels, x + 1, columns);
  return row_major(y, row_major(x, channel, channels), pitch) < rows * pitch;
}

Theorem pitch() {
  return Theorem{.id = "K5.bounds",
                 .source = "CONV 7.6, figure 7.15",
                 .statement =
                     "in rows of at least columns × channels words every pixel's channels are "
                     "inside the array",
                 .domain = "all sizes, channels and pitches"}
      .claim_both("in bounds", pitch_has_room);
}

/// Whether the row of N that the tile holds for output row `row` and mask row i is the right row.
/// As printed in figure 7.19, `more` is 1; in the text on this figure, `less` is 1.
Truth is_wanted(const IntTerm& row, const IntTerm& i, const IntTerm& v, std::uint64_t more,
                std::uint64_t less) {
  const IntTerm mask = 2 * v + 1;
  const IntTerm row_i = row - mask / 2 + more - less;
  return row_i + i == row + i - v;
}

Theorem printed_rows() {
  return Theorem{
      .id = "K5.printed",
      .source = "CONV figure 7.19, refuted",
      .statement =
          "row_o − Mask_Width/2 is the first row that an odd mask wants; row_o − Mask_Width/2 + 1, "
          "as printed, and row_o − (Mask_Width/2 + 1), as the text has it, never are",
      .domain = "all odd masks, tiles and rows"}
      .proof([](Query& q) {
        const auto [v, row] = q.numbers({{"v", 0, 2}, {"row", 0, 5}});
        const IntTerm i = below(q, "i", 2 * v + 1, 1);
        q.claim("mended", is_wanted(row, i, v, 0, 0));
        q.claim("not as printed", !is_wanted(row, i, v, 1, 0));
        q.claim("nor as in the text", !is_wanted(row, i, v, 0, 1));
      })
      .false_twin([](Query& q) {
        const IntTerm row = q.number("row", 0, 5);
        q.claim("as printed", is_wanted(row, 1, 2, 1, 0));
      });
}

/// Element (y, x) of a matrix, and its path through the tile of its block. In the false twin, the
/// tile is written back to its old place.
struct Transposed {
  TransposingOf<IntTerm> matrix;
  TileOf tile;
  WindowOf<IntTerm> from;
  WindowOf<IntTerm> to;

  explicit Transposed(Query& q, bool to_its_place = true)
      : matrix{q.number("rows", 1, 10), q.number("columns", 1, 11), width(q)},
        tile(below(q, "y", matrix.rows, 9), below(q, "x", matrix.columns, 2), matrix.columns,
             matrix.w),
        from(matrix.from(tile.block)),
        to(to_its_place ? matrix.to(tile.block) : from) {}
  /// Thread (j, i) reads what thread (i, j) wrote: diagonal_column is the diagonal of (i, j).
  Truth is_transposed() const {
    return from.word(tile.i, tile.j) == row_major(tile.y, tile.x, matrix.columns) &&
           to.word(tile.j, tile.i) == row_major(tile.x, tile.y, matrix.rows);
  }
};

Theorem transposes() {
  return Theorem{.id = "H3.value",
                 .source = "THS 5.3",
                 .statement =
                     "each element of a matrix has a block whose tile takes it from row-major "
                     "place (y, x) to (x, y) of the transpose",
                 .domain = "all sizes and w"}
      .proof([](Query& q) {
        const Transposed of(q);
        of.tile.prove_place(q);
        q.multiply_by({of.matrix.columns, of.matrix.rows});
        q.claim("transposed", of.is_transposed());
      })
      .false_twin([](Query& q) { q.claim("transposed", Transposed(q, false).is_transposed()); });
}

}  // namespace

std::vector<Theorem> theorems_on_image_tiles() {
  return {sweeps(), pixels(), windows(), pitch(), printed_rows(), transposes()};
}

}  // namespace bankproof::proofs
