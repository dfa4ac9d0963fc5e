// Images of frames: constants, special registers, parameters and addresses.
#include "frames.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "limits.hpp"

namespace bankproof::ptx {

namespace {

std::uint32_t coordinate(std::uint64_t index, const Extent& extent, std::uint32_t component) {
  switch (component) {
    case 0:
      return static_cast<std::uint32_t>(index % extent[0]);
    case 1:
      return static_cast<std::uint32_t>(index / extent[0] % extent[1]);
    case 2:
      return static_cast<std::uint32_t>(index / extent[0] / extent[1]);
    default:
      return 0;
  }
}

// The value of a special register that depends neither on the block nor on the warp.
std::uint64_t special_bits(const SpecialValue& value, const Program& program,
                           const LaunchShape& shape, std::uint32_t launch, std::uint32_t lane) {
  const auto component = [&](const Extent& extent) {
    return value.component < 3 ? extent[value.component] : 1U;
  };
  switch (value.kind) {
    case SpecialKind::constant:
      return value.number;
    case SpecialKind::block_shape:
      return component(shape.block);
    case SpecialKind::grid_shape:
      return component(shape.grid);
    case SpecialKind::lane:
      return lane;
    case SpecialKind::warps:
      return shape.warps();
    case SpecialKind::launch:
      return launch;
    case SpecialKind::lanes_equal:
      return std::uint64_t{1} << lane;
    case SpecialKind::lanes_up_to:
      return (std::uint64_t{2} << lane) - 1;
    case SpecialKind::lanes_below:
      return (std::uint64_t{1} << lane) - 1;
    case SpecialKind::lanes_from:
      return all_lanes << lane;
    case SpecialKind::lanes_above:
      return ~((std::uint64_t{2} << lane) - 1);
    case SpecialKind::shared_bytes:
      return rounded_up(program.dynamic_shared + shape.dynamic_shared_bytes, shared_unit);
    case SpecialKind::dynamic_shared_bytes:
      return shape.dynamic_shared_bytes;
    case SpecialKind::thread_index:
    case SpecialKind::block_index:
    case SpecialKind::multiprocessor:
    case SpecialKind::warp:
    case SpecialKind::clock:
      break;
  }
  return 0;
}

std::uint64_t parameter_bits(std::span<const std::byte> parameters, const ParameterSlot& slot) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, parameters.data() + slot.offset, slot.bytes);
  const std::uint32_t width = 8 * slot.bytes;
  if (slot.sign_extended && width < 64 && (bits >> (width - 1) & 1U) != 0) bits |= ~0ULL << width;
  return bits;
}

}  // namespace

FrameImages::FrameImages(const Program& program, const LaunchShape& shape, std::uint32_t launch,
                         std::span<const std::byte> parameters,
                         std::span<const std::uint64_t> globals)
    : shape_(shape), threads_(shape.warps()) {
  for (std::uint32_t t = 0; t < shape.warps() * warp_lanes; ++t) {
    for (std::uint32_t component = 0; component < 3; ++component) {
      threads_[t / warp_lanes][component][t % warp_lanes] = coordinate(t, shape.block, component);
    }
  }
  for (const auto& code : program.functions) {
    SlotContents& image = images_[code.get()];
    for (const SpecialSlot& s : code->specials) {
      image.add_lanes(s.slot, s.value.type, [&](std::uint32_t lane) {
        return special_bits(s.value, program, shape, launch, lane);
      });
    }
    for (const ParameterSlot& p : code->parameter_slots) {
      image.add(p.slot, p.type, parameter_bits(parameters, p));
    }
    for (const GlobalSlot& g : code->globals) {
      image.add(g.slot, LaneType::b64, globals[g.variable] + static_cast<std::uint64_t>(g.offset));
    }
  }
}

void FrameImages::fill_block(const Frame& frame, std::uint64_t block) const {
  for (const SpecialSlot& s : frame.code->specials) {
    auto* const lanes = reinterpret_cast<std::uint32_t*>(frame.data + s.slot);
    if (s.value.kind == SpecialKind::block_index) {
      std::fill_n(lanes, warp_lanes, coordinate(block, shape_.grid, s.value.component));
    } else if (s.value.kind == SpecialKind::multiprocessor) {
      std::fill_n(lanes, warp_lanes, static_cast<std::uint32_t>(block % multiprocessors));
    }
  }
}

void FrameImages::fill(const Frame& frame, std::uint32_t warp, std::uint64_t block) const {
  clear_first_reads(frame);
  frame.code->contents_of_constants.copy_to(frame.data);
  images_.at(frame.code).copy_to(frame.data);
  for (const SpecialSlot& s : frame.code->specials) {
    const std::uint32_t component = s.value.component;
    auto* const lanes = reinterpret_cast<std::uint32_t*>(frame.data + s.slot);
    if (s.value.kind == SpecialKind::warp) {
      std::fill_n(lanes, warp_lanes, warp);
    } else if (s.value.kind == SpecialKind::thread_index && component < 3) {
      const Lanes& threads = threads_[warp][component];
      std::copy(threads.begin(), threads.end(), lanes);
    }
  }
  for (const LocalSlot& l : frame.code->locals) {
    std::fill_n(reinterpret_cast<std::uint64_t*>(frame.data + l.slot), warp_lanes,
                frame.local + static_cast<std::uint64_t>(l.offset));
  }
  fill_block(frame, block);
}

void FrameImages::clear_first_reads(const Frame& frame) {
  for (const SlotRange& range : frame.code->read_first) {
    std::memset(frame.data + range.slot, 0, range.bytes);
  }
}

void FrameImages::begin_again(const Frame& frame, std::uint64_t block) const {
  clear_first_reads(frame);
  fill_block(frame, block);
}

Frame* FramePool::take(const FunctionCode& code) {
  std::vector<Frame*>& unused = unused_[&code];
  if (unused.empty()) {
    auto owned = std::make_unique<Owned>();
    owned->memory = std::make_unique_for_overwrite<std::byte[]>(code.frame_bytes + slot_alignment);
    void* at = owned->memory.get();
    std::size_t space = code.frame_bytes + slot_alignment;
    owned->frame.data =
        static_cast<std::byte*>(std::align(slot_alignment, code.frame_bytes, at, space));
    owned->frame.code = &code;
    unused.push_back(&owned->frame);
    all_.push_back(std::move(owned));
  }
  Frame* const frame = unused.back();
  unused.pop_back();
  frame->splits = 0;
  return frame;
}

}  // namespace bankproof::ptx
