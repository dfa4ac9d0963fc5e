// Answers questions; see answers.hpp.
#include "answers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "../claims/warps.hpp"
#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

namespace {

/// Each thread may have several elements: 2^20 blocks of 256 threads, and four elements of each.
constexpr unsigned usual_grid = 20;

constexpr std::size_t most_modelled = 3;

/// After so long, a question is not asked at length.
constexpr std::chrono::seconds patience{10};

unsigned example_ms(Answers::Haste haste) {
  const unsigned usual = Examples::usual_ms;
  switch (haste) {
    case Answers::Haste::some:
      return usual / 4;
    case Answers::Haste::much:
      return usual / 10;
    default:
      return usual;
  }
}

/// Whether a claim may be proved under the assumption that sizes are usual ones, which is printed.
/// Others are about what happens beyond.
bool is_about_places(Claim claim) {
  return claim == Claim::race || claim == Claim::blocks || claim == Claim::barriers ||
         claim == Claim::bounds || claim == Claim::banks || claim == Claim::coalesced ||
         claim == Claim::initialized;
}

}  // namespace

Answers::Answer Answers::operator()(Claim claim, const Question& question, Haste haste,
                                    const SizeBounds& so_far) {
  Finding finding;
  for (const Participant& one : question.participants) {
    const ptx::SourceLine line = lines_.of(*one.instruction);
    if (std::find(finding.lines.begin(), finding.lines.end(), line) == finding.lines.end()) {
      finding.lines.push_back(line);
    }
    finding.opcodes.push_back(one.instruction->opcode());
  }
  if (question.unasked != Unasked::no) {
    finding.why = reasons_.of_unasked(question);
    return {std::move(finding)};
  }
  excluding_.begin_question();
  if (!so_far.empty()) {
    const std::vector<Term> bounds = usual_.of(so_far);
    for (std::size_t way = 0; way < std::min(question.ways.size(), most_modelled); ++way) {
      std::vector<Excluded> excluded;
      if (excluding_.first_open(claim, question.ways[way], bounds, true, excluded) == nullptr) {
        return {std::nullopt, way, std::move(excluded)};
      }
    }
  }
  // What may be, in each of the ways. First what is quick: most questions cannot be, or can be in a
  // small launch.
  std::vector<Open> open(question.ways.size());
  std::optional<Within> bounded;
  const auto begin = std::chrono::steady_clock::now();
  const auto takes_long = [&] { return std::chrono::steady_clock::now() - begin > patience; };
  for (const bool is_quick : {true, false}) {
    if (!is_quick && (haste != Haste::none || takes_long())) break;
    for (std::size_t way = 0; way < question.ways.size(); ++way) {
      if (open[way].model || (!is_quick && takes_long())) continue;
      std::vector<Excluded> excluded;
      open[way].possibility =
          excluding_.first_open(claim, question.ways[way], {}, is_quick, excluded);
      if (open[way].possibility == nullptr) return {std::nullopt, way, std::move(excluded)};
      const bool is_first = is_quick && way == 0;
      if (is_first && question.reached && at_first_sight(claim, finding, question)) {
        return {std::move(finding)};
      }
      if (haste == Haste::much) break;
    }
    if (is_quick && haste != Haste::much) bounded = within(claim, question);
    if (bounded && is_about_places(claim)) return assumed(std::move(finding), std::move(*bounded));
    // The more ways, the less one of them says; for a few, values are looked for.
    const std::size_t modelled = std::min(open.size(), haste <= Haste::little ? most_modelled : 1);
    for (Open& one : std::span(open).first(modelled)) {
      if (one.model || (bounded && !is_quick)) continue;
      const Possibility& may_be = *one.possibility;
      const auto size = is_quick ? Examples::Size::small : Examples::Size::any;
      // A race within a block may hide one between blocks in one launch, and not in another.
      std::optional<Example> shown;
      const auto is_shown = [&](const Model& model) {
        Example guess = replayed(claim, finding, question, may_be, model);
        const bool shows = guess.replayed && guess.replayed->shows;
        if (shows) shown = std::move(guess);
        return shows;
      };
      one.model = examples_.model(may_be.statements.all(), may_be.participants, size,
                                  example_ms(haste), is_shown);
      if (!one.model) continue;
      Example found =
          shown ? std::move(*shown) : example(claim, finding, question, may_be, *one.model);
      const bool shows = found.replayed && found.replayed->shows;
      if (shows || !finding.example) finding.example = std::move(found);
      if (!shows) continue;
      finding.verdict = Verdict::refuted;
      return {std::move(finding)};
    }
  }
  finding.why =
      bounded ? Reasons::of_bounds(bounded->bounds.sizes) : reasons_.of_open(finding, question);
  return {std::move(finding)};
}

/// The bounds may be assumed if nothing else is open.
Answers::Answer Answers::assumed(Finding finding, Within bounded) {
  finding.why = Reasons::of_bounds(bounded.bounds.sizes);
  finding.within = std::move(bounded.bounds.sizes);
  return {std::move(finding), bounded.way, std::move(bounded.excluded)};
}

