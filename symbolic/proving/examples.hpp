// Launches from the values that solvers find.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../solving/decide.hpp"
#include "guesses.hpp"
#include "prove.hpp"

namespace bankproof::symbolic {

/// Makes examples of one kernel.
class Examples {
 public:
  Examples(Subject& subject, const ptx::Function& kernel, const Request& request,
           const std::vector<NamedValue>& values);

  /// Small launches; those of one thread in each block; small ones whose parameters are more than a
  /// warp; launches whose parameters are not too small, so that much of the contents of buffers
  /// counts; small ones of more than a warp in each block; or any but the
  /// small ones, the smaller the better.
  enum class Size : std::uint8_t { small, single, more, ample, warps, any };
  /// The unknowns' values in such a launch, if there is one, and the run is not stopped. Looks for
  /// it about so long, in milliseconds. Of launches that are guessed, one that is wanted is
  /// preferred.
  static constexpr unsigned usual_ms = 1500;
  std::optional<Model> model(const std::vector<Term>& statements,
                             const std::vector<Participant>& participants, Size size,
                             unsigned ms = usual_ms, const IsWanted& is_wanted = {}) const;
  Example made(const Model& model, const std::vector<Participant>& participants) const;
  /// What a term is for these unknowns; those that the model does not have are 0.
  std::uint64_t value(const Model& model, Term term) const;
  /// Whether all statements hold for these unknowns.
  bool fulfills(const Model& model, const std::vector<Term>& statements) const;
  /// What an object is called in the source.
  std::string name_of(Term object) const;
  /// What the machine's messages about accesses to the object say; empty if there is no one word.
  std::string name_in_messages(std::optional<Term> object) const;
  /// The addresses of the objects that are accessed.
  const std::set<Term>& bases() const { return bases_; }
  /// Whether the machine can run it.
  static bool can_be_run(const Example& example);

 private:
  bool is_followed(const Participant& one) const;
  std::string name_of_parameter(std::size_t index) const;
  std::vector<std::vector<Term>> wishes(const std::vector<Term>& statements,
                                        const std::vector<Participant>& participants,
                                        Size size) const;
  /// What a thread loads, without zeros.
  std::vector<std::uint32_t> loaded(const Model& model) const;
  std::uint32_t unit_of(Term object) const;
  Launch launch(const Model& model, const std::vector<Participant>& participants) const;

  Subject& subject_;
  const ptx::Function& kernel_;
  const Request& request_;
  const std::vector<NamedValue>& values_;
  std::set<Term> bases_;  // of the objects that are accessed
};

}  // namespace bankproof::symbolic
