// A launch by one lane: its parameter buffer, its checks, and the work that it enqueues.
#pragma once

#include <cstdint>
#include <string>

#include "device_work.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

struct ChildLaunch {
  std::uint32_t site = no_site;
  std::uint64_t kernel = 0;  // the address; 0: not known yet
  LaunchShape shape;
};

/// What the lane has to do with the device's runtime.
DeviceThread& thread_of(Warp& warp, std::uint32_t lane);

/// The lane's call at this site fails. Returns the error.
DeviceError fail_call(Warp& warp, std::uint32_t lane, std::uint32_t site, DeviceError error,
                      const std::string& why);

/// The address of a parameter buffer for this launch; null if it fails. Throws Error for a kernel
/// that the machine cannot run.
std::uint64_t take_buffer(Warp& warp, std::uint32_t lane, const ChildLaunch& launch);

/// The buffer that the lane has at the address; null if it has none there.
const DeviceThread::Buffer* buffer_at(Warp& warp, std::uint32_t lane, std::uint64_t address);

/// Enqueues the launch with the parameters at `buffer`, which is then free again. Throws Error.
DeviceError launch_child(Warp& warp, std::uint32_t lane, const ChildLaunch& launch,
                         std::uint64_t buffer, std::uint64_t stream, bool per_thread);

/// Must be called after the launches of these lanes: what the warp does next, its children do not
/// know.
void end_launches(Warp& warp, LaneMask lanes);

}  // namespace bankproof::ptx
