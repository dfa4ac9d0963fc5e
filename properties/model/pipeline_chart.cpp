// Charts of pipelines: every stage in every register against the oracle, and the sources' figures
// of examples (rows M5, M6 and C2). docs/pictures/ holds these charts.
#include "../../model/observers/pipeline_chart.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../../algorithms/contiguous_access.hpp"
#include "../../oracles/stages.hpp"
#include "../../testing/accesses.hpp"
#include "../../testing/property.hpp"
#include "two_warps.hpp"

namespace bankproof {
namespace {

using testing::WarpAccess;

Program masked_access(Warp& warp, Array<int>& a, const WarpAccess& access) {
  std::uint64_t bits = 0;
  for (Width lane = 0; lane < warp.width(); ++lane) {
    if (access.lanes[lane]) bits |= std::uint64_t{1} << lane;
  }
  const auto taking_part = warp.only(Mask(bits));
  co_await a.read(
      make_lanes(warp.width(), [&](Width lane) { return access.lanes[lane].value_or(0); }));
}

BANKPROOF_PROPERTY(PipelineChart, has_in_each_register_what_the_oracle_serves,
                   (WarpAccess access, bool groups)) {
  access.lanes.resize(access.width);
  for (auto& lane : access.lanes) {
    if (lane) *lane %= 4096;
  }
  RC_PRE(!access.addresses().empty());
  const auto latency = *rc::gen::inRange<Latency>(1, 6);
  PipelineChart chart("");
  const auto run = [&](auto&& machine) {
    machine.attach(chart);
    Array<int> a(machine.memory(), std::vector<int>(4096), "a");
    return machine.launch({.threads = access.width}, masked_access, a, access);
  };
  const Time time = groups ? run(Umm({.width = access.width, .latency = latency}))
                           : run(Dmm({.width = access.width, .latency = latency}));
  const oracle::Stages stages = groups ? oracle::umm_stages(access.lanes, access.width)
                                       : oracle::dmm_stages(access.lanes, access.width);
  RC_ASSERT(chart.stages().size() == stages.count);
  RC_ASSERT(chart.bars().size() == 1U);
  RC_ASSERT(chart.bars().front().end == time);
  for (std::uint64_t s = 0; s < stages.count; ++s) {
    Addresses wanted;
    for (std::size_t lane = 0; lane < access.lanes.size(); ++lane) {
      if (stages.of_lane[lane] != s) continue;
      const Address address = *access.lanes[lane];
      if (std::find(wanted.begin(), wanted.end(), address) == wanted.end()) {
        wanted.push_back(address);
      }
    }
    for (std::uint64_t number = 1; number <= latency; ++number) {
      RC_ASSERT(chart.in_register(0, number, s + number - 1) == wanted);
    }
  }
  RC_ASSERT(chart.in_register(0, latency, time).empty());  // the pipeline is empty again
}

/// Compares the SVG with the file, and on a difference says how to renew the file.
void expect_picture(const std::string& name, const PipelineChart& chart) {
  std::ostringstream drawn;
  drawn << chart;
  std::ifstream file(BANKPROOF_SOURCE "/docs/pictures/" + name);
  const std::string committed{std::istreambuf_iterator<char>(file),
                              std::istreambuf_iterator<char>()};
  if (drawn.str() == committed) return;
  const std::string fresh = ::testing::TempDir() + name;
  std::ofstream(fresh) << drawn.str();
  ADD_FAILURE() << "docs/pictures/" << name
                << " differs from the chart drawn now; to accept it, copy this to docs/pictures: "
                << fresh;
}

/// Compares all registers at all times with the stages, which enter one per time unit.
void expect_pipeline(const PipelineChart& chart, const std::vector<Addresses>& stages,
                     Latency latency) {
  const std::uint64_t end = stages.size() + latency - 1;
  for (Time time = 0; time < end; ++time) {
    for (std::uint64_t number = 1; number <= latency; ++number) {
      const bool holds = time + 1 >= number && time + 1 - number < stages.size();
      EXPECT_EQ(chart.in_register(0, number, time), holds ? stages[time + 1 - number] : Addresses())
          << "register " << number << " at time " << time;
    }
  }
  for (const chart::Bar& bar : chart.bars()) EXPECT_LE(bar.end, end);
  EXPECT_EQ(chart.bars().back().end, end);
}

TEST(PipelineChart, shows_THS_figure_3_3_on_the_DMM) {
  PipelineChart chart("THS figure 3.3: the DMM, w = 4, l = 5");
  Dmm machine({.width = 4, .latency = 5});
  machine.attach(chart);
  Array<int> a(machine.memory(), std::vector<int>(16), "a");
  EXPECT_EQ(machine.launch({.threads = 8}, listed, a, two_warps), 7U);
  expect_pipeline(chart, {{7, 5, 0}, {15}, {10, 11, 12, 9}}, 5);
  // The last time unit with all requests in the pipeline.
  EXPECT_EQ(chart.in_register(0, 5, 4), (Addresses{7, 5, 0}));
  EXPECT_EQ(chart.in_register(0, 4, 4), (Addresses{15}));
  EXPECT_EQ(chart.in_register(0, 3, 4), (Addresses{10, 11, 12, 9}));
  expect_picture("ths-3-3-dmm.svg", chart);
}

TEST(PipelineChart, shows_THS_figure_3_3_on_the_UMM) {
  PipelineChart chart("THS figure 3.3: the UMM, w = 4, l = 5");
  Umm machine({.width = 4, .latency = 5});
  machine.attach(chart);
  Array<int> a(machine.memory(), std::vector<int>(16), "a");
  EXPECT_EQ(machine.launch({.threads = 8}, listed, a, two_warps), 9U);
  expect_pipeline(chart, {{7, 5}, {15}, {0}, {10, 11, 9}, {12}}, 5);
  expect_picture("ths-3-3-umm.svg", chart);
}

TEST(PipelineChart, shows_HMM_figure_4) {
  const std::vector<Addresses> groups = {{0, 4, 8, 9}, {12, 13, 14, 15}};
  PipelineChart chart("HMM figure 4: global memory, w = 4, L = 5");
  Hmm machine({.dmms = 2, .width = 4, .global_latency = 5});
  machine.attach(chart);
  Array<int> a(machine.global(), std::vector<int>(16), "a");
  EXPECT_EQ(machine.launch({.blocks = 2, .threads = 4}, listed, a, groups), 8U);
  expect_pipeline(chart, {{0}, {4}, {8, 9}, {12, 13, 14, 15}}, 5);
  expect_picture("hmm-4.svg", chart);
}

/// Charts a contiguous access of p threads to n words, and returns its time.
Time contiguous(const ContiguousAccess& access, PipelineChart& chart) {
  Umm machine({.width = static_cast<Width>(access.w), .latency = access.l});
  machine.attach(chart);
  Array<int> a(machine.memory(), std::vector<int>(access.n), "a");
  auto ignore = [](const auto&, const auto&, Mask) {};
  return machine.launch({.threads = access.p}, contiguous_read<int, decltype(ignore)>, a, access.n,
                        ignore);
}

TEST(PipelineChart, shows_MOD_figure_4_with_few_warps_that_wait_for_their_last_access) {
  const ContiguousAccess access{24, 8, 4, 5};
  PipelineChart chart("MOD figure 4, p/w ≤ l: n = 24, p = 8, w = 4, l = 5");
  EXPECT_EQ(contiguous(access, chart), 16U);  // nl/p + p/w − 1
  ASSERT_EQ(chart.bars().size(), 6U);
  for (const chart::Bar& bar : chart.bars()) {
    EXPECT_EQ(bar.begin % access.l, bar.warp.second) << "a warp follows itself without a gap";
    EXPECT_EQ(bar.end, bar.begin + access.l);
  }
  expect_picture("mod-4-few-warps.svg", chart);
}

TEST(PipelineChart, shows_MOD_figure_4_with_many_warps_that_take_turns_without_a_gap) {
  const ContiguousAccess access{48, 24, 4, 3};
  PipelineChart chart("MOD figure 4, p/w > l: n = 48, p = 24, w = 4, l = 3");
  EXPECT_EQ(contiguous(access, chart), 14U);  // n/w + l − 1
  ASSERT_EQ(chart.stages().size(), 12U);
  for (Time time = 0; time < 12; ++time) {
    EXPECT_EQ(chart.stages()[time].time, time);
    EXPECT_EQ(chart.stages()[time].warp.second, time % access.warps());
    EXPECT_EQ(chart.stages()[time].addresses.front(), 4 * time);
  }
  expect_picture("mod-4-many-warps.svg", chart);
}

TEST(PipelineChart, has_columns_that_hold_the_longest_address) {
  const auto unit_for = [](Address highest) {
    return chart::Layout(
               {.title = "", .pipelines = {{"memory", 8, 2}}, .end = 4, .highest = highest})
        .unit;
  };
  EXPECT_EQ(unit_for(99), 22U);
  EXPECT_EQ(unit_for(100), 29U);
  EXPECT_EQ(unit_for(1000), 36U);
}

// A register is 98 pixels wide with the addresses of 8 banks, and 10 without addresses.
TEST(PipelineChart, leaves_addresses_out_where_they_would_make_it_too_large) {
  const auto layout_of = [](std::vector<chart::Pipeline> pipelines, Time end) {
    return chart::Layout({.title = "", .pipelines = std::move(pipelines), .end = end});
  };
  const auto writes = [&](std::vector<chart::Pipeline> pipelines, Time end) {
    return layout_of(std::move(pipelines), end).writes_addresses;
  };
  EXPECT_TRUE(writes({{"memory", 8, 25}}, 113));
  EXPECT_FALSE(writes({{"memory", 8, 26}}, 4));
  EXPECT_FALSE(writes({{"memory", 8, 25}}, 114));
  EXPECT_TRUE(writes({{"one", 8, 12}, {"other", 8, 13}}, 4));
  EXPECT_FALSE(writes({{"one", 8, 13}, {"other", 8, 13}}, 4));
  EXPECT_TRUE(writes({{"memory", 9, 250}}, 4));
  EXPECT_EQ(layout_of({{"memory", 8, 26}}, 100).unit, 22U);
  EXPECT_EQ(layout_of({{"memory", 8, 26}}, 101).unit, 11U);
  const std::string with_addresses =
      "a box: a stage, one time unit in a register, with its addresses";
  EXPECT_EQ(layout_of({{"narrow", 8, 2}, {"wide", 9, 2}}, 4).legend.front(), with_addresses);
  EXPECT_EQ(layout_of({{"wide", 9, 2}, {"narrow", 8, 2}}, 4).legend.front(), with_addresses);
  EXPECT_EQ(layout_of({{"wide", 9, 2}}, 4).legend.front(),
            "a box: a stage, one time unit in a register");
  EXPECT_EQ(layout_of({}, 4).legend.size(), 3U);
}

TEST(PipelineChart, numbers_the_first_and_every_tenth_of_low_registers) {
  std::ostringstream text;
  chart::draw(text, {.title = "", .pipelines = {{"memory", 9, 20}}, .end = 4});
  for (const std::uint64_t number : {1U, 2U, 9U, 10U, 11U, 19U, 20U}) {
    const bool shown = number % 10 == 0 || number == 1;
    EXPECT_EQ(text.str().find("register " + std::to_string(number) + "<") != std::string::npos,
              shown)
        << number;
  }
}

TEST(PipelineChart, is_XML_whatever_things_are_called) {
  PipelineChart chart("a < b && b > \"c\"\x01");
  Dmm machine({.width = 2, .latency = 1});
  machine.attach(chart);
  Array<int> a(machine.memory(), std::vector<int>(4), "<a>");
  machine.launch({.threads = 2}, listed, a, std::vector<Addresses>{{0, 1}});
  std::ostringstream text;
  text << chart;
  EXPECT_NE(text.str().find("<title>a &lt; b &amp;&amp; b &gt; \"c\"?</title>"), std::string::npos);
  EXPECT_NE(text.str().find("reads &lt;a&gt;[0, 1], time 0"), std::string::npos);
}

}  // namespace
}  // namespace bankproof
