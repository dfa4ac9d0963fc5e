# The benchmarks: bench/x.cpp is the program bin/bench_x. Not part of `all`: build the target `bench`.
find_package(benchmark REQUIRED)

add_custom_target(bench)
bankproof_programs_of(bench names)
foreach(name IN LISTS names)
  bankproof_sources_of(bench/${name} sources)
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(bench_${name} PRIVATE
    bankproof_options bankproof::algorithms benchmark::benchmark_main)
  set_target_properties(bench_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  add_dependencies(bench bench_${name})
endforeach()
target_link_libraries(bench_ptx_rows PRIVATE bankproof_ptx)
