# Tests of the tree itself, label `house`: layout, documents, ledger, installed package, bootstrap;
# and ci/tests/x_test.py. The latter plant violations that these checks must catch.
set(ci "${PROJECT_SOURCE_DIR}/ci")

# A test that runs a checker of ci/.
function(bankproof_house_test name)
  add_test(NAME house.${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(house.${name} PROPERTIES LABELS house TIMEOUT 600
                       ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endfunction()

bankproof_house_test(layout "${BANKPROOF_PYTHON}" "${ci}/layout.py" "${PROJECT_SOURCE_DIR}")
if(TARGET bankproof_program)
  bankproof_house_test(claims "${BANKPROOF_PYTHON}" "${ci}/claims.py" "${PROJECT_SOURCE_DIR}"
                       --ctest "${CMAKE_CTEST_COMMAND}" --build "${PROJECT_BINARY_DIR}"
                       --program "$<TARGET_FILE:bankproof_program>")
endif()
bankproof_house_test(docs "${BANKPROOF_PYTHON}" "${ci}/docs.py" "${PROJECT_SOURCE_DIR}"
                     --cxx "${CMAKE_CXX_COMPILER}" --include "${PROJECT_BINARY_DIR}/include")
if(BANKPROOF_NVCC)
  bankproof_house_test(docs_with_nvcc "${BANKPROOF_PYTHON}" "${ci}/docs.py" "${PROJECT_SOURCE_DIR}"
                       --toolkit)
  bankproof_tests_need_nvcc(house.docs_with_nvcc)
endif()
bankproof_house_test(consumer "${CMAKE_COMMAND}" "-DBUILD=${PROJECT_BINARY_DIR}"
                     "-DCXX=${CMAKE_CXX_COMPILER}" "-DPROGRAM=$<TARGET_EXISTS:bankproof_program>"
                     -P "${ci}/consumer/build_and_run.cmake")
set_tests_properties(house.consumer PROPERTIES LABELS "house;slow")

set(gpu_program "")
set(gpu_objects "")
if(TARGET bankproof_gpu)
  set(gpu_program "$<TARGET_FILE:bankproof_gpu>")
  set(gpu_objects "$<JOIN:$<TARGET_OBJECTS:bankproof_gpu_kernels>,:>")
endif()
# These tests run scripts on made-up trees and use no C++ of this tree: `ci/check --quick` does not
# run them after a change in C++ (ci/concerned.py).
set(of_scripts bootstrap_test build_times_test changed_test compilers_test concerned_test coq_test docs_test
    fresh_test gpu_bench_test gpu_counters_test gpu_test headers_test layout_test mutants_test
    programs_test python_tests_test stage_path_test)
file(GLOB files CONFIGURE_DEPENDS "${ci}/tests/*_test.py")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WE)
  if(name IN_LIST of_scripts)
    bankproof_python_test(house.${name} "house;canary;scripts" "${file}")
  else()
    bankproof_python_test(house.${name} "house;canary" "${file}"
                          "BANKPROOF_GPU_PROGRAM=${gpu_program}"
                          "BANKPROOF_MACHINE_PROGRAM=$<TARGET_FILE:properties_cuda>")
  endif()
endforeach()
# The program for GPU machines is not built by default; ci/check builds it and runs its test.
set_property(TEST house.gpu_program_test APPEND PROPERTY LABELS gpu-program)
bankproof_tests_need_nvcc(house.gpu_program_test house.kernels_for_chips_test)
if(TARGET bankproof_program)
  set_property(TEST house.package_test house.reference_test house.ci_examples_test
               APPEND PROPERTY ENVIRONMENT "BANKPROOF_BUILD=${PROJECT_BINARY_DIR}"
                                           "BANKPROOF=$<TARGET_FILE:bankproof_program>")
  set_property(TEST house.package_test PROPERTY LABELS "house;canary;slow")
endif()
# These tests spend half a minute or more on compiling.
set_property(TEST house.adding_a_chip_test house.adding_an_algorithm_test APPEND PROPERTY LABELS slow)
# These tests install the build, and ninja then checks that it is complete. They run one at a time.
set_property(TEST house.consumer house.docs house.package_test PROPERTY RESOURCE_LOCK build)
set_property(TEST house.adding_a_chip_test house.adding_an_algorithm_test house.gpu_test
                  house.gpu_bench_test house.gpu_counters_test APPEND PROPERTY ENVIRONMENT "CXX=${CMAKE_CXX_COMPILER}")
string(JOIN " " clang_flags ${kernels_by_clang_flags})
set_property(TEST house.kernels_for_chips_test APPEND PROPERTY ENVIRONMENT
  "BANKPROOF_GPU_OBJECTS=${gpu_objects}"
  "BANKPROOF_KERNELS_BY_CLANG=${kernels_by_clang}" "BANKPROOF_EMBED=$<TARGET_FILE:bankproof_embed>"
  "BANKPROOF_CLANG_FOR_CHIPS=${BANKPROOF_CLANG_FOR_CHIPS}"
  "BANKPROOF_CLANG_FLAGS=${clang_flags}"
  "BANKPROOF_NVCC=$<$<BOOL:${BANKPROOF_NVCC}>:${BANKPROOF_NVCC}>")
# The longest tests begin first, so that none runs alone at the end.
set_tests_properties(house.adding_a_chip_test house.adding_an_algorithm_test house.consumer house.docs
                     PROPERTIES COST 100)
