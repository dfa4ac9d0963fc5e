// What the machines do with the accesses that a counterexample is about.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../../../model/memory.hpp"
#include "../../builder/query.hpp"

namespace bankproof::proofs {

/// The access of a full warp, thread by thread, and two of its threads.
struct WarpAccess {
  std::vector<std::uint64_t> words;
  std::uint64_t one;
  std::uint64_t other;
};

/// Runs it on a DMM and says which word and bank each of the two threads has, and how many stages
/// the access takes. Throws std::logic_error if they do not conflict, or the machine takes one
/// stage.
std::string replay_bank_conflict(const WarpAccess& access);

/// A replay of a theorem about words in a row of a tile: thread j of w has the word place(i, j, w),
/// and `one` and `other` name the columns of the two. Of a column likewise, thread i.
using Place = std::function<std::uint64_t(std::uint64_t i, std::uint64_t j, const Values& values)>;
std::function<std::string(const Values&)> replay_row(const Place& place);
std::function<std::string(const Values&)> replay_column(const Place& place);

}  // namespace bankproof::proofs
