// The task that the user gives `run`: an algorithm, a variant, sizes and a machine.
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

/// The task; sizes and machine parameters that are not given get their usual values. The default
/// variant is the first variant that runs on the machine; the default machine is the first machine
/// of the variant. If the algorithm permutes, `permutation` is given in the form that `check`
/// takes. Throws UsageError and InputError.
Task parse_task(const AlgorithmEntry& algorithm, const std::string& variant,
                const std::vector<std::string>& sizes, const std::string& machine,
                const std::string& permutation = {});

/// Throws UsageError if the variant refuses the task.
void require_suitable(const AlgorithmEntry& algorithm, const Task& task);

/// Sets the size t of (1+r)R1W so that its two triangles have about the fraction r (0 to 1) of the
/// tiles of a square matrix. The values of --size, `sizes`, must not set t as well. Returns a
/// sentence that names the chosen t. Throws UsageError.
std::string set_part_in_two_passes(Task& task, const std::string& r,
                                   const std::vector<std::string>& sizes);

/// For example "hmm:w=32,l=1,L=400,d=16,p=1024".
std::string machine_text(const MachineParameters& machine);

/// The sizes that the task's variant has.
std::vector<SizeKey> sizes_of(const AlgorithmEntry& algorithm, const Task& task);

/// For example "rows=64, columns=64".
std::string sizes_text(const AlgorithmEntry& algorithm, const Task& task);

}  // namespace bankproof::cli
