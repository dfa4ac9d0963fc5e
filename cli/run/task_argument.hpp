// What `run` is asked for: an algorithm, a variant, sizes and a machine.
//
// Example: `sum --variant pairwise --size n=1000 --machine dmm:w=32,l=5,p=256`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entry.hpp"

namespace bankproof::cli {

/// The algorithm of this name. Throws UsageError.
const AlgorithmEntry& find_algorithm(std::string_view name);

/// The task, with the usual sizes and letters where none are given. The variant is the one named,
/// or the first that runs on the machine; the machine the one named, or the first of the variant.
/// Of an algorithm that permutes, the permutation is as `check` takes it. Throws UsageError, and
/// InputError.
Task parse_task(const AlgorithmEntry& algorithm, const std::string& variant,
                const std::vector<std::string>& sizes, const std::string& machine,
                const std::string& permutation = {});

/// Throws UsageError for what the variant refuses.
void require_suitable(const AlgorithmEntry& algorithm, const Task& task);

/// Sets the size t of (1+r)R1W so that its two triangles have about the part r, 0 to 1, of a square
/// matrix's tiles; `sizes` (of --size) must not have it as well. Returns what it became, in words.
/// Throws UsageError.
std::string set_part_in_two_passes(Task& task, const std::string& r,
                                   const std::vector<std::string>& sizes);

/// For example "hmm:w=32,l=1,L=400,d=16,p=1024".
std::string machine_text(const Letters& machine);

/// The sizes that the task's variant has.
std::vector<SizeKey> sizes_of(const AlgorithmEntry& algorithm, const Task& task);

/// For example "rows=64, columns=64".
std::string sizes_text(const AlgorithmEntry& algorithm, const Task& task);

}  // namespace bankproof::cli
