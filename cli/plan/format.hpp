// The names in a plan's folder, version 1; docs/permutations.md describes them.
#pragma once

#include <array>
#include <string_view>

namespace bankproof::cli {

inline constexpr std::string_view plan_format = "bankproof-plan";
inline constexpr int plan_version = 1;

inline constexpr std::string_view plan_json_name = "plan.json";
inline constexpr std::string_view plan_header_name = "plan.h";

/// The files of S and D of one pass: the pass of a bank plan, or one of the three of a schedule.
struct PassNames {
  std::string_view s;
  std::string_view d;
};
inline constexpr PassNames bank_names = {"s.npy", "d.npy"};
inline constexpr std::array<PassNames, 3> pass_names = {
    {{"s1.npy", "d1.npy"}, {"s2.npy", "d2.npy"}, {"s3.npy", "d3.npy"}}};

/// All files that a plan's folder may contain.
inline constexpr std::array<std::string_view, 10> plan_file_names = {
    plan_json_name, plan_header_name, "s.npy",  "d.npy",  "s1.npy",
    "d1.npy",       "s2.npy",         "d2.npy", "s3.npy", "d3.npy"};

}  // namespace bankproof::cli
