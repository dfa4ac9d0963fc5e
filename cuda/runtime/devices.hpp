// The devices of the machine. They share one memory, and each host thread has a current device.
#pragma once

namespace bankproof::cuda {

/// $BANKPROOF_DEVICES, 1 to 64; 1 without it.
int device_count();
/// The device that the host thread has chosen with cudaSetDevice().
int current_device();
/// The device has to exist.
void set_current_device(int device);

/// The host thread has used CUDA's runtime, which makes the primary context of its device current
/// unless the thread has another (CUDA Runtime API, "Initialization").
void use_runtime(bool uses = true);
bool has_used_runtime();

}  // namespace bankproof::cuda
