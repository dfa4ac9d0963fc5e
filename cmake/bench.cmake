# The benchmarks: bench/x.cpp is the program bin/bench_x. Not part of `all`: build the target `bench`.
find_package(benchmark REQUIRED)

add_custom_target(bench)
bankproof_programs_of(bench names)
list(REMOVE_ITEM names gpu) # gpu.cmake
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
target_link_libraries(bench_kernels PRIVATE bankproof_kernel)
target_compile_definitions(bench_kernels PRIVATE
  BANKPROOF_BENCH_KERNELS="${PROJECT_SOURCE_DIR}/bench/kernels/kernels.ptx")

# The prototype is not in the repository. If its path is given, bench_kernels compares with it. It
# is compiled without contractions, like the rows.
set(BANKPROOF_PTX_PROTOTYPE "" CACHE FILEPATH "The prototype that bench_kernels is compared with")
if(BANKPROOF_PTX_PROTOTYPE)
  set_property(SOURCE "${PROJECT_SOURCE_DIR}/bench/kernels/prototype.cpp" APPEND PROPERTY
    COMPILE_DEFINITIONS BANKPROOF_PTX_PROTOTYPE="${BANKPROOF_PTX_PROTOTYPE}")
  set_property(SOURCE "${PROJECT_SOURCE_DIR}/bench/kernels/prototype.cpp" APPEND PROPERTY
    COMPILE_OPTIONS -w -ffp-contract=off)
endif()
