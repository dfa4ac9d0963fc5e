// Walks over the segments of a function once; see temporaries.hpp.
#include "temporaries.hpp"

#include <cstddef>
#include <vector>

#include "../alu/row.hpp"
#include "control.hpp"
#include "system.hpp"

namespace bankproof::ptx {

namespace {

class Lines {
 public:
  explicit Lines(std::size_t frame_bytes) : lines_(frame_bytes / slot_alignment) {}

  void begin_segment() { ++segment_; }
  void read(Slot slot) {
    if (slot != no_slot && at(slot).written_in != segment_) at(slot).lasts = true;
  }
  /// A row that may leave lanes as they were also reads them.
  void write(Slot slot, bool guarded) {
    if (slot == no_slot) return;
    if (guarded) read(slot);
    at(slot).written = true;
    if (!guarded) at(slot).written_in = segment_;
  }
  void keep(Slot slot) {
    if (slot != no_slot) at(slot).lasts = true;
  }
  bool is_temporary(Slot slot) const {
    const Line& line = lines_[slot / slot_alignment];
    return line.written && !line.lasts;
  }

 private:
  // The first line of a slot stands for the slot.
  struct Line {
    std::size_t written_in = 0;  // the last segment that wrote all lanes; 0: none
    bool written = false;
    bool lasts = false;
  };
  Line& at(Slot slot) { return lines_[slot / slot_alignment]; }

  std::vector<Line> lines_;
  std::size_t segment_ = 0;
};

bool is_branch(const Op& op) {
  return op.step == branch_step.step() || op.step == branch_back_step.step();
}

void look_at(Lines& lines, const Op& op) {
  if (is_of_segment(op)) {
    lines.read(op.guard);
    for (const Slot slot : op.s) lines.read(slot);
    for (const Slot slot : op.d) lines.write(slot, op.guard != no_slot);
    return;
  }
  // A branch ends the segment in front of it, which gives it the guard.
  if (is_branch(op)) lines.read(op.guard);
  lines.begin_segment();
  if (!is_branch(op)) lines.keep(op.guard);
  for (const Slot slot : op.s) lines.keep(slot);
  for (const Slot slot : op.d) lines.keep(slot);
}

}  // namespace

bool is_of_segment(const Op& op) { return op.step == address_step || row_of(op.step) != nullptr; }

void find_temporaries(FunctionCode& code) {
  Lines lines(code.frame_bytes);
  lines.begin_segment();
  for (const Op& op : code.ops) look_at(lines, op);
  for (const Slot slot : code.read_by_steps) lines.keep(slot);
  const std::size_t count = code.frame_bytes / slot_alignment;
  code.temporary.assign(count, 0);
  std::vector<bool> lasts(count, true);
  const auto mark = [&](Slot slot, std::size_t bytes) {
    if (!lines.is_temporary(slot)) return;
    for (std::size_t k = 0; k < bytes / slot_alignment; ++k) {
      code.temporary[slot / slot_alignment + k] = 1;
      lasts[slot / slot_alignment + k] = false;
    }
  };
  for (const Op& op : code.ops) {
    if (op.step == address_step) mark(op.d[0], slot_bytes(LaneType::b64));
    const Row* const row = row_of(op.step);
    if (row == nullptr) continue;
    for (std::size_t k = 0; k < row->destinations.size(); ++k) {
      mark(op.d[k], slot_bytes(row->destinations[k]));
    }
  }
  const auto constant = [&](Slot slot, LaneType type) {
    for (std::size_t k = 0; k < slot_bytes(type) / slot_alignment; ++k) {
      lasts[slot / slot_alignment + k] = false;
    }
  };
  for (const ConstantSlot& c : code.constants) constant(c.slot, c.type);
  for (const SpecialSlot& s : code.specials) constant(s.slot, s.value.type);
  for (const ParameterSlot& p : code.parameter_slots) constant(p.slot, p.type);
  for (const GlobalSlot& g : code.globals) constant(g.slot, LaneType::b64);
  for (std::size_t k = 0; k < count; ++k) {
    if (!lasts[k]) continue;
    if (k == 0 || !lasts[k - 1]) code.lasting.push_back({k * slot_alignment, 0});
    code.lasting.back().bytes += slot_alignment;
  }
}

}  // namespace bankproof::ptx
