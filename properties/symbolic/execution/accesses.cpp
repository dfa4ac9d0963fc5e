// The machine runs random launches, and tells the address of each access. The trace must allow it:
// a solver finds values of the trace's unknowns, with all facts, for which the thread accesses this
// address. So the trace includes what runs, where it only approximates: loops, contents of memory
// and shuffles.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "../../../symbolic/claims/threads.hpp"
#include "../../../symbolic/invariants/invariants.hpp"
#include "../../../symbolic/solving/decide.hpp"
#include "../../../testing/property.hpp"
#include "../../ptx/kernel_run.hpp"
#include "../proving/unrolled.hpp"
#include "instrumented.hpp"
#include "random_kernel.hpp"

namespace bankproof::symbolic {
namespace {

constexpr std::size_t most_told = std::size_t{1} << 16U;
constexpr std::size_t asked_of_a_launch = 12;
constexpr std::uint32_t most_number = 1U << 15U;

struct Argument {
  std::optional<std::uint64_t> bytes;  // of a buffer
  std::uint32_t number = 0;
};

/// A kernel, its trace, and launches that tell what they access.
class Compared {
 public:
  Compared(const std::string& text, const std::string& kernel)
      : kernel_(kernel),
        instrumented_(text, kernel),
        module_(ptx::parse(text, "k.ptx")),
        telling_(ptx::parse(instrumented_.text(), "told.ptx")),
        execution_(pool_, module_, function()),
        subject_{pool_, execution_} {
    // The launches below have no larger sizes.
    for (const auto& [where, term] : execution_.inputs().parameters()) {
      if (std::get<2>(where) == 4) limit(term, most_number);
    }
    for (const auto& [name, term] : execution_.inputs().specials()) {
      if (name.rfind("%nctaid", 0) == 0) limit(term, 64);
    }
    add_invariants(subject_);
  }

  /// Launches it, and says of how many accesses that some is not the trace's.
  struct Found {
    std::size_t told = 0;
    std::string missing;
  };
  Found launch(const std::array<std::uint32_t, 2>& grid, const std::array<std::uint32_t, 2>& block,
               const std::vector<Argument>& arguments, std::uint64_t seed) {
    ptx::KernelRun run(telling_, kernel_);
    std::vector<std::uint64_t> values;
    for (const Argument& one : arguments) {
      if (!one.bytes) {
        run.value(one.number);
        values.push_back(one.number);
        continue;
      }
      std::vector<std::uint8_t> contents(std::max<std::uint64_t>(*one.bytes, 1));
      for (std::size_t k = 0; k < contents.size(); ++k) {
        contents[k] = static_cast<std::uint8_t>(k * (seed % 7));
      }
      values.push_back(ptx::buffer_address(run.buffer(contents)));
    }
    const auto told = run.buffer(std::vector<std::uint32_t>(8 * most_told));
    run.launch({grid[0], grid[1], 1}, {block[0], block[1], 1});
    for (const ptx::FaultKind kind : run.faults()) EXPECT_EQ(kind, ptx::FaultKind::race);
    const auto counted = run.data<std::uint32_t>(told)[0];
    const auto all = run.data<Told>(told);
    begin_.clear();
    std::vector<Told> accesses;
    for (std::size_t k = 1; k <= counted; ++k) {
      if (all.at(k).line >= Instrumented::first_shared) {
        begin_[instrumented_.shared().at(all[k].line - Instrumented::first_shared)] =
            all[k].address;
      } else {
        accesses.push_back(all[k]);
      }
    }
    Found found;
    std::mt19937_64 words(seed);
    for (; found.told < std::min(asked_of_a_launch, accesses.size()); ++found.told) {
      Told one = accesses[words() % accesses.size()];
      one.address += shift_;
      if (!is_among(one, grid, block, values)) {
        found.missing += "line " + std::to_string(one.line) + ", thread " +
                         ::testing::PrintToString(one.thread) + " of block " +
                         ::testing::PrintToString(one.block) + ": " + std::to_string(one.address) +
                         '\n';
      }
    }
    return found;
  }

  /// A planted bug: so much is added to what is told.
  void shift(std::uint64_t by) { shift_ = by; }