/// Whether the question is answered for parameters that are not too large.
std::optional<Answers::Within> Answers::within(Claim claim, const Question& question) {
  for (std::size_t way = 0; way < std::min(question.ways.size(), most_modelled); ++way) {
    std::vector<Term> statements;
    for (const Possibility& one : question.ways[way]) {
      statements.insert(statements.end(), one.statements.asked.begin(), one.statements.asked.end());
    }
    const unsigned largest = usual_.largest_exponent(statements);
    // The weaker, the better. Where threads have several elements, sizes are a little smaller.
    std::vector<Term> before;
    for (const UsualBounds::Most& most : {UsualBounds::Most{largest, false},
                                          {largest, true},
                                          {largest * 2 / 3, true},
                                          {largest, true, true},
                                          {std::min(largest, usual_grid), true, true},
                                          UsualBounds::small_buffers,
                                          UsualBounds::small_factors}) {
      if (most.is_of_buffers && subject_.elements_of_buffers.empty()) continue;
      Within found{.bounds = usual_.at_most(most, statements), .way = way};
      if (found.bounds.terms == before) continue;
      before = found.bounds.terms;
      if (excluding_.first_open(claim, question.ways[way], found.bounds.terms, true,
                                found.excluded) == nullptr) {
        return found;
      }
    }
  }
  return std::nullopt;
}

/// Whether a launch that only comes to the access shows the fault already.
bool Answers::at_first_sight(Claim claim, Finding& finding, const Question& question) const {
  const Possibility& reached = *question.reached;
  for (const Examples::Size size : {Examples::Size::warps, Examples::Size::ample}) {
    const auto model = examples_.model(reached.statements.all(), reached.participants, size);
    if (!model) continue;
    Example found = replayed(claim, finding, question, reached, *model);
    if (!found.replayed || !found.replayed->shows) continue;
    finding.verdict = Verdict::refuted;
    finding.example = std::move(found);
    return true;
  }
  return false;
}

/// A launch that the machine has replayed, if it can.
Example Answers::example(Claim claim, const Finding& finding, const Question& question,
                         const Possibility& possibility, const Model& model) const {
  Example found = replayed(claim, finding, question, possibility, model);
  // A race within a block may hide one between blocks; and much may depend on contents.
  for (const auto size : {Examples::Size::single, Examples::Size::more, Examples::Size::ample}) {
    if (!found.replayed || found.replayed->shows) break;
    if (size == Examples::Size::single && claim != Claim::blocks) continue;
    const auto other =
        examples_.model(possibility.statements.all(), possibility.participants, size);
    if (!other) continue;
    Example more = replayed(claim, finding, question, possibility, *other);
    if (more.replayed && more.replayed->shows) found = std::move(more);
  }
  return found;
}

Example Answers::replayed(Claim claim, const Finding& finding, const Question& question,
                          const Possibility& possibility, const Model& model) const {
  Example example = examples_.made(model, possibility.participants);
  if (!Examples::can_be_run(example)) return example;
  // What is out of bounds has to be in the array that the claim is about.
  std::string array;
  if (claim == Claim::bounds || claim == Claim::overflow) {
    array = examples_.name_in_messages(question.participants.front().object);
  }
  Evidence evidence;
  if (!question.expected.empty()) {
    evidence = [&](const ptx::AccessPicture& picture, bool is_shared) {
      return misplaced(question, example.launch, model, picture, is_shared);
    };
  }
  try {
    example.replayed = replays_(example.launch, claim, finding.lines, array, question.most,
                                evidence, !data_in(subject_, possibility).empty());
  } catch (const std::runtime_error& error) {  // of the code, or a launch that is refused
    example.why_not_run = error.what();
  }
  return example;
}

/// A lane that the machine saw elsewhere. Of one of several shared arrays, only distances between
/// lanes are compared, because nobody says where in shared memory it begins.
std::optional<std::string> Answers::misplaced(const Question& question, const Launch& launch,
                                              const Model& model, const ptx::AccessPicture& picture,
                                              bool is_shared) const {
  const Object* const object = subject_.inputs().object(*question.participants.front().object);
  if ((object->space == ptx::Space::shared) != is_shared) return std::nullopt;
  const auto& objects = subject_.inputs().objects();
  const bool has_place =
      !is_shared || std::count_if(objects.begin(), objects.end(), [](const auto& one) {
                      return one.second.space == ptx::Space::shared;
                    }) == 1;
  const Pool& pool = subject_.pool;
  // An axis of a stated length has an index of few bits.
  const auto index_of = [&](Term special) {
    const Node& node = pool.node(special);
    return node.op == Operator::zero_extended ? node.operands[0] : special;
  };
  Model of_lane = model;
  const auto& specials = subject_.inputs().specials();
  const auto put = [&](const std::string& name, std::uint64_t linear,
                       const std::array<std::uint32_t, 3>& sizes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto found = specials.find(name + "xyz"[axis]);
      if (found != specials.end()) of_lane[index_of(found->second)] = linear % sizes[axis];
      linear /= sizes[axis];
    }
  };
  put("%ctaid.", picture.warp.block, launch.grid);
  const auto is_formula = [&](Term expected) {
    std::optional<std::uint64_t> begin;
    for (std::size_t lane = 0; lane < picture.addresses.size(); ++lane) {
      if ((picture.lanes >> lane & 1U) == 0) continue;
      put("%tid.", picture.warp.thread + lane, launch.block);
      const std::uint64_t apart = picture.addresses[lane] - examples_.value(of_lane, expected);
      if (!begin) begin = has_place ? 0 : apart;
      // The first lane may be within its element, too.
      const std::uint64_t least = has_place ? *begin : *begin - question.within;
      if (apart - least > (has_place ? 1 : 2) * question.within) return false;
    }
    return true;
  };
  if (std::any_of(question.expected.begin(), question.expected.end(), is_formula)) {
    return std::nullopt;
  }
  const auto lane = static_cast<std::size_t>(std::countr_zero(picture.lanes));
  return "thread " + std::to_string(picture.warp.thread + lane) + " of block " +
         std::to_string(picture.warp.block) + " accesses byte " +
         std::to_string(picture.addresses[lane]) +
         (is_shared ? " of shared memory" : " of its array") +
         ", and its warp is not where the formula says";
}

}  // namespace bankproof::symbolic
