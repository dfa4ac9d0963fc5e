// Keeps states as bytes, and compares them without copying them.
#include "repetition.hpp"

#include <cstring>

#include "program.hpp"

namespace bankproof::ptx {

namespace {

// The number of turns without a change of memory after which a state is kept. Most kernels never
// reach this number.
constexpr std::uint64_t first_turn = 16;

// Passes the state to `piece`, one piece after the other, as long as `piece` returns true. Returns
// whether it has passed the whole state.
template <class Piece>
bool show(std::span<BlockRun* const> blocks, const Piece& piece) {
  const auto number = [&](std::uint64_t value) { return piece(&value, sizeof value); };
  for (const BlockRun* const block : blocks) {
    if (!number(block->number())) return false;
    for (const Warp& warp : block->warps()) {
      for (const Split* const leaf : warp.leaves) {
        for (const Split* s = leaf; s != nullptr; s = s->above) {
          const bool same = number(reinterpret_cast<std::uintptr_t>(s->at)) && number(s->lanes) &&
                            number(static_cast<std::uint64_t>(s->waiting));
          if (!same) return false;
          for (const FrameRange& range : s->frame->code->lasting) {
            if (!piece(s->frame->data + range.begin, range.bytes)) return false;
          }
        }
      }
    }
  }
  return true;
}

}  // namespace

bool Repetition::found(std::span<BlockRun* const> blocks, std::uint64_t changes) {
  if (changes != changes_) {
    changes_ = changes;
    turns_ = 0;
    next_ = first_turn;
    kept_.clear();
    return false;
  }
  if (++turns_ < first_turn) return false;
  if (!kept_.empty()) {
    std::size_t at = 0;
    const bool same = show(blocks, [&](const void* data, std::size_t bytes) {
      if (at + bytes > kept_.size() || std::memcmp(kept_.data() + at, data, bytes) != 0) {
        return false;
      }
      at += bytes;
      return true;
    });
    if (same && at == kept_.size()) return true;
  }
  if (turns_ >= next_) {
    next_ = 2 * turns_;
    kept_.clear();
    show(blocks, [&](const void* data, std::size_t bytes) {
      const auto* const from = static_cast<const std::byte*>(data);
      kept_.insert(kept_.end(), from, from + bytes);
      return true;
    });
  }
  return false;
}

}  // namespace bankproof::ptx
