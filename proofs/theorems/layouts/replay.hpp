// Replays the accesses of a counterexample on the machines.
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

/// Runs the access on a DMM, and reports the word and bank of each of the two threads and the
/// stages of the access. Throws std::logic_error if the two threads do not conflict, or the access
/// takes one stage.
std::string replay_bank_conflict(const WarpAccess& access);

/// Replays for theorems about words of a w × w tile. In replay_row(), thread j accesses the word
/// place(i, j, values); the values `j` and `other_j` are the columns of the two words. In
/// replay_column(), thread i accesses this word; the values `i` and `other_i` are the rows of the
/// two words.
using Place = std::function<std::uint64_t(std::uint64_t i, std::uint64_t j, const Values& values)>;
std::function<std::string(const Values&)> replay_row(const Place& place);
std::function<std::string(const Values&)> replay_column(const Place& place);

}  // namespace bankproof::proofs
