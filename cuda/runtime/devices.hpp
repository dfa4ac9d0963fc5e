// The devices of the machine. They share one memory, and each host thread has a current device.
#pragma once

namespace bankproof::cuda {

/// $BANKPROOF_DEVICES, 1 to 64; 1 without it.
int device_count();
/// The device that the host thread has chosen with cudaSetDevice().
int current_device();

}  // namespace bankproof::cuda
