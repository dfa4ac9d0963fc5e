// Microkernels: accesses of one warp that distinguish the rules of model/gpu/chips.hpp from other
// rules that a chip could follow. On the reference machine each access must cost what the rule
// says; ci/gpu measures the chip.
#include "microkernels.hpp"

#include <cstring>

#include "../../../model/gpu/chips.hpp"
#include "scenarios.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using Lanes = std::vector<std::uint32_t>;

struct Pattern {
  const char* name;
  std::uint32_t (*element)(std::uint32_t lane);
};

// Patterns whose lanes share elements or are masked: in some, groups of 8- and 16-byte elements
// merge; in others they do not (model/gpu/shared_memory.hpp, condition P).
constexpr Pattern patterns[] = {
    {"unit", [](std::uint32_t i) { return i; }},
    {"offset", [](std::uint32_t i) { return i + 1; }},
    {"stride-2", [](std::uint32_t i) { return 2 * i; }},
    {"stride-32", [](std::uint32_t i) { return 32 * i; }},
    {"uniform", [](std::uint32_t) { return 5U; }},
    {"pair-1", [](std::uint32_t i) { return i / 2; }},
    {"pair-1-stride-32", [](std::uint32_t i) { return i / 2 * 32; }},
    {"pair-2", [](std::uint32_t i) { return i / 4 * 2 + i % 2; }},
    {"mixed-halves", [](std::uint32_t i) { return i < 16 ? i / 2 : i; }},
    {"mixed-pairs", [](std::uint32_t i) { return i < 16 ? i / 2 : i / 4 * 2 + i % 2; }},
    {"one-lane", [](std::uint32_t i) { return i == 7 ? i : nowhere; }},
    {"lower-half", [](std::uint32_t i) { return i < 16 ? i : nowhere; }},
    {"odd-lanes", [](std::uint32_t i) { return i % 2 == 1 ? i : nowhere; }},
    {"lanes-2-3", [](std::uint32_t i) { return i % 4 > 1 ? i : nowhere; }},
    {"odd-lanes-stride-32", [](std::uint32_t i) { return i % 2 == 1 ? 32 * i : nowhere; }},
    {"scattered-mask",
     [](std::uint32_t i) { return (0x6B3C96F1U >> i) % 2 == 1 ? (7 * i + 3) % 64 : nowhere; }},
};

Lanes elements_of(const Pattern& pattern) {
  Lanes lanes(32);
  for (std::uint32_t lane = 0; lane < 32; ++lane) lanes[lane] = pattern.element(lane);
  return lanes;
}

/// One more than the largest element.
std::size_t size_of(const Lanes& lanes) {
  std::size_t size = 0;
  for (const std::uint32_t element : lanes) {
    if (element != nowhere) size = std::max<std::size_t>(size, element + 1);
  }
  return size;
}

/// `size` elements whose words are word_of(0), word_of(1), …
template <class E>
std::vector<E> filled(std::size_t size) {
  std::vector<std::uint32_t> words(ceil_div(size * sizeof(E), 4));
  for (std::size_t k = 0; k < words.size(); ++k) words[k] = word_of(static_cast<std::uint32_t>(k));
  std::vector<E> elements(size);
  std::memcpy(elements.data(), words.data(), size * sizeof(E));
  return elements;
}

/// Whether each lane has its expected element; `at` gives the element's index in `values` and in
/// `wanted`.
template <class E, class At>
bool have(const std::vector<E>& values, const std::vector<E>& wanted, const Lanes& lanes, At at) {
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if (lanes[lane] == nowhere) continue;
    const auto [here, there] = at(lane, lanes[lane]);
    if (std::memcmp(&values[here], &wanted[there], sizeof(E)) != 0) return false;
  }
  return true;
}

enum class Access { shared_load, shared_store, global_load, global_store };
constexpr std::array access_names = {"shared-load", "shared-store", "global-load", "global-store"};

template <class E>
bool access_is_right(Access access, const Pattern& pattern) {
  const Lanes lanes = elements_of(pattern);
  const std::vector<E> all = filled<E>(size_of(lanes));
  const auto words = static_cast<std::uint32_t>(ceil_div(all.size() * sizeof(E), 16) * 4);
  GuardedArray<std::uint32_t> elements(lanes);
  GuardedArray<E> in(all);
  GuardedArray<E> out(32);
  const auto lane_and_element = [](std::uint32_t lane, std::uint32_t element) {
    return std::pair<std::size_t, std::size_t>(lane, element);
  };
  switch (access) {
    case Access::shared_load:
      load_from_shared<E>(elements.data(), out.data(), words);
      break;
    case Access::shared_store:
      store_to_shared<E>(elements.data(), in.data(), out.data(), words);
      break;
    case Access::global_load:
      load_from_global<E>(elements.data(), in.data(), out.data());
      break;
    case Access::global_store: {
      // Lanes that share an element store the same value.
      std::vector<E> values(32);
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (lanes[lane] != nowhere) values[lane] = all[lanes[lane]];
      }
      GuardedArray<E> given(values);
      GuardedArray<E> written(all.size());
      store_to_global<E>(elements.data(), given.data(), written.data());
      return have(written.values(), all, lanes, [](std::uint32_t, std::uint32_t element) {
        return std::pair<std::size_t, std::size_t>(element, element);
      });
    }
  }
  return have(out.values(), all, lanes, lane_and_element);
}

