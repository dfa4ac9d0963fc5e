// Delays Ctrl-C until the command has removed what it began.
#pragma once

namespace bankproof::cli {

/// Holds back SIGINT, SIGTERM and SIGHUP while it lives. Its destructor raises the signal that
/// came, which ends the process; by then the objects made after it have removed their unfinished
/// files. Signals that were ignored stay ignored. Only one may live at a time.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  /// Whether a signal to end has come.
  static bool requested();
};

}  // namespace bankproof::cli
