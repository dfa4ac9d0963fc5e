# Tests written in Python. ci/tests/python_tests_test.py includes this file alone.
find_program(BANKPROOF_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH
             DOC "The Python that Debian's packages are for")
find_program(BANKPROOF_PYTHON NAMES python3 REQUIRED)

# One test that runs a file of Python unit tests; further arguments are its environment. If some of
# the file's tests are skipped and the others pass, CTest reports the test as skipped.
function(bankproof_python_test name label file)
  get_filename_component(folder "${file}" DIRECTORY)
  get_filename_component(module "${file}" NAME_WE)
  add_test(NAME ${name} COMMAND "${BANKPROOF_PYTHON}" -m unittest -v ${module}
           WORKING_DIRECTORY "${folder}")
  set_tests_properties(${name} PROPERTIES LABELS "${label}" TIMEOUT 600
    FAIL_REGULAR_EXPRESSION "Ran 0 tests" SKIP_REGULAR_EXPRESSION "\nOK \\(skipped="
    ENVIRONMENT "BANKPROOF_SOURCE=${PROJECT_SOURCE_DIR};PYTHONDONTWRITEBYTECODE=1;${ARGN}")
endfunction()
