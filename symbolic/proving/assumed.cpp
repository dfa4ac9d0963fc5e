// Lists assumptions; see assumed.hpp.
#include "assumed.hpp"

#include <algorithm>

#include "../../ptx/syntax/cpp_names.hpp"

namespace bankproof::symbolic {

std::vector<std::string> assumed_of_all() {
  return {"this PTX is what runs: ptxas and the chip are trusted",
          "pointers point to different arrays, and an access stays in the array of its pointer",
          "each thread ends its loops at some time",
          "lanes of a warp are in the same iteration of a loop (banks, coalesced)",
          "arrays begin at multiples of 32 bytes (bounds, coalesced)",
          "an axis that the kernel does not read has one index, unless --block or --grid states it",
          "a launch has at most 2^30 threads, and a grid at most 65535 blocks along y and z"};
}

void add_assumed(const Inlined& inlined, std::vector<std::string>& all) {
  for (const std::string& name : inlined.unknown) {
    all.push_back(ptx::demangled(name) +
                  ", which has no body here, returns any values, and accesses no memory of the "
                  "kernel");
  }
  if (inlined.calls_through_pointers) {
    all.emplace_back(
        "a pointer that is called points to a function whose address this PTX takes; a thread that "
        "calls another one ends there");
  }
}

void add_assumed(const Subject& subject, std::vector<std::string>& all) {
  if (subject.most_threads < most_threads_of_block) {
    all.push_back("a block has at most " + std::to_string(subject.most_threads) +
                  " threads, as many as the kernel is compiled for");
  }
  const bool has_agreed_elements =
      std::any_of(subject.agreed.begin(), subject.agreed.end(),
                  [&](const auto& one) { return subject.elements.loaded.count(one.first) != 0; });
  if (subject.elements.are_used || has_agreed_elements) {
    all.emplace_back("memory to which no thread of the launch writes stays the same while it runs");
  }
  if (subject.elements.are_seen_in_part) {
    all.emplace_back(
        "some contents of the arrays fulfill what is stated of their elements: contents are known "
        "for the first 8 elements");
  }
  if (subject.trace().has_other_meetings) {
    all.emplace_back(
        "the lanes that a shuffle, a vote or __syncwarp() names come to it, in a loop or where its "
        "mask is computed (barriers)");
  }
  if (subject.trace().divides_by_any) {
    all.emplace_back(
        "a whole number x divided by 0 is the largest number without a sign, and x % 0 is x, as on "
        "the machine");
  }
  if (!subject.draws.in_block.empty()) {
    all.emplace_back(
        "a counter from which threads draw numbers by atomicAdd is raised by less than 2^31 in "
        "all");
  }
  if (subject.names_members) {
    all.emplace_back("members of structures lie where the compiler's debug information says");
  }
  for (const std::string& limit : subject.limited) all.push_back(limit);
  for (const std::string& name : subject.usual) {
    all.push_back(name + " is at most 2^40 in size, as long as no --where bounds it");
  }
}

}  // namespace bankproof::symbolic
