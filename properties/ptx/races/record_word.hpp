// The records of one word, for tests of their meaning.
#pragma once

#include <array>

#include "../../../ptx/races/judge.hpp"

namespace bankproof::ptx {

/// The records of a word as seen by warp 11. The block of warp 11 has the warps 10 and 11, and for
/// their copies the copiers 12 and 13. Warps below 10 belong to earlier launches.
class Word {
 public:
  Word() {
    viewer.quiet = ShadowWord::first_of(10);
    viewer.warp = 11;
    viewer.first = 10;
    viewer.warps = 4;
    viewer.copiers = 2;
    viewer.block_known = known.data();
  }
  ShadowWords both() { return {write, read}; }
  Judgement store(ShadowWord mine) {
    const Judgement judgement = check_write(both(), viewer, mine);
    record_write(both(), viewer, mine);
    return judgement;
  }
  Judgement load(ShadowWord mine) { return read_word(both(), viewer, mine); }

  std::array<Epoch, 4> known{};
  Viewer viewer;
  ShadowWord write;
  ShadowWord read;
};

}  // namespace bankproof::ptx
