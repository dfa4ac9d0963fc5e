// Threads that come to the accesses and barriers of a kernel: a claim about what no thread reaches
// says nothing.
#pragma once

#include <functional>
#include <vector>

#include "bounds.hpp"
#include "examples.hpp"
#include "lines.hpp"

namespace bankproof::symbolic {

class Reach {
 public:
  Reach(Subject& subject, const Examples& examples, Lines& lines)
      : subject_(subject), examples_(examples), lines_(lines) {}

  /// Looks for a launch and a thread that comes to each access and barrier, and says in the proof
  /// which ones have none, or may have none: if the run is stopped, it looks no further. Throws
  /// PremiseError if no launch fulfills the premises.
  void look(KernelProof& proof, const std::function<bool()>& is_stopped);

  /// Whether threads also come to all of them if parameters are within bounds.
  bool is_within(const UsualBounds& usual, const SizeBounds& sizes) const;

 private:
  struct Contents;
  Contents contents_of(std::uint64_t most);
  void look_for_contents();
  struct Reached {
    std::vector<Term> statements;
    Model model;
  };
  std::optional<Model> known_model(const std::vector<Term>& statements) const;

  Subject& subject_;
  const Examples& examples_;
  Lines& lines_;
  std::vector<Reached> reached_;
};

}  // namespace bankproof::symbolic
