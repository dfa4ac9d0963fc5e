"""Contexts and devices in programs that use CUDA's driver API, under `bankproof exec`."""

import unittest

from driver_support import BEGIN, READY, DriverPrograms
from exec_support import FINDING
from program import CLEAN


class Contexts(DriverPrograms):
    def test_calls_before_cuInit_and_without_a_context(self):
        output = self.exec(self.program(BEGIN + """int main() {
  int count = 0;
  CUdeviceptr a;
  CUdevice device;
  CUcontext context = nullptr;
  show({cuDeviceGetCount(&count), cuMemAlloc(&a, 4)});
  show({cuInit(1), cuInit(0), cuDeviceGetCount(&count)});
  show({cuDeviceGet(&device, count), cuDeviceGet(&device, -1)});
  show({cuMemAlloc(&a, 4), cuCtxGetCurrent(&context)});
  show({context == nullptr, cuCtxPopCurrent(&context), cuDevicePrimaryCtxRelease(0)});
  TRY(cuDevicePrimaryCtxRetain(&context, 0));
  show({cuCtxPushCurrent(context), cuMemAlloc(&a, 4)});
  show({cuDevicePrimaryCtxRelease(0), cuMemFree(a)});
"""))[1]
        self.assertEqual(output, "3 3\n1 0 0\n101 101\n201 0\n1 201 201\n0 0\n0 709\n")

    def test_handles_of_another_device(self):
        program = self.program(READY + """
  CUcontext other;
  CUstream stream;
  TRY(launch());
  CUctxCreateParams nothing = {}, divided = {nullptr, 1, nullptr};
  show({cuCtxCreate_v4(&other, &divided, 0, 1)});
  TRY(cuCtxCreate_v4(&other, &nothing, 0, 1));
  int device_now = 0;
  TRY(cuCtxGetDevice(&device_now));
  show({device_now, launch()});
  TRY(cuStreamCreate(&stream, 0));
  TRY(cuCtxPopCurrent(nullptr));
  show({launch(stream), launch()});
  TRY(cuCtxSynchronize());
  show_words();
""")
        code, output, report = self.exec(program, options=["--devices", "2"])
        self.assertEqual(output, "801\n1 400\n400 0\n20 587\n", report)
        self.assertIn("the kernel scale was loaded in another context, of device 0", report)
        self.assertIn("the stream is of device 1, and the current context of device 0", report)

    def test_memory_of_another_device(self):
        program = self.program(READY + """
  CUcontext other;
  TRY(cuCtxCreate(&other, 0, 1));
  TRY(cuModuleLoadData(&module, scale));
  TRY(cuModuleGetFunction(&kernel, module, "scale"));
  if (argc > 1) show({cuCtxEnablePeerAccess(context, 0), cuCtxEnablePeerAccess(context, 0)});
  show({launch(), cuCtxSynchronize()});
  if (argc > 1) show({cuCtxDisablePeerAccess(context), cuCtxDisablePeerAccess(context)});
""")
        code, output, report = self.exec(program, "enabled",
                                         options=["--devices", "2", "--fail-on", "out_of_bounds"])
        self.assertEqual((code, output), (CLEAN, "0 704\n0 0\n0 705\n"), report)
        code, _, report = self.exec(program, options=["--devices", "2"])
        self.assertEqual(code, FINDING, report)
        self.assertRegex(report, r"out_of_bounds: scale runs on device 1 and accesses the allocation of \S*main.cpp")


if __name__ == "__main__":
    unittest.main()
