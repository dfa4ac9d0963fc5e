// The per-thread default stream: functions for programs that nvcc compiles with --default-stream per-thread.
