// Delays Ctrl-C until the command has removed what it began, or has told what it knows.
#pragma once

namespace bankproof::cli {

/// Holds back SIGINT, SIGTERM and SIGHUP while it lives. Its destructor raises the held signal,
/// which ends the process. By then the objects that were made after the Interruption have removed
/// their unfinished files. Signals that were ignored stay ignored. Only one may live at a time.
///
/// With a notice, the first signal writes it to standard error, and a second one ends the process
/// at once.
class Interruption {
 public:
  explicit Interruption(const char* notice = nullptr);
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  /// Whether a signal to end has come.
  static bool requested();
};

}  // namespace bankproof::cli
