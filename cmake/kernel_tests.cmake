# Tests of CUDA kernels, without a GPU: bankproof_add_kernel_test runs one, bankproof_prove_kernel
# proves claims about one.
#
# bankproof_add_kernel_test: a test that runs a CUDA kernel on the reference machine, without a GPU.
# The test fails if the kernel has a fault, such as a race or an access outside of its buffers, or
# more conflicts than allowed.
#
#   bankproof_add_kernel_test(transpose_is_clean
#     FILE transpose.cu KERNEL transpose<32> GRID 32,32 BLOCK 32,8
#     ARGUMENTS buffer:f32:1024x1024 buffer:f32:1024x1024=iota i32:1024
#     MAX_EXCESS 0)
#
# LAUNCH launches.json may replace KERNEL, GRID, BLOCK, SHARED and ARGUMENTS. Further options:
# MACHINE name, MAX_SHARED_EXCESS number, MAX_GLOBAL_EXCESS number, MAX_INSTRUCTIONS number,
# RESIDENT number, SCHEDULE number, SYMBOLS name=f32:16=iota…, FAIL_ON kinds, SUPPRESS file, HTML
# file, COMPILER name, COMPILE_OPTIONS flag…, LABELS label…. `bankproof kernel --help` explains
# them. Files, and folders after -I, are relative to the current source folder; HTML is relative to
# the current binary folder.
# Stops with a message about a call's words that cmake_parse_arguments has found to be wrong.
macro(bankproof_check_kernel_words call)
  if(test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: unknown: ${test_UNPARSED_ARGUMENTS}")
  endif()
  if(test_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${call}: no value of ${test_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT test_FILE)
    message(FATAL_ERROR "${call}: FILE is missing")
  endif()
  if(NOT TARGET bankproof::program)
    message(FATAL_ERROR "${call}: bankproof was built without its program, which runs the test")
  endif()
endmacro()

# The options whose values go to the program unchanged, as its words: --max-excess 0.
macro(bankproof_plain_words words)
  set(${words} "")
  foreach(option ${ARGN})
    if(DEFINED test_${option})
      string(TOLOWER "--${option}" flag)
      string(REPLACE "_" "-" flag "${flag}")
      list(APPEND ${words} "${flag}" "${test_${option}}")
    endif()
  endforeach()
endmacro()

function(bankproof_add_kernel_test name)
  # Options whose values go to the program unchanged.
  set(plain KERNEL GRID BLOCK SHARED MACHINE FAIL_ON MAX_EXCESS MAX_SHARED_EXCESS MAX_GLOBAL_EXCESS
            MAX_INSTRUCTIONS RESIDENT SCHEDULE COMPILER)
  set(single ${plain} FILE LAUNCH SUPPRESS HTML)
  set(several ARGUMENTS SYMBOLS COMPILE_OPTIONS LABELS)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "${single}" "${several}")
  bankproof_check_kernel_words("bankproof_add_kernel_test(${name})")

  bankproof_plain_words(words ${plain})
  foreach(option IN ITEMS LAUNCH SUPPRESS)
    if(DEFINED test_${option})
      string(TOLOWER "--${option}" flag)
      cmake_path(ABSOLUTE_PATH test_${option} BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
      list(APPEND words "${flag}" "${test_${option}}")
    endif()
  endforeach()
  foreach(symbol IN LISTS test_SYMBOLS)
    list(APPEND words --symbol "${symbol}")
  endforeach()
  if(DEFINED test_HTML)
    cmake_path(ABSOLUTE_PATH test_HTML BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    list(APPEND words --html "${test_HTML}")
  endif()
  if(test_COMPILE_OPTIONS)
    list(APPEND test_ARGUMENTS -- ${test_COMPILE_OPTIONS})
  endif()
  cmake_path(ABSOLUTE_PATH test_FILE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  add_test(NAME ${name} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
           COMMAND bankproof::program kernel "${test_FILE}" ${words} ${test_ARGUMENTS})
  if(test_LABELS)
    set_tests_properties(${name} PROPERTIES LABELS "${test_LABELS}")
  endif()
endfunction()

# bankproof_prove_kernel: a test that proves claims about a kernel, for all inputs. It fails if a claim
# is refuted or stays open.
#
#   bankproof_prove_kernel(NAME transpose_has_no_conflicts
#     FILE transpose.cu KERNEL transpose_swizzled CLAIMS race bounds banks
#     BLOCK 32,8 WHERE "n == 32 * gridDim.x" "n <= 32768" BUFFERS in=n*n out=n*n)
#
# Further options: GRID shape, SHARED bytes, SYMBOLS variable…, ADDRESSES line=formula…, FOR name=first..last…,
# ALLOW_UNKNOWN, COMPILER name, COMPILE_OPTIONS flag…, LABELS label…. Without CLAIMS, all are asked.
# `bankproof prove --help` explains them. Files, and folders after -I, are relative to the current
# source folder.
function(bankproof_prove_kernel)
  set(plain GRID BLOCK SHARED COMPILER)
  set(repeated WHERE BUFFERS SYMBOLS ADDRESSES FOR COMPILE_OPTIONS)
  cmake_parse_arguments(PARSE_ARGV 0 test "ALLOW_UNKNOWN" "NAME;FILE;KERNEL;${plain}"
                        "CLAIMS;LABELS;${repeated}")
  if(NOT test_NAME)
    message(FATAL_ERROR "bankproof_prove_kernel: NAME is missing")
  endif()
  bankproof_check_kernel_words("bankproof_prove_kernel(${test_NAME})")

  bankproof_plain_words(words ${plain})
  set(flags --where --buffer --symbol --address --for --compile-option)
  foreach(option flag IN ZIP_LISTS repeated flags)
    foreach(value IN LISTS test_${option})
      list(APPEND words "${flag}=${value}")
    endforeach()
  endforeach()
  if(test_CLAIMS)
    list(JOIN test_CLAIMS "," claims)
    list(APPEND words --claim "${claims}")
  endif()
  if(test_ALLOW_UNKNOWN)
    list(APPEND words --allow-unknown)
  endif()
  cmake_path(ABSOLUTE_PATH test_FILE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  add_test(NAME ${test_NAME} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
           COMMAND bankproof::program prove --kernel "${test_FILE}" ${test_KERNEL} ${words})
  if(test_LABELS)
    set_tests_properties(${test_NAME} PROPERTIES LABELS "${test_LABELS}")
  endif()
endfunction()
