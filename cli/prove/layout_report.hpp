// The findings of `bankproof prove` about a layout, and the reports that show them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../algorithms/permutation/conflicts.hpp"
#include "../../proofs/formulas/question.hpp"
#include "../report/memory_choice.hpp"

namespace bankproof::cli {

struct LayoutReport {
  const formulas::Question& question;
  const MemoryChoice& memory;
  const std::vector<formulas::Decision>& decisions;
  bool limit_is_given = false;              ///< whether the user limited the stages
  std::optional<std::uint32_t> large = {};  ///< an address of 2³¹ or more

  /// The first refuted decision, else the first unknown one; null if all are proved.
  const formulas::Decision* decisive() const;
};

/// A warp that takes too many stages, and two of its threads that are served one after the other.
struct ConflictView {
  std::vector<LaneReport> lanes;
  std::optional<std::pair<LaneReport, LaneReport>> pair;  ///< empty if a lane takes too many turns
  bool apart = false;  ///< the two lanes are in groups that are served one after the other
  Bank bank = 0;       ///< the most crowded bank
};
ConflictView view_of(const formulas::Conflict& conflict, const LayoutReport& report);

/// Notes for the reader, beside the verdict.
std::vector<std::string> notes_of(const LayoutReport& report);

/// The operation that has no value, for example "division by 0".
std::string what_is_undefined(const formulas::Undefined& where);

/// A table of the properties; for a refuted property also the threads and a drawing of the warp.
std::string layout_as_text(const LayoutReport& report);

/// One object, with fixed fields.
std::string layout_as_json(const LayoutReport& report);

}  // namespace bankproof::cli
