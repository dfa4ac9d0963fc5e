"""The Debian package, made here and tried in a root without a compiler, then with clang."""

import glob
import os
import shutil

from on_debian.root import NoRoot, output_of

INPUTS = ["examples/metis-nd-grid128x128.iperm", "examples/kernels/transpose.cu",
          "properties/golden/nvcc/transpose.ptx"]
LAUNCH = "--grid 4,4 --block 32,8 buffer:f32:128x128=iota buffer:f32:128x128 i32:128 --max-excess 0"
INSTALL = "apt-get install -y --no-install-recommends"


def made(source):
    """Builds the program and the package, in build/; returns the package's path."""
    build = os.path.join(source, "build")
    folder = os.path.join(build, "fresh", "package")
    shutil.rmtree(folder, ignore_errors=True)
    output_of([os.path.join(source, "bankproof"), "--version"])
    output_of(["cpack", "-G", "DEB", "--config", os.path.join(build, "CPackConfig.cmake"), "-B", folder])
    files = glob.glob(os.path.join(folder, "bankproof_*.deb"))
    if len(files) != 1:
        raise NoRoot(f"cpack made {len(files)} files bankproof_*.deb in {folder}, not one")
    return files[0]


def commands(root, source, file):
    """Puts the package and inputs into the root; returns the commands that try it, which have to exit
    with 0."""
    for path in [file, *(os.path.join(source, name) for name in INPUTS)]:
        shutil.copy(path, root.path("root"))
    return [
        f"apt-get update && {INSTALL} ./{os.path.basename(file)}",
        "! command -v c++ g++ cc gcc clang clang++ nvcc",
        "bankproof check metis-nd-grid128x128.iperm --max-stages 11",
        "bankproof check transpose:32x32; test $? = 1",
        "bankproof schedule bit-reversal:1024 -o plan && bankproof verify plan bit-reversal:1024",
        f"bankproof kernel transpose.ptx --kernel transpose_padded {LAUNCH}",
        f"bankproof kernel transpose.ptx --kernel transpose_plain {LAUNCH}; test $? = 1",
        f"{INSTALL} clang",
        f"bankproof kernel transpose.cu --kernel transpose_padded {LAUNCH}",
    ]
