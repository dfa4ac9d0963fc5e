"""Asks NVIDIA's driver alone whether there is a GPU, before minutes of building in vain."""

import ctypes

from .session import CannotTell

LIBRARY = "libcuda.so.1"  # the driver's own library, which is in no toolkit
HOW_TO_MEND = ("install NVIDIA's driver and try `nvidia-smi`; a container sees GPUs where it is "
               "started with `--gpus all`; or take build-gpu/bin/bankproof-gpu to a machine with a "
               "GPU: ci/gpu --binary FILE. What would be run: ci/gpu --dry-run")


def name_of(cuda, code):
    """CUDA's own name of an error: CUDA_ERROR_NO_DEVICE."""
    name = ctypes.c_char_p()
    if cuda.cuGetErrorName(code, ctypes.byref(name)) != 0 or not name.value:
        return f"error {code}"
    return name.value.decode()


def call(cuda, function, *arguments):
    code = getattr(cuda, function)(*arguments)
    if code != 0:
        raise CannotTell(f"there is no GPU: {function} of {LIBRARY} says {name_of(cuda, code)}; "
                         + HOW_TO_MEND)


def require_gpu():
    """Throws CannotTell if the driver sees no GPU, or is missing itself."""
    try:
        cuda = ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise CannotTell(f"there is no GPU: looked for its driver's library {LIBRARY}: {error}; "
                         + HOW_TO_MEND) from error
    count = ctypes.c_int(0)
    call(cuda, "cuInit", 0)
    call(cuda, "cuDeviceGetCount", ctypes.byref(count))
    if count.value == 0:
        raise CannotTell(f"there is no GPU: cuDeviceGetCount of {LIBRARY} counts 0 "
                         f"(CUDA_VISIBLE_DEVICES hides them, too); " + HOW_TO_MEND)
