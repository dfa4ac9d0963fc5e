# shellcheck shell=bash
# The functions that ./bankproof and the scripts of ci/ share: they install packages and build.
#
# The caller sets `root` to the folder of the tree and sources this file. Messages go to stderr. A
# failure here ends the script with exit 3: it is never a finding about the user's input.
me=${me:-bankproof}
log=${root:?}/build/set-up.log
trap 'status=$?; ((status == 0 || status > 128)) || exit 3' EXIT

say() { printf '%s: %s\n' "$me" "$*" >&2; }

fail() {
  say "$@"
  exit 3
}

# Shows the end of the log and fails.
failed_by_log() {
  tail -n 300 -- "$log" >&2
  return 1
}

# Runs a command with its output in the log. If it fails, shows the end of the log.
logged() { "$@" >"$log" 2>&1 9>&- || failed_by_log; }

# Copies ninja's output, and reports progress at the first file and at each further tenth. Builds of
# less than ten files are not reported.
tell_progress() {
  local line total=0 tenth=-1 tenths
  while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ ! $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || ((BASH_REMATCH[2] < 10)); then continue; fi
    if ((total != BASH_REMATCH[2])); then total=${BASH_REMATCH[2]} tenth=-1; fi
    tenths=$((10 * BASH_REMATCH[1] / total))
    if ((tenths > tenth)); then
      tenth=$tenths
      say "built ${BASH_REMATCH[1]} of $total files"
    fi
  done
}

# Runs a build command. On a terminal the command shows its own progress; otherwise its output goes
# to the log.
shown() {
  if [[ -t 2 ]]; then
    "$@" >&2 9>&-
  else
    "$@" 2>&1 9>&- | tell_progress >"$log" || failed_by_log
  fi
}

# Takes the lock on build/ for the rest of this shell, so that two calls do not build at the same
# time.
lock_build() {
  mkdir -p -- "$root/build" 2>/dev/null || true
  [[ -w $root/build ]] || fail "cannot write to $root/build, where the build goes"
  exec 9>"$root/build/.lock"
  command -v flock >/dev/null || return 0
  flock -n 9 && return
  say "waiting for another build in $root/build"
  flock 9
}

# Sets `missing` and `reasons` to the rows of packages.txt, up to a stage, that are not installed.
find_missing() {
  local installed names stage why name found
  missing=() reasons=()
  installed=" $(dpkg-query -W -f '${db:Status-Status}/${Package} ' 2>/dev/null || true)"
  while read -r names stage why; do
    case "$stage/$1" in
      run/* | test/test | test/check | check/check | coq/coq | */thorough) ;;
      *) continue ;;
    esac
    found=
    for name in ${names//|/ }; do
      if [[ $installed == *" installed/$name "* ]]; then found=yes; fi
    done
    if [[ ! $found ]]; then
      missing+=("$names")
      reasons+=("$why")
    fi
  done < <(grep -v '^#' -- "$root/ci/packages.txt")
}