 private:
  const ptx::Function& function() const {
    for (const ptx::Function& one : module_.functions) {
      if (one.name == kernel_) return one;
    }
    throw std::invalid_argument("no kernel " + kernel_);
  }

  void limit(Term term, std::uint64_t to) {
    subject_.premises.push_back(pool_.at_most(term, pool_.constant(to, pool_.width(term)), false));
  }

  bool is_among(const Told& told, const std::array<std::uint32_t, 2>& grid,
                const std::array<std::uint32_t, 2>& block,
                const std::vector<std::uint64_t>& values) {
    Substitution known(pool_);
    const auto put = [&](Term unknown, std::uint64_t value) {
      known.put(unknown, pool_.constant(value, pool_.width(unknown)));
    };
    for (const auto& [name, term] : execution_.inputs().specials()) {
      if (pool_.node(term).op != Operator::unknown) continue;
      const bool is_y = name.back() == 'y';
      const bool is_z = name.back() == 'z';
      if (name.rfind("%tid.", 0) == 0) put(term, is_z ? 0 : told.thread[is_y ? 1 : 0]);
      if (name.rfind("%ctaid.", 0) == 0) put(term, is_z ? 0 : told.block[is_y ? 1 : 0]);
      if (name.rfind("%ntid.", 0) == 0) put(term, is_z ? 1 : block[is_y ? 1 : 0]);
      if (name.rfind("%nctaid.", 0) == 0) put(term, is_z ? 1 : grid[is_y ? 1 : 0]);
    }
    for (const auto& [where, term] : execution_.inputs().parameters()) {
      put(term, values.at(std::get<0>(where)));
    }
    for (const auto& [term, object] : execution_.inputs().objects()) {
      const auto begin = begin_.find(object.name);
      if (begin != begin_.end()) put(term, begin->second);
    }
    for (const Access& access : execution_.trace().accesses) {
      if (access.instruction->place.line != told.line) continue;
      Threads threads(subject_, Which::of_one_block, 1);
      std::vector<Term> statements = access.guard.parts();
      statements.push_back(pool_.equal(access.address, pool_.constant(told.address, 64)));
      statements = threads.with_facts(statements).asked;
      for (Term& one : statements) one = known(one);
      std::erase_if(statements, [&](Term one) { return pool_.is_constant(one, 1); });
      if (statements.empty() || model_of(pool_, statements, {{}}, 5000)) return true;
    }
    return false;
  }