using IsRight = bool (*)(Access, const Pattern&);
struct Width {
  std::uint32_t bytes;
  IsRight is_right;
};
constexpr Width widths[] = {{1, access_is_right<Element1>},
                            {2, access_is_right<Element2>},
                            {4, access_is_right<Element4>},
                            {8, access_is_right<Element8>},
                            {16, access_is_right<Element16>}};

}  // namespace

std::vector<Scenario> scenarios_of_microkernels() {
  std::vector<Scenario> scenarios;
  constexpr std::size_t per_access = std::size(widths) * std::size(patterns);
  scenarios.reserve(access_names.size() * per_access);
  for (const char* const name : access_names) {
    const auto access = static_cast<Access>(scenarios.size() / per_access);
    for (const Width& width : widths) {
      for (const Pattern& pattern : patterns) {
        scenarios.push_back({std::string("microkernel.") + name + "." +
                                 std::to_string(width.bytes) + "." + pattern.name,
                             [&, access] { return width.is_right(access, pattern); }});
      }
    }
  }
  return scenarios;
}

#ifdef BANKPROOF_ON_MACHINE
namespace {

/// The cost of all instructions of a launch whose opcode begins with `prefix`, such as "ld.shared".
ptx::AccessCounts counts_of(const ptx::KernelReport& report, const std::string& prefix) {
  ptx::AccessCounts counts;
  for (const auto& [opcode, of_opcode] : report.opcodes) {
    if (opcode.starts_with(prefix)) counts.add(of_opcode);
  }
  return counts;
}

std::vector<Address> addresses_of(const Lanes& lanes) {
  std::vector<Address> addresses(lanes.size(), no_request);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane] != nowhere) addresses[lane] = lanes[lane];
  }
  return addresses;
}

// $BANKPROOF_MACHINE chooses the rules: those of the papers' machine, or those of a chip that has
// rules for elements of all sizes in both memories, such as sm_90.
TEST(MicrokernelsOnMachine, cost_what_the_rules_say) {
  take_launches();
  for (const Width& width : widths) {
    for (const Pattern& pattern : patterns) {
      const std::vector<Address> addresses = addresses_of(elements_of(pattern));
      for (std::size_t k = 0; k < access_names.size(); ++k) {
        SCOPED_TRACE(std::string(access_names[k]) + " of " + std::to_string(width.bytes) +
                     " bytes, " + pattern.name);
        const auto access = static_cast<Access>(k);
        ASSERT_TRUE(width.is_right(access, pattern));
        const auto launches = take_launches();
        ASSERT_EQ(launches.size(), 1U);
        const ptx::KernelReport& report = launches.front();
        ASSERT_TRUE(report.faults.empty()) << ptx::as_text(report);
        const auto chip = find_chip(report.machine);
        AccessRule shared = chip ? *shared_rule(*chip, width.bytes) : dmm_rule(32, width.bytes);
        AccessRule lines = chip ? *global_rule(*chip, width.bytes) : umm_rule(32, width.bytes);
        AccessRule sectors = GlobalMemoryRule(width.bytes, GlobalMemoryRule::sector_bytes);
        if (access == Access::shared_load || access == Access::shared_store) {
          const auto counts =
              counts_of(report, access == Access::shared_load ? "ld.shared" : "st.shared");
          EXPECT_EQ(counts.accesses, 1U);
          EXPECT_EQ(counts.wavefronts, stages_of(shared, addresses));
        } else if (access == Access::global_load) {
          // The load of the elements' numbers touches four sectors of one line.
          const auto counts = counts_of(report, "ld.global");
          EXPECT_EQ(counts.accesses, 2U);
          EXPECT_EQ(counts.lines, 1 + stages_of(lines, addresses));
          EXPECT_EQ(counts.sectors, 4 + stages_of(sectors, addresses));
        } else {
          const auto counts = counts_of(report, "st.global");
          EXPECT_EQ(counts.accesses, 1U);
          EXPECT_EQ(counts.lines, stages_of(lines, addresses));
          EXPECT_EQ(counts.sectors, stages_of(sectors, addresses));
        }
      }
    }
  }
}

}  // namespace
#endif

}  // namespace bankproof::cuda::tests