# Prints the first of a row's package names that apt offers, or the row's first name if apt offers
# none.
offered() {
  local name
  for name in ${1//|/ }; do
    if apt-cache policy "$name" 2>/dev/null | grep -q 'Candidate: [^(]'; then
      printf '%s\n' "$name"
      return
    fi
  done
  printf '%s\n' "${1%%|*}"
}

# Installs the missing packages of a stage.
install_packages() {
  local missing reasons i as_root=() apt wanted=()
  find_missing "$1"
  if ((${#missing[@]} == 0)) || [[ ${BANKPROOF_NO_INSTALL:-} ]]; then return 0; fi
  say "these packages are missing:"
  for i in "${!missing[@]}"; do
    printf '  %-20s %s\n' "${missing[i]//|/ or }" "${reasons[i]}" >&2
  done
  command -v apt-get >/dev/null || fail "there is no apt-get to install them with; install them," \
    "or set BANKPROOF_NO_INSTALL=1 if they are here under other names"
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "only root can install them, and there is no sudo: apt-get install ${missing[*]%%|*}"
    as_root=(sudo)
  fi
  say "installing them with apt-get"
  apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
    -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0)
  logged "${apt[@]}" update || say "apt-get update fails; trying with the lists as they are"
  for i in "${missing[@]}"; do wanted+=("$(offered "$i")"); done
  logged "${apt[@]}" install --no-install-recommends "${wanted[@]}" ||
    fail "apt-get install fails (above); the whole log is in $log"
}

# Sets `tests` to the options of a build with tests. The clang that packages.txt installs compiles
# the CUDA sources of this build, even if the machine has other compilers.
options_of_tests() {
  local clang
  clang=$(command -v clang++-16) || true
  tests=(-DBANKPROOF_TESTS=ON "-DBANKPROOF_CUDA_COMPILER=$clang")
  if [[ $clang ]]; then
    tests+=("-DBANKPROOF_CLANG=$clang" "-DBANKPROOF_CLANG_FOR_CHIPS=$clang")
  fi
}

# Tells the tests that the packages of ci/packages.txt are installed, so that no test may be skipped
# for a missing package.
expect_packages() {
  if [[ ! ${BANKPROOF_NO_INSTALL:-} ]]; then export BANKPROOF_PACKAGES=installed; fi
}

# Configures a preset into a folder, with `cmake --fresh` if the tree has moved since the last time.
configure() {
  local preset=$1 folder=$2 cache=$root/$2/CMakeCache.txt options=("${@:3}")
  if [[ -e $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" -- "$cache"; then
    options+=(--fresh)
  fi
  logged cmake -S "$root" --preset "$preset" "${options[@]}" ||
    fail "cannot configure the preset $preset into $folder (above)"
  # If the preset's compiler has changed, CMake forgets all options but the compiler.
  if grep -q 'require your cache to be deleted' -- "$log"; then
    logged cmake -S "$root" --preset "$preset" "${options[@]}" --fresh ||
      fail "cannot configure the preset $preset into $folder (above)"
  fi
}

# Builds targets of a preset's folder, or all targets if no target is named. Continues after an
# error, to show all errors.
build() {
  local folder=$1
  shown cmake --build "$root/$folder" ${2:+--target "${@:2}"} -- -k 0 ||
    fail "the build in $folder fails (above)"
}

# Builds in build/, with a preset's configuration and options: build_release OPTION… [-- TARGET…].
# For each target, or for all programs of the tool, it stores the time when the build began, so that
# a source that changes during the build counts as newer than the program.
build_release() {
  local options=() target
  while (($#)) && [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  local targets=("${@:2}")
  if [[ -f $root/build/.built ]]; then rm -- "$root/build/.built"; fi # from an earlier version
  mkdir -p -- "$root/build/.built"
  touch -- "$root/build/.building"
  configure release build "${options[@]}"
  build build "${targets[@]}"
  if ((${#targets[@]} == 0)); then
    targets=(bankproof_program bankproof_{exec,kernel,nvcc,prove,run,tables}_program)
  fi
  for target in "${targets[@]}"; do
    touch -r "$root/build/.building" -- "$root/build/.built/$target"
  done
}

# Runs the tests of a preset; further arguments go to ctest. Since some tests wait, one more test
# runs at a time than there are cores. Tests find only the programs of the packages that tests may
# use. Only tests with the label nvcc find CUDA's toolkit.
run_tests() {
  local programs=$root/build/stage/bin jobs=$(($(nproc) + 1))
  if [[ ${BANKPROOF_NO_INSTALL:-} ]]; then
    ctest --preset "$@" --parallel "$jobs"
    return
  fi
  python3 "$root/ci/stage_path.py" "$programs" run test || return 3
  env -u CUDACXX -u CUDA_PATH -u CMAKE_CXX_COMPILER_LAUNCHER CUDA_HOME="$root/build/stage/no-toolkit" \
    PATH="$programs" ctest --preset "$@" --parallel "$jobs"
}