  std::string kernel_;
  Instrumented instrumented_;
  ptx::Module module_;
  ptx::Module telling_;
  Pool pool_;
  Execution execution_;
  Subject subject_;
  std::map<std::string, std::uint64_t> begin_;
  std::uint64_t shift_ = 0;
};

std::uint32_t between(std::uint32_t first, std::uint32_t last) {
  return *rc::gen::inRange<std::uint32_t>(first, last + 1);
}

std::string text_of(const std::string& compiler, const std::string& file) {
  const auto path =
      std::filesystem::path(BANKPROOF_SOURCE) / "properties/golden" / compiler / (file + ".ptx");
  std::ifstream text(path);
  return {std::istreambuf_iterator<char>(text), std::istreambuf_iterator<char>()};
}

Compared& example(const std::string& compiler, const std::string& file, const std::string& kernel) {
  static std::map<std::string, Compared> all;
  const std::string key = compiler + ' ' + kernel;
  const auto found = all.find(key);
  if (found != all.end()) return found->second;
  return all.try_emplace(key, text_of(compiler, file), kernel).first->second;
}

void are_of_the_trace(const std::string& compiler) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto of = [&](const std::string& file, const std::string& kernel,
                      const std::array<std::uint32_t, 2>& grid,
                      const std::array<std::uint32_t, 2>& block,
                      const std::vector<Argument>& arguments) {
    const auto found = example(compiler, file, kernel).launch(grid, block, arguments, seed);
    RC_ASSERT(found.told > 0U);
    if (!found.missing.empty()) RC_FAIL(kernel + '\n' + found.missing);
  };
  const auto buffer = [](std::uint64_t bytes) { return Argument{.bytes = bytes}; };
  const auto number = [](std::uint32_t value) { return Argument{.bytes = {}, .number = value}; };
  const std::uint32_t n = between(0, 300);
  const std::uint32_t warps = between(1, 3);
  const std::uint32_t blocks = between(1, 3);
  switch (between(0, 5)) {
    case 0: {
      const std::uint32_t tiles = between(1, 2);
      const std::uint64_t bytes = std::uint64_t{4} * 32 * 32 * tiles * tiles;
      const bool is_padded = between(0, 1) == 0;
      of("transpose", is_padded ? "_Z16transpose_paddedPKfPfi" : "_Z18transpose_swizzledPKfPfi",
         {tiles, tiles}, {32, 8}, {buffer(bytes), buffer(bytes), number(32 * tiles)});
      break;
    }
    case 1:
      of("reduction", "_Z9reductionIiEvPKT_PS0_i", {blocks, 1}, {32 * warps, 1},
         {buffer(std::uint64_t{4} * n), buffer(4), number(n)});
      break;
    case 2:
      of("histogram", "_Z9histogramPKhPji", {blocks, 1}, {32 * warps, 1},
         {buffer(n), buffer(1024), number(n)});
      break;
    case 3:
      of("scan", "_Z4scanILb1EEvPK6AffinePS0_i", {1, 1}, {32 * warps, 1},
         {buffer(std::uint64_t{8} * n), buffer(std::uint64_t{8} * n), number(n)});
      break;
    case 4: {
      const std::uint32_t columns = between(1, 40);
      const std::uint32_t rows = between(1, 12);
      const std::uint64_t bytes = std::uint64_t{4} * columns * rows;
      of("stencil", "_Z7stencilPKfPfii", {(columns + 31) / 32, (rows + 7) / 8}, {32, 8},
         {buffer(bytes), buffer(bytes), number(columns), number(rows)});
      break;
    }
    default: {
      of("matrix_tiles", "_Z16product_swizzledPK6__halfS1_Pfi", {1, 1}, {128, 1},
         {buffer(8192), buffer(8192), buffer(16384), number(64)});
      break;
    }
  }
}

TEST(Accesses, of_examples_are_the_traces) {
  for (const std::string compiler : {"clang", "nvcc"}) {
    testing::check_property([&] { are_of_the_trace(compiler); }, compiler, 8);
  }
}

// Kernels with barriers share a few words, and race.
TEST(Accesses, of_random_kernels_are_the_traces) {
  std::size_t told = 0;
  testing::check_property(
      [&] {
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const RandomKernel kernel(seed, seed % 3 == 0);
        RC_PRE(kernel.stores() > 0);
        Compared compared(kernel.text(), "k");
        const auto found = compared.launch(
            {3, 1}, {5, 1},
            {Argument{.bytes = 4 * words_of_store * kernel.stores()}, Argument{{}, between(0, 19)}},
            seed);
        told += found.told;
        if (!found.missing.empty()) RC_FAIL(kernel.text() + found.missing);
      },
      "", 8);
  EXPECT_GT(told, 10U);
}

TEST(Accesses, of_unrolled_loops_are_the_traces) {
  Compared compared(unrolled_loop, "k");
  testing::check_property(
      [&] {
        const std::uint32_t n = between(0, 300);
        const auto found = compared.launch({between(1, 3), 1}, {between(1, 40), 1},
                                           {Argument{.bytes = 4 * n}, Argument{{}, n}}, 1);
        if (!found.missing.empty()) RC_FAIL(found.missing);
      },
      "", 8);
}

// Planted bugs: the machine tells other addresses.
TEST(Accesses, are_compared) {
  for (const std::string compiler : {"clang", "nvcc"}) {
    for (const std::uint64_t shift : {4U, 1U << 20U}) {
      Compared compared(text_of(compiler, "transpose"), "_Z16transpose_paddedPKfPfi");
      compared.shift(shift);
      const auto found =
          compared.launch({1, 1}, {32, 8}, {Argument{4096}, Argument{4096}, Argument{{}, 32}}, 1);
      EXPECT_EQ(found.told, asked_of_a_launch);
      EXPECT_FALSE(found.missing.empty()) << compiler << shift;
    }
  }
}

}  // namespace
}  // namespace bankproof::symbolic
