// In which order the accesses of a kernel come.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "../execution/trace.hpp"

namespace bankproof::symbolic {

class ProgramOrder {
 public:
  explicit ProgramOrder(const Trace& trace);

  /// The loops that are around both accesses, from the innermost one outwards.
  std::vector<std::size_t> common_loops(std::size_t a, std::size_t b) const;
  /// Whether a thread that makes both accesses in one iteration of their common loops writes first.
  bool is_before(std::size_t write, std::size_t read) const;
  /// Whether all threads come to a barrier between, in the iteration of the common loops. Assumed:
  /// the claim `barriers`.
  bool is_before_barrier(std::size_t write, std::size_t read) const;
  /// Whether all lanes of a warp come to a barrier of the warp, or of the block, between.
  bool is_before_warp_barrier(std::size_t write, std::size_t read) const;
  /// Whether all threads come to a barrier between a write and a read of the next iteration of the
  /// innermost loop that is around both.
  bool is_before_barrier_of_next(std::size_t write, std::size_t read) const;
  /// Whether the write is one of a copy that nobody may have waited for. A copy that may be under
  /// way at a barrier counts as if it always were.
  bool may_be_under_way(std::size_t write, std::size_t read) const;

 private:
  bool is_between(std::size_t barrier, std::size_t write, std::size_t read) const;
  std::vector<std::size_t> around(std::size_t event) const;
  std::size_t head_of(std::size_t loop) const;
  /// Whether a path leads there that begins no further iteration of these loops and does not come
  /// by `without`.
  bool reaches(std::size_t from, std::size_t to, const std::vector<std::size_t>& loops,
               std::optional<std::size_t> without) const;
  std::vector<bool> reached_from(std::size_t from, const std::vector<std::size_t>& loops,
                                 std::optional<std::size_t> without) const;

  const Trace& trace_;
  std::map<std::size_t, std::size_t> of_access_;
  std::vector<std::size_t> barriers_;
  std::vector<std::size_t> warp_barriers_;
  /// What reaches() has asked: by where a path begins, the loops and what it avoids.
  using Asked = std::tuple<std::size_t, std::vector<std::size_t>, std::optional<std::size_t>>;
  mutable std::map<Asked, std::vector<bool>> reached_;
};

}  // namespace bankproof::symbolic
