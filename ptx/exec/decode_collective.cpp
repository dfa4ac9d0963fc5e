// Decodes instructions that lanes of a warp execute together.
#include <algorithm>
#include <array>
#include <string_view>

#include "../memory/access.hpp"
#include "collective.hpp"
#include "function_decoder.hpp"

namespace bankproof::ptx {

namespace {

using CollectiveKind = CollectiveOperands::Kind;

struct Spelling {
  std::string_view opcode;
  CollectiveKind kind;
  LaneType type = LaneType::b32;  // the type of the first source
  LaneType result = LaneType::b32;
  std::size_t sources = 1;  // without the mask
};

constexpr LaneType predicate = LaneType::predicate;
constexpr LaneType b32 = LaneType::b32;
constexpr LaneType b64 = LaneType::b64;

constexpr std::array<Spelling, 23> forms{{
    {"shfl.sync.up.b32", CollectiveKind::shuffle_up, b32, b32, 3},
    {"shfl.sync.down.b32", CollectiveKind::shuffle_down, b32, b32, 3},
    {"shfl.sync.bfly.b32", CollectiveKind::shuffle_xor, b32, b32, 3},
    {"shfl.sync.idx.b32", CollectiveKind::shuffle_index, b32, b32, 3},
    {"vote.sync.all.pred", CollectiveKind::vote_all, predicate, predicate},
    {"vote.sync.any.pred", CollectiveKind::vote_any, predicate, predicate},
    {"vote.sync.uni.pred", CollectiveKind::vote_uniform, predicate, predicate},
    {"vote.sync.ballot.b32", CollectiveKind::vote_ballot, predicate, b32},
    {"match.sync.any.b32", CollectiveKind::match_any},
    {"match.sync.any.b64", CollectiveKind::match_any, b64},
    {"match.sync.all.b32", CollectiveKind::match_all},
    {"match.sync.all.b64", CollectiveKind::match_all, b64},
    {"redux.sync.add.u32", CollectiveKind::add},
    {"redux.sync.add.s32", CollectiveKind::add},
    {"redux.sync.min.u32", CollectiveKind::minimum_unsigned},
    {"redux.sync.min.s32", CollectiveKind::minimum_signed},
    {"redux.sync.max.u32", CollectiveKind::maximum_unsigned},
    {"redux.sync.max.s32", CollectiveKind::maximum_signed},
    {"redux.sync.and.b32", CollectiveKind::bit_and},
    {"redux.sync.or.b32", CollectiveKind::bit_or},
    {"redux.sync.xor.b32", CollectiveKind::bit_xor},
    {"elect.sync", CollectiveKind::elect, b32, b32, 0},
    {"bar.warp.sync", CollectiveKind::barrier, b32, b32, 0},
}};

// The opcode with `sync` as its first modifier. In older spellings such as vote.ballot.sync.b32,
// `sync` comes later.
std::string sync_first(const Instruction& i) {
  std::string opcode = i.base;
  if (i.has("sync") && i.base != "bar") opcode += ".sync";
  for (const std::string& modifier : i.modifiers) {
    if (modifier != "sync" || i.base == "bar") opcode += "." + modifier;
  }
  return opcode;
}

}  // namespace

bool FunctionDecoder::collective() {
  if (opcode_ == "activemask.b32") {
    const Slot to = destination(scalar(operand(0)), b32);
    emit_guarded(activemask_step).d[0] = to;
    return true;
  }
  const std::string opcode = sync_first(*at_);
  const auto form = std::find_if(forms.begin(), forms.end(),
                                 [&](const Spelling& f) { return f.opcode == opcode; });
  if (form == forms.end()) return false;
  CollectiveOperands operands;
  operands.kind = form->kind;
  operands.type = form->type;
  operands.spelled = opcode;
  Op op;
  std::size_t next = 0;
  if (form->kind != CollectiveKind::barrier) {
    const Operand& result = operand(next++);
    if (const auto* pair = std::get_if<Pair>(&result.value)) {
      op.d[0] = destination(pair->first, form->result);
      op.d[1] = destination(pair->second, predicate);
    } else {
      op.d[0] = destination(scalar(result), form->result);
    }
  }
  for (std::size_t k = 0; k < form->sources; ++k) {
    op.s[k] = source(operand(next++), k == 0 ? form->type : b32);
  }
  operands.members = source(operand(next++), b32);
  if (next != at_->operands.size()) unsupported("another number of operands");
  decoder_.program.precise = decoder_.program.precise || needs_exact_clocks(*at_);
  Op& made = emit_guarded(collective_step, std::move(operands));
  made.s = op.s;
  made.d = op.d;
  return true;
}

}  // namespace bankproof::ptx
