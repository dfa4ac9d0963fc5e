// All commands of the program. A command's file offers `void add_<name>(CLI::App& app, int&
// exit_code)`, which adds a subcommand whose callback sets `exit_code` or throws UsageError or
// InputError.
#pragma once

#include <CLI/CLI.hpp>

#include "check.hpp"
#include "kernel.hpp"
#include "list.hpp"
#include "prove.hpp"
#include "run.hpp"
#include "schedule.hpp"
#include "tables.hpp"
#include "verify.hpp"

namespace bankproof::cli {

inline void add_commands(CLI::App& app, int& exit_code) {
  add_check(app, exit_code);
  add_schedule(app, exit_code);
  add_verify(app, exit_code);
  add_run(app, exit_code);
  add_kernel(app, exit_code);
  add_prove(app, exit_code);
  add_tables(app, exit_code);
  add_list(app, exit_code);
}

}  // namespace bankproof::cli
