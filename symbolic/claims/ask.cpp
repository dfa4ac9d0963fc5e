// Asks about a claim; see question.hpp.
#include <stdexcept>

#include "question.hpp"

namespace bankproof::symbolic {

Asked ask(Subject& subject, Claim claim, std::optional<std::uint32_t> most_wavefronts,
          std::uint32_t most_sectors) {
  switch (claim) {
    case Claim::race:
      return ask_race(subject);
    case Claim::blocks:
      return ask_blocks(subject);
    case Claim::barriers:
      return ask_barriers(subject);
    case Claim::bounds:
      return ask_bounds(subject);
    case Claim::banks:
      return ask_banks(subject, most_wavefronts);
    case Claim::coalesced:
      return ask_coalesced(subject, most_sectors);
    case Claim::overflow:
      return ask_overflow(subject);
    case Claim::initialized:
      return ask_initialized(subject);
    case Claim::asserts:
      return ask_asserts(subject);
    default:
      throw std::logic_error("a claim about lines");
  }
}

}  // namespace bankproof::symbolic
