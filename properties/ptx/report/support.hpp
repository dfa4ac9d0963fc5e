// A kernel with an invented launch, for tests of reports: how often each instruction ran, what its
// accesses cost, and which faults occurred.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../../ptx/report/build.hpp"
#include "../../../ptx/report/origins.hpp"
#include "../../../ptx/syntax/parser.hpp"

namespace bankproof::ptx {

/// A module and an invented launch of its first kernel. Every instruction is a site.
struct MadeUp {
  explicit MadeUp(const std::string& text, const std::string& source_file = "")
      : module(parse(text, "k.ptx")) {
    for (std::size_t k = 0; k < module.functions.front().body.size(); ++k) {
      if (std::holds_alternative<Instruction>(module.functions.front().body[k])) {
        sites.push_back({0, k});
      }
    }
    origins = origins_of(module, sites, source_file);
    visits.assign(sites.size(), 1);
    lanes.assign(sites.size(), 32);
  }

  LaunchCounts counts() const {
    return {visits, lanes, accesses, faults, 32 * sites.size(), 7, {2, 3, 1}, {8, 4, 1}, {}};
  }

  KernelReport report() const {
    ReportBuilder builder("hmm:w=32");
    builder.add("k(int)", origins, counts());
    return builder.report([](std::uint32_t buffer) { return buffer == 0 ? "in" : "out"; });
  }

  Module module;
  std::vector<SiteStatement> sites;
  std::vector<Origin> origins;
  std::vector<std::uint64_t> visits;
  std::vector<std::uint64_t> lanes;
  SiteCounts accesses;
  FaultLog faults;
};

/// Lines of three files. File 1 is the user's. Code of the header, file 2, is inlined into file 1,
/// and code of file 3 is inlined into line 30 of file 2.
inline const std::string three_files = R"(.version 7.8
.target sm_80
.address_size 64
.entry k(.param .u64 p)
{
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
.loc 1 10 5
ld.param.u64 %rd1, [p];
.loc 1 11 7
ld.global.u32 %r1, [%rd1];
add.s32 %r2, %r1, 1;
.loc 1 11 7
ld.global.u32 %r3, [%rd1+4];
.loc 1 12 3
add.s32 %r4, %r2, %r3;
.loc 2 30 9, function_name $L__info_string0, inlined_at 1 13 2
st.shared.u32 [%r4], %r2;
.loc 3 77 1, function_name $L__info_string1, inlined_at 2 30 9
bar.sync 0;
ret;
}
.file 1 "tile.cu"
.file 2 "lib/block.cuh"
.file 3 "lib/deep.cuh"
.section .debug_str
{
$L__info_string0:
.b8 102,0
$L__info_string1:
.b8 95,90,49,103,105,0
}
)";

/// An access with more wavefronts than the ideal.
inline AccessCounts shared_cost(std::uint64_t wavefronts, std::uint64_t ideal) {
  AccessCounts counts;
  counts.accesses = 1;
  counts.lanes = 32;
  counts.wavefronts = wavefronts;
  counts.ideal_wavefronts = ideal;
  return counts;
}
inline AccessCounts global_cost(std::uint64_t sectors, std::uint64_t ideal) {
  AccessCounts counts;
  counts.accesses = 1;
  counts.lanes = 32;
  counts.lines = (sectors + 3) / 4;
  counts.ideal_lines = (ideal + 3) / 4;
  counts.sectors = sectors;
  counts.ideal_sectors = ideal;
  return counts;
}

}  // namespace bankproof::ptx
