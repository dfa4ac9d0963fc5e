// The styles of the page; see html.hpp.
#pragma once

#include <string_view>

namespace bankproof::ptx {

inline constexpr std::string_view html_style = R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1e21; --faint: #6a6f76;
  --line: #d5d8dc; --warm: #fff3d6; --hot: #ffd9cf; --fault: #b3261e;
  --proved: #1a6b35; --open: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181b; --ink: #e4e6e9;
  --faint: #9aa0a8; --line: #3a3f45; --warm: #40351a; --hot: #55281e; --fault: #ff8a80;
  --proved: #7fd49a; --open: #f0c36d; } }
body { margin: 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.3rem; overflow-wrap: anywhere; } h2 { font-size: 1.05rem; margin-top: 2rem; }
.totals { color: var(--faint); } .verdict { font-weight: 600; }
.fails, .fault { color: var(--fault); } .suppressed { color: var(--faint); }
.proved { color: var(--proved); } .refuted { color: var(--fault); }
.unknown, .unsupported { color: var(--open); }
.listing { overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; }
table { border-collapse: collapse; font: 13px/1.5 ui-monospace, monospace; min-width: 100%; }
th, td { padding: 0 .6em; text-align: right; white-space: nowrap; }
th { font-weight: 400; color: var(--faint); border-bottom: 1px solid var(--line); }
td.code, th.code { text-align: left; white-space: pre; border-left: 1px solid var(--line); }
td.claims { text-align: left; white-space: nowrap; }
td.number { color: var(--faint); }
tr.warm td { background: var(--warm); } tr.hot td { background: var(--hot); }
tr.note td { text-align: left; white-space: normal; }
summary { cursor: pointer; color: var(--faint); }
figure { display: inline-block; margin: .5rem 1.5rem .8rem 0; vertical-align: top; }
figcaption { max-width: 28rem; white-space: normal; }
svg text { font: 9px ui-monospace, monospace; fill: var(--ink); } svg .stage { fill: #111; }
svg .axis { fill: var(--faint); } svg .grid { fill: none; stroke: var(--line); }
svg .rule { stroke: var(--line); stroke-width: .6; fill: none; }
.s0 { fill: #9ad0f5; } .s1 { fill: #f7b27a; } .s2 { fill: #a6dba0; } .s3 { fill: #f4a3a8; }
.s4 { fill: #d0b3e8; } .s5 { fill: #e6d36a; } .s6 { fill: #8fd9d0; } .s7 { fill: #c9c9c9; }
)css";

}  // namespace bankproof::ptx
