// Random rows one after the other, with and without guards, some of which are not compiled: the
// frame has what the interpreter leaves there, but for temporaries.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "../../../ptx/exec/compiled_code.hpp"
#include "../../../ptx/exec/control.hpp"
#include "../../../ptx/exec/temporaries.hpp"
#include "../../../testing/property.hpp"
#include "compiled_row.hpp"
#include "compiler.hpp"

namespace bankproof::ptx {
namespace {

/// A function of blocks of random rows on a few registers, and constants.
class RandomRows {
 public:
  RandomRows(std::uint64_t seed, std::size_t blocks, std::size_t size) : operands_(seed) {
    program_.functions.push_back(std::make_unique<FunctionCode>());
    FunctionCode& code = *program_.functions.front();
    for (const auto type :
         {LaneType::predicate, LaneType::b16, LaneType::b32, LaneType::b64, LaneType::b128}) {
      for (int k = 0; k < (type == LaneType::b32 ? 6 : 4); ++k) {
        registers_[type].push_back(static_cast<Slot>(code.frame_bytes));
        code.frame_bytes += slot_bytes(type);
      }
      if (type == LaneType::b128) continue;
      for (int k = 0; k < 2; ++k) {
        const std::uint64_t bits = RowFunction::fitted(operands_.operand(), type);
        code.constants.push_back({static_cast<Slot>(code.frame_bytes), type, bits});
        constants_[type].push_back(code.constants.back().slot);
        code.frame_bytes += slot_bytes(type);
      }
    }
    for (std::size_t b = 0; b < blocks; ++b) {
      Op& first = code.ops.emplace_back();
      first.step = block_step;
      first.immediate = static_cast<std::int64_t>(b);
      for (std::size_t k = 0; k < size; ++k) add_row(code);
    }
    code.ops.emplace_back().step = [](WarpState&, const Op*) -> const Op* { return nullptr; };
    find_temporaries(code);
    program_.block_sites.assign(blocks, static_cast<std::uint32_t>(size));
  }

  const FunctionCode& code() const { return *program_.functions.front(); }
  const Program& program() const { return program_; }
  Operands& operands() { return operands_; }

  /// The rows, for a message.
  std::string text() const {
    std::string all;
    for (const Op& op : code().ops) {
      const Row* const row = row_of(op.step);
      if (row == nullptr) continue;
      all += row->opcode + (op.guard == no_slot ? "" : " guarded");
      for (std::size_t k = 0; k < row->destinations.size(); ++k)
        all += " " + std::to_string(op.d[k]);
      all += " <-";
      for (std::size_t k = 0; k < row->sources.size(); ++k) all += " " + std::to_string(op.s[k]);
      all += "\n";
    }
    return all;
  }

 private:
  Slot any_register(LaneType type) {
    const auto& all = registers_[type];
    return all[operands_.below(all.size())];
  }
  Slot any_source(LaneType type) {
    const auto& constants = constants_[type];
    if (!constants.empty() && operands_.below(4) == 0) {
      return constants[operands_.below(constants.size())];
    }
    return any_register(type);
  }

  void add_row(FunctionCode& code) {
    // Half of the rows are of few families, so that floating-point results meet.
    static const std::vector<const Row*> often = [] {
      std::vector<const Row*> all;
      for (const char* const opcode :
           {"fma.rn.f32",      "add.f32",      "mul.ftz.f32",  "sub.sat.f32", "add.f64",
            "fma.rn.f64",      "setp.lt.f32",  "setp.geu.f64", "selp.b32",    "mov.b32",
            "mov.f64",         "neg.f32",      "min.f32",      "cvt.f64.f32", "cvt.rn.f32.f64",
            "cvt.rzi.s32.f32", "and.b32",      "add.s32",      "shl.b32",     "div.rn.f32",
            "unpack.b64.b32",  "pack.b64.b32", "and.pred"}) {
        all.push_back(find_row(opcode));
      }
      return all;
    }();
    const auto all = rows();
    const Row& row = operands_.below(3) != 0 ? *often[operands_.below(often.size())]
                                             : all[operands_.below(all.size())];
    Op op;
    op.step = row.step;
    for (std::size_t k = 0; k < row.sources.size(); ++k) op.s[k] = any_source(row.sources[k]);
    for (std::size_t k = 0; k < row.destinations.size(); ++k) {
      // No row has the same register twice as its result.
      do {
        op.d[k] = any_register(row.destinations[k]);
      } while (std::find(op.d.begin(), op.d.begin() + static_cast<std::ptrdiff_t>(k), op.d[k]) !=
               op.d.begin() + static_cast<std::ptrdiff_t>(k));
      // A source of the same type may be the same slot; another overlap is none.
    }
    if (operands_.below(4) == 0) {
      op.guard = any_register(LaneType::predicate);
      op.guard_negated = operands_.below(2) != 0;
    }
    code.ops.push_back(op);
  }

