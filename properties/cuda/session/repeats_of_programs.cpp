// Nobody can tell launches that repeat but by the report: random programs of the host run on two
// sessions, of which one executes and judges every launch.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../../ptx/report/stored.hpp"
#include "repeating_host.hpp"

namespace bankproof::cuda {
namespace {

std::string report_without_taken(const Session& session) {
  ptx::KernelReport report = session.report();
  report.taken.clear();
  return ptx::stored(report);
}

// One step of a random program of the host, on both sessions.
struct Both {
  template <class F>
  auto on_both(const F& f) {
    f(every);
    return f(some);
  }
  void step() {
    const auto pick = [this] { return *rc::gen::elementOf(live); };
    const std::uint64_t offset = *rc::gen::inRange<std::uint64_t>(0, bytes_of_buffer);
    const auto value = static_cast<std::byte>(*rc::gen::inRange(0, 4));
    const std::uint32_t a = pick();
    const std::uint32_t b = pick();
    switch (*rc::gen::weightedElement<int>(
        {{40, 0}, {4, 1}, {3, 2}, {2, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}})) {
      case 0: {
        const std::string name = *rc::gen::elementOf(kernel_names);
        for (int k = *rc::gen::inRange(1, 4); k > 0; --k) {
          const LaunchOutcome expected = every.launch(name, a, b);
          const LaunchOutcome found = some.launch(name, a, b);
          repeated += found.is_repeated;
          known += found.is_known;
          RC_ASSERT(found.printed == expected.printed);
          RC_ASSERT(found.time == expected.time);
          RC_ASSERT(found.is_clean == expected.is_clean);
        }
        break;
      }
      case 1:
        on_both([&](Host& host) { host.session.write(a, offset, {&value, 1}); });
        break;
      case 2:
        on_both([&](Host& host) { host.session.copy(a, 0, b, 0, bytes_of_buffer); });
        break;
      case 3:
        on_both([&](Host& host) { host.session.define(a); });
        break;
      case 4:
        on_both([&](Host& host) {
          host.session.undefine(a, offset, std::min<std::uint64_t>(4, bytes_of_buffer - offset));
        });
        break;
      case 5:
        if (live.size() > 1) {
          on_both([&](Host& host) { host.session.release(a); });
          std::erase(live, a);
        }
        live.push_back(
            on_both([](Host& host) { return host.session.add_buffer("new", words(1)); }));
        break;
      case 6:
        on_both([&](Host& host) {
          const auto variable = static_cast<std::uint32_t>(value);
          host.session.set_symbol(host.file, offset % 2 == 0 ? "factor" : "offset",
                                  std::as_bytes(std::span(&variable, 1)));
        });
        break;
      default:
        on_both([&](Host& host) { host.session.data(a)[offset] = value; });
        break;
    }
    for (const std::uint32_t buffer : live) RC_ASSERT(some.bytes(buffer) == every.bytes(buffer));
  }

  Host every{true};
  Host some;
  std::vector<std::uint32_t> live{0, 1, 2};
  int repeated = 0;
  int known = 0;
};

RC_GTEST_PROP(RepeatsOfPrograms, change_nothing_but_the_time_that_a_program_takes, ()) {
  Both both;
  both.on_both([](Host& host) {
    host.session.add_buffer("in", words(0));
    host.session.add_buffer("out", bytes_of_buffer);
    host.session.add_buffer("more", words(4));
  });
  for (int k = *rc::gen::inRange(0, 60); k > 0; --k) both.step();
  RC_ASSERT(report_without_taken(both.some.session) == report_without_taken(both.every.session));
  RC_TAG(both.repeated == 0 ? "none repeated" : "some repeated");
  RC_TAG(both.known == 0 ? "none known" : "some known");
}

}  // namespace
}  // namespace bankproof::cuda
