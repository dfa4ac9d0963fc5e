// Replays the accesses of a counterexample on the machines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "../../../model/memory.hpp"
#include "../../builder/query.hpp"

namespace bankproof::proofs {

/// Runs the access of a full warp, whose thread k accesses word(k), on a DMM whose width is the
/// value `w`. Reports the word and bank of each of two threads and the stages of the access. The
/// values `one` and `other` are the numbers of these threads. Throws std::logic_error if the two
/// threads do not conflict, or the access takes one stage.
std::string replay_bank_conflict(const Values& values, const std::string& one,
                                 const std::string& other,
                                 const std::function<std::uint64_t(std::uint64_t k)>& word);

/// Replays for theorems about words of a w × w tile. In replay_row(), thread j accesses the word
/// place(i, j, values); the values `j` and `other_j` are the columns of the two words. In
/// replay_column(), thread i accesses this word; the values `i` and `other_i` are the rows of the
/// two words.
using Place = std::function<std::uint64_t(std::uint64_t i, std::uint64_t j, const Values& values)>;
std::function<std::string(const Values&)> replay_row(const Place& place);
std::function<std::string(const Values&)> replay_column(const Place& place);

}  // namespace bankproof::proofs