  Operands operands_;
  Program program_;
  std::map<LaneType, std::vector<Slot>> registers_;
  std::map<LaneType, std::vector<Slot>> constants_;
};

struct alignas(slot_alignment) FrameLine {
  std::byte bytes[slot_alignment];
};

/// A warp at the first operation of a function.
struct WarpAtStart {
  WarpAtStart(const FunctionCode& code, std::uint64_t seed)
      : frame(code.frame_bytes / slot_alignment) {
    Operands operands(seed);
    auto* const words = reinterpret_cast<std::uint64_t*>(frame[0].bytes);
    for (std::size_t k = 0; k < code.frame_bytes / sizeof *words; ++k)
      words[k] = operands.operand();
    // The four predicates come first; their words are all ones or zeros.
    auto* const predicates = reinterpret_cast<std::uint32_t*>(frame[0].bytes);
    for (std::size_t k = 0; k < 4 * warp_lanes; ++k) {
      predicates[k] = operands.below(2) != 0 ? all_lanes : 0;
    }
    for (const ConstantSlot& c : code.constants) {
      for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
        std::memcpy(frame[0].bytes + c.slot + lane * lane_bytes(c.type), &c.bits,
                    lane_bytes(c.type));
      }
    }
    warp.frame = frame[0].bytes;
    warp.scratch = scratch.get();
    warp.counts = counts.data();
    const auto lanes = operands.below(2) != 0 ? all_lanes : static_cast<LaneMask>(operands.word());
    warp.activate(lanes);
    warp.active_count = static_cast<std::uint32_t>(std::popcount(lanes));
  }

  std::vector<FrameLine> frame;
  std::unique_ptr<Scratch> scratch = std::make_unique<Scratch>();
  std::array<BlockCount, 8> counts{};
  Warp warp;
};

/// The rows in compiled code, loaded.
class CompiledRandomRows {
 public:
  CompiledRandomRows(const compiled::Compiler& compiler, const RandomRows& of,
                     compiled::Mistake mistake)
      : compiler_(compiler) {
    const Description description(of.program());
    const compiled::Object object = compiler.compile(description.order(mistake));
    if (object.why == nullptr) loaded_ = compiler.load(object.data, object.bytes);
    if (loaded_ != nullptr) run_ = compiler.find(loaded_, description.parts()[0].symbol.c_str());
  }
  ~CompiledRandomRows() { compiler_.unload(loaded_); }
  CompiledRandomRows(const CompiledRandomRows&) = delete;
  CompiledRandomRows& operator=(const CompiledRandomRows&) = delete;
  compiled::Run run() const { return run_; }

 private:
  const compiled::Compiler& compiler_;
  void* loaded_ = nullptr;
  compiled::Run run_ = nullptr;
};

/// What differs between the engines on frames of random operands; empty if nothing does.
std::string difference(const compiled::Compiler& compiler, RandomRows& random,
                       compiled::Mistake mistake = compiled::Mistake::none) {
  const CompiledRandomRows code(compiler, random, mistake);
  if (code.run() == nullptr) return "cannot be compiled";
  const std::vector<Op>& ops = random.code().ops;
  for (int k = 0; k < 5; ++k) {
    const std::uint64_t seed = random.operands().word();
    WarpAtStart one(random.code(), seed);
    WarpAtStart other(random.code(), seed);
    for (const Op* op = ops.data(); op != nullptr;) op = op->step(one.warp, op);
    if (code.run()(other.warp, ops.data(), 0) != nullptr) return "ends elsewhere";
    for (std::size_t line = 0; line < one.frame.size(); ++line) {
      if (random.code().temporary[line] != 0) continue;
      if (std::memcmp(&one.frame[line], &other.frame[line], slot_alignment) != 0) {
        return "line " + std::to_string(line) + "\n" + random.text();
      }
    }
    for (std::size_t b = 0; b < one.counts.size(); ++b) {
      if (one.counts[b].visits != other.counts[b].visits ||
          one.counts[b].lanes != other.counts[b].lanes) {
        return "counts of block " + std::to_string(b);
      }
    }
  }
  return {};
}

class CompiledSegments : public WithCompiler {};

TEST_F(CompiledSegments, leave_the_frame_as_the_interpreter_does) {
  std::size_t temporaries = 0;
  bankproof::testing::check_property([&] {
    RandomRows random(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::size_t>(1, 4),
                      *rc::gen::inRange<std::size_t>(1, 24));
    for (const std::uint8_t line : random.code().temporary) temporaries += line;
    const std::string differs = difference(*compiler_, random);
    if (!differs.empty()) RC_FAIL(differs);
  });
  EXPECT_GT(temporaries, 0U);
}

TEST_F(CompiledSegments, that_pass_on_another_nan_are_found) {
  const auto is_found = [&](compiled::Mistake mistake) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      RandomRows random(seed, 2, 24);
      if (!difference(*compiler_, random, mistake).empty()) return true;
    }
    return false;
  };
  EXPECT_FALSE(is_found(compiled::Mistake::none));
  EXPECT_TRUE(is_found(compiled::Mistake::passes_nan_on));
  EXPECT_TRUE(is_found(compiled::Mistake::stores_no_temporary));
}

}  // namespace
}  // namespace bankproof::ptx
