// Runs small programs on a small machine with all inputs. Reports the time of each run and, for the
// words of memory, the number of input words on which a word depends and the number of values that
// a word takes. Tests use these runs to attack bounds that are claimed for every program.
//
// A program is a few steps for each thread; all steps are accesses. A thread knows one number. When
// it reads a word, it adds the word to the number or replaces the number by the word. When it
// writes, it writes the number. The address of an access, and whether the access happens, may
// depend on the number. The machine is a DMM of width 1, so each thread is a warp and goes its own
// way. Input word i is 0 or 2^i, so sums of different words differ.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <set>
#include <vector>

#include "../model/machine.hpp"

namespace bankproof::testing {

struct Step {
  enum class Kind : std::uint8_t { read, add, write };
  enum class Place : std::uint8_t { own, next, result, first, named };  ///< named: by its number
  enum class When : std::uint8_t { always, if_zero, if_not_zero };      ///< its number is

  Kind kind = Kind::read;
  Place place = Place::own;
  When when = When::always;

  static constexpr unsigned kinds = 3;
  static constexpr unsigned places = 5;
  static constexpr unsigned whens = 3;
  static constexpr unsigned count = kinds * places * whens;
  static Step of(unsigned number) {
    return {static_cast<Kind>(number % kinds), static_cast<Place>(number / kinds % places),
            static_cast<When>(number / (kinds * places))};
  }
};

/// The steps of each thread.
struct SmallProgram {
  std::uint64_t inputs = 1;  ///< words of input; after them comes a word for the result, at first 0
  std::vector<std::vector<Step>> threads;

  /// Whether the program is oblivious: data decide neither the addresses of accesses nor whether
  /// accesses happen.
  bool is_oblivious() const {
    return std::all_of(threads.begin(), threads.end(), [](const std::vector<Step>& steps) {
      return std::all_of(steps.begin(), steps.end(), [](const Step& step) {
        return step.when == Step::When::always && step.place != Step::Place::named;
      });
    });
  }

  friend std::ostream& operator<<(std::ostream& out, const SmallProgram& program) {
    constexpr const char* const kinds[] = {"read", "add", "write"};
    constexpr const char* const places[] = {"own", "next", "result", "first", "named"};
    constexpr const char* const whens[] = {"", " if 0", " if not 0"};
    out << program.inputs << " words";
    for (const std::vector<Step>& steps : program.threads) {
      out << "\n  a thread:";
      for (const Step& step : steps) {
        out << ' ' << kinds[static_cast<int>(step.kind)] << ' '
            << places[static_cast<int>(step.place)] << whens[static_cast<int>(step.when)] << ';';
      }
    }
    return out;
  }
};

/// One run of a program.
struct SmallRun {
  Time time = 0;
  std::uint64_t words = 0;  ///< words that the run accesses
  std::uint64_t requests = 0;
};

/// The results of all runs of a program.
struct SmallOutcome {
  std::vector<SmallRun> runs;
  Time time = 0;  ///< of the longest run
  std::uint64_t depends =
      0;  ///< the largest number of input words on which a word of memory depends
  std::uint64_t values = 0;  ///< the largest number of values that a word of memory takes
};

namespace detail {

struct Accessed {
  std::set<Address> words;
  std::uint64_t requests = 0;
};

inline Program follow(Warp& warp, Array<Address>& memory, const SmallProgram& program,
                      Accessed& accessed) {
  const Address size = program.inputs + 1;
  Address known = 0;
  for (const Step& step : program.threads[warp.index()]) {
    if (step.when != Step::When::always && (step.when == Step::When::if_zero) != (known == 0)) {
      continue;
    }
    Address place = warp.index();
    if (step.place == Step::Place::next) place = (place + 1) % program.inputs;
    if (step.place == Step::Place::result) place = program.inputs;
    if (step.place == Step::Place::first) place = 0;
    if (step.place == Step::Place::named) place = known % size;
    accessed.words.insert(place);
    ++accessed.requests;
    if (step.kind == Step::Kind::write) {
      co_await memory.write(warp.same(place), warp.all(known));
    } else {
      const Lanes<Address> value = co_await memory.read(warp.same(place));
      known = value[0] + (step.kind == Step::Kind::add ? known : 0);
    }
  }
}

}  // namespace detail

/// Runs the program on all inputs. Requires at most 16 words of input, and at most as many threads
/// as words.
inline SmallOutcome run_on_all_inputs(const SmallProgram& program, Latency latency) {
  const std::uint64_t inputs = std::uint64_t{1} << program.inputs;
  const std::uint64_t words = program.inputs + 1;
  SmallOutcome outcome;
  std::vector<std::vector<Address>> ends;  // the memory, by input
  for (std::uint64_t input = 0; input < inputs; ++input) {
    std::vector<Address> begin(words);
    for (std::uint64_t word = 0; word < program.inputs; ++word) {
      begin[word] = input & std::uint64_t{1} << word;
    }
    Dmm machine({.width = 1, .latency = latency});
    Array<Address> memory(machine.memory(), begin, "memory");
    detail::Accessed accessed;
    const Time time = machine.launch({.threads = program.threads.size()}, detail::follow, memory,
                                     program, accessed);
    outcome.time = std::max(outcome.time, time);
    outcome.runs.push_back({time, accessed.words.size(), accessed.requests});
    ends.emplace_back(memory.values().begin(), memory.values().end());
  }
  for (std::uint64_t word = 0; word < words; ++word) {
    std::set<Address> values;
    std::uint64_t depends = 0;
    for (std::uint64_t bit = 1; bit < inputs; bit *= 2) {
      bool differs = false;
      for (std::uint64_t input = 0; input < inputs && !differs; ++input) {
        differs = ends[input][word] != ends[input ^ bit][word];
      }
      depends += differs;
    }
    for (const std::vector<Address>& end : ends) values.insert(end[word]);
    outcome.depends = std::max(outcome.depends, depends);
    outcome.values = std::max<std::uint64_t>(outcome.values, values.size());
  }
  return outcome;
}

}  // namespace bankproof::testing
