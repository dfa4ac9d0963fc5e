// Launches on a session; see replay.hpp.
#include "replay.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

#include "../../cuda/session/arguments.hpp"
#include "../../cuda/session/usual_chip.hpp"
#include "../../ptx/report/function_names.hpp"
#include "../../ptx/syntax/layout.hpp"
#include "elements.hpp"
#include "words.hpp"

namespace bankproof::symbolic {

namespace {

/// A replay that needs more says nothing.
constexpr std::uint64_t most_instructions = 200'000'000;
/// Contents that a solver has found often make loops wait for what nobody writes.
constexpr std::uint64_t most_of_same = 20'000'000;
/// A loop that waits for what such contents never say, as in a look-back.
constexpr int most_endless = 1;

bool is_shown_by(Claim claim, ptx::FaultKind kind) {
  using ptx::FaultKind;
  switch (claim) {
    case Claim::race:
    case Claim::blocks:
      return kind == FaultKind::race || kind == FaultKind::colliding_writes;
    case Claim::barriers:
      return kind == FaultKind::barrier_divergence || kind == FaultKind::deadlock ||
             kind == FaultKind::inactive_lane;
    case Claim::bounds:
      return kind == FaultKind::out_of_bounds || kind == FaultKind::misaligned;
    case Claim::overflow:
      return kind == FaultKind::out_of_bounds;
    case Claim::asserts:
      return kind == FaultKind::trap;
    case Claim::initialized:
      return kind == FaultKind::uninitialized;
    default:
      return false;
  }
}

bool ends_threads(ptx::FaultKind kind) {
  using ptx::FaultKind;
  return kind == FaultKind::misaligned || kind == FaultKind::deadlock ||
         kind == FaultKind::inactive_lane || kind == FaultKind::barrier_divergence ||
         kind == FaultKind::trap;
}

/// The blocks of the two threads of a race, as its message names them:
/// "block (0,1), thread (3,0): … by block (0,0), thread (5,0)".
std::vector<std::string> blocks_in(const std::string& message) {
  std::vector<std::string> blocks;
  const std::string word = "block ";
  for (std::size_t at = 0; (at = message.find(word, at)) != std::string::npos;) {
    at += word.size();
    const std::size_t end = message.find(", thread", at);
    if (end == std::string::npos) break;
    blocks.push_back(message.substr(at, end - at));
  }
  return blocks;
}

/// The wavefronts of one access: those that its bytes need, and its excess.
std::uint64_t wavefronts_of(const ptx::AccessPicture& picture) {
  constexpr std::uint64_t bytes_of_wavefront = 128;
  std::set<std::uint64_t> addresses;
  for (std::size_t lane = 0; lane < picture.addresses.size(); ++lane) {
    if ((picture.lanes >> lane & 1U) != 0) addresses.insert(picture.addresses[lane]);
  }
  const std::uint64_t bytes = addresses.size() * picture.element_bytes;
  return (bytes + bytes_of_wavefront - 1) / bytes_of_wavefront + picture.excess;
}

std::optional<std::string> conflict(const ptx::AccessCounts& counts, std::uint32_t most) {
  if (!counts.worst_shared) return std::nullopt;
  const std::uint64_t taken = wavefronts_of(*counts.worst_shared);
  // The line may have accesses of other widths, which may take as many as their bytes need.
  if (taken <= std::max(most, counts.worst_shared->element_bytes / 4)) return std::nullopt;
  return "a warp takes " + std::to_string(taken) + " wavefronts, and the line takes " +
         std::to_string(counts.wavefronts) + " where " + std::to_string(counts.ideal_wavefronts) +
         " would do";
}

std::optional<std::string> uncoalesced(const ptx::AccessCounts& counts, std::uint32_t most) {
  if (!counts.worst_global || counts.worst_global->excess <= most) return std::nullopt;
  return "a warp touches " + std::to_string(counts.worst_global->excess) +
         " sectors more than it needs, and the line touches " + std::to_string(counts.sectors) +
         " where " + std::to_string(counts.ideal_sectors) + " would do";
}

/// A race between blocks says nothing about races within one, and the other way round.
bool is_shown_by(Claim claim, const ptx::FaultReport& fault) {
  if (!is_shown_by(claim, fault.kind)) return false;
  if (claim != Claim::race && claim != Claim::blocks) return true;
  const std::vector<std::string> blocks = blocks_in(fault.message);
  return blocks.size() >= 2 && (blocks[0] == blocks[1]) == (claim == Claim::race);
}

/// "store of 4 bytes, 8589934592 bytes before the beginning of 'a'".
bool is_far_outside(const ptx::FaultReport& fault) {
  constexpr std::uint64_t far = std::uint64_t{1} << 30U;
  const std::size_t comma = fault.message.find(", ", fault.message.find(" bytes"));
  return comma != std::string::npos &&
         std::strtoull(fault.message.c_str() + comma + 2, nullptr, 10) >= far;
}

bool leaves_arrays(const ptx::KernelReport& report) {
  return std::any_of(report.faults.begin(), report.faults.end(), [](const ptx::FaultReport& one) {
    return one.kind == ptx::FaultKind::out_of_bounds;
  });
}

std::vector<Contents> all_contents(const Launch& launch) {
  using Kind = Contents::Kind;
  std::vector<Contents> all{{Kind::zeros}, {Kind::counting}, {Kind::random}};
  for (const std::uint32_t word : launch.loaded) all.push_back({Kind::same, word});
  return all;
}

}  // namespace

bool Replays::allows(const Launch& launch, Contents contents) const {
  return std::all_of(conditions_.begin(), conditions_.end(),
                     [&](const ElementCondition& one) { return holds(one, launch, contents); });
}

ptx::KernelReport Replays::run(const Launch& launch, Contents contents) const {
  cuda::SessionOptions options;
  options.max_instructions =
      contents.kind == Contents::Kind::same ? most_of_same : most_instructions;
  options.machine = std::string(cuda::usual_chip);
  options.compile = {};
  cuda::Session session(options);
  for (const ptx::Variable* const variable : variables_) {
    if (has_already(*variable, contents)) continue;
    session.set_symbol(file_, variable->name,
                       contents_as_bytes(ptx::bytes_of(*variable), contents));
  }
  std::vector<cuda::ArgumentBytes> arguments;
  for (std::size_t k = 0; k < launch.parameters.size(); ++k) {
    std::vector<std::byte> bytes = launch.parameters[k];
    const auto buffers = launch.buffers.find(k);
    if (buffers != launch.buffers.end()) {
      for (const LaunchBuffer& buffer : buffers->second) {
        const std::uint32_t number = session.add_buffer(cuda::name_of_argument(k, buffer.offset),
                                                        contents_of(buffer, contents));
        const std::uint64_t address = cuda::Session::address(number);
        std::memcpy(&bytes.at(buffer.offset), &address, 8);
      }
    }
    arguments.push_back({std::move(bytes), "?"});
  }
  ptx::LaunchShape shape;
  std::copy(launch.grid.begin(), launch.grid.end(), shape.grid.begin());
  std::copy(launch.block.begin(), launch.block.end(), shape.block.begin());
  shape.dynamic_shared_bytes = launch.shared;
  return session.launch(file_, kernel_, shape, arguments);
}

Replayed Replays::operator()(const Launch& launch, Claim claim,
                             const std::vector<ptx::SourceLine>& lines, const std::string& array,
                             std::uint32_t most, const Evidence& evidence, bool is_of_data) const {
  const auto is_asked = [&](const ptx::SourceLine& at) {
    return std::find(lines.begin(), lines.end(), at) != lines.end();
  };
  const auto seen = [&](const ptx::LineReport& line) -> std::optional<std::string> {
    if (claim == Claim::banks) return conflict(line.counts, most);
    if (claim == Claim::coalesced) return uncoalesced(line.counts, most);
    if (claim != Claim::address || !evidence) return std::nullopt;
    const ptx::AccessCounts& counts = line.counts;
    std::optional<std::string> message;
    if (counts.worst_shared) message = evidence(*counts.worst_shared, true);
    if (!message && counts.worst_global) message = evidence(*counts.worst_global, false);
    return message;
  };
  const ptx::Function& kernel = ptx::find_kernel(file_->module, kernel_, file_->module.file);
  Replayed replayed;
  for (const Contents contents : all_contents(launch)) {
    if (!allows(launch, contents)) continue;
    replayed.has_contents = true;
    const auto words = [&] {
      std::vector<std::string> all = words_of(launch, contents, variables_, kernel);
      if (claim == Claim::banks) all.insert(all.begin(), {"--max-shared-excess", "0"});
      if (claim == Claim::coalesced) all.insert(all.begin(), {"--max-global-excess", "0"});
      return all;
    };
    int& endless = endless_.at(static_cast<std::size_t>(contents.kind));
    if (endless >= most_endless) continue;
    const ptx::KernelReport report = run(launch, contents);
    if (std::any_of(report.faults.begin(), report.faults.end(), [](const ptx::FaultReport& one) {
          return one.kind == ptx::FaultKind::instruction_limit;
        })) {
      ++endless;
    }
    // What is read there are no elements of which something is stated.
    const bool is_about_places = claim == Claim::bounds || claim == Claim::overflow;
    if (!conditions_.empty() && !is_about_places && leaves_arrays(report)) continue;
    for (const ptx::FaultReport& fault : report.faults) {
      // Threads may wait at any barrier for those that do not come.
      const bool is_here = claim == Claim::barriers || is_asked(fault.at);
      const bool is_there = fault.message.find(array) != std::string::npos;
      // An index that has wrapped around is far from where it should be.
      const bool is_wrap =
          claim != Claim::overflow ||
          (is_far_outside(fault) && (!is_of_data || contents.kind == Contents::Kind::zeros));
      if (is_shown_by(claim, fault) && is_here && is_there && is_wrap) {
        return {true, true, fault.message, fault.at, words()};
      }
    }
    for (const ptx::FaultReport& fault : report.faults) {
      if (ends_threads(fault.kind) && replayed.other_fault.empty()) {
        replayed.other_fault = fault.message;
      }
    }
    for (const ptx::LineReport& line : report.lines) {
      if (!is_asked(line.at)) continue;
      if (auto message = seen(line)) return {true, true, std::move(*message), line.at, words()};
    }
  }
  return replayed;
}

}  // namespace bankproof::symbolic
