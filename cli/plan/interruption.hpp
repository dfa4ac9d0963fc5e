// Waits with Ctrl-C until what has been begun is cleared away.
#pragma once

namespace bankproof::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP are kept, and the process ends of them when it goes:
/// by then destructors that ran before have removed what is half done. Signals that were ignored
/// stay ignored. One at a time.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  /// Whether somebody wants the process to end.
  static bool requested();
};

}  // namespace bankproof::cli
