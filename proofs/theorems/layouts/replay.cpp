// Runs single accesses on a DMM of latency 1. There the time in lockstep is the number of stages.
#include "replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "../../../model/array.hpp"
#include "../../../model/machine.hpp"

namespace bankproof::proofs {
namespace {

Program read_once(Warp&, Array<std::uint32_t>& a, const Lanes<Address>& words) {
  co_await a.read(words);
}

Time stages_of(const std::vector<std::uint64_t>& words) {
  const auto width = static_cast<Width>(words.size());
  Dmm machine({.width = width, .latency = 1}, {.mode = Mode::lockstep});
  Array<std::uint32_t> a(machine.memory(), *std::ranges::max_element(words) + 1, "a");
  const auto lanes = make_lanes(width, [&](Width lane) -> Address { return words[lane]; });
  return machine.launch({.threads = width}, read_once, a, lanes);
}

}  // namespace

std::string replay_bank_conflict(const Values& values, const std::string& one_name,
                                 const std::string& other_name,
                                 const std::function<std::uint64_t(std::uint64_t k)>& word) {
  const std::uint64_t w = values.at("w");
  std::vector<std::uint64_t> words;
  for (std::uint64_t k = 0; k < w; ++k) words.push_back(word(k));
  const std::uint64_t one = values.at(one_name);
  const std::uint64_t other = values.at(other_name);
  const Time stages = stages_of(words);
  if (words.at(one) == words.at(other) || words[one] % w != words[other] % w || stages < 2) {
    throw std::logic_error(
        fmt::format("threads {} and {} of warp 0 have words {} and {}, and the access takes {} "
                    "stages on a DMM with w = {}",
                    one, other, words[one], words[other], stages, w));
  }
  return fmt::format(
      "on a DMM with w = {}, threads {} and {} of warp 0 have words {} and {}, both in bank {}, "
      "and the access takes {} stages",
      w, one, other, words[one], words[other], words[one] % w, stages);
}

std::function<std::string(const Values&)> replay_row(const Place& place) {
  return [=](const Values& values) {
    return replay_bank_conflict(values, "j", "other_j",
                                [&](std::uint64_t j) { return place(values.at("i"), j, values); });
  };
}

std::function<std::string(const Values&)> replay_column(const Place& place) {
  return [=](const Values& values) {
    return replay_bank_conflict(values, "i", "other_i",
                                [&](std::uint64_t i) { return place(i, values.at("j"), values); });
  };
}

}  // namespace bankproof::proofs
