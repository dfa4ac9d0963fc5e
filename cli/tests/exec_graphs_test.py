"""Graphs that whole programs build, conditional nodes, and programs of several devices."""

import unittest

from exec_support import CAN_BUILD, FINDING, Programs
from program import CLEAN, needs

COMPILER = "a compiler of CUDA"

GRAPH = """#include <cstdio>
#include <cuda_runtime.h>
__global__ void scale(float* a, float by) { a[threadIdx.x] *= by; }
int main(int argc, char** argv) {
  float* a = nullptr;
  float numbers[64];
  cudaMalloc(&a, sizeof numbers);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t fill, kernel, copy;
  cudaGraphCreate(&graph, 0);
  cudaMemsetParams filled = {a, sizeof numbers, 0x3f800000, 4, 64, 1};
  cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &filled);
  float by = 3;
  void* arguments[] = {&a, &by};
  cudaKernelNodeParams launched = {(void*)scale, dim3(1), dim3(64), 0, arguments, nullptr};
  cudaGraphAddKernelNode(&kernel, graph, &fill, argc > 1 ? 0 : 1, &launched);
  cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, numbers, a, sizeof numbers, cudaMemcpyDeviceToHost);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, 0);
  cudaStreamSynchronize(0);
  std::printf("%g\\n", numbers[63]);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaFree(a);
}
"""

LOOP = """#include <cstdio>
#include <cuda_runtime.h>
__global__ void step(int* n, cudaGraphConditionalHandle handle) {
  *n -= 1;
  cudaGraphSetConditional(handle, *n > 0);
}
int main() {
  int* n = nullptr;
  int start = 5, left = -1;
  cudaMalloc(&n, 4);
  cudaMemcpy(n, &start, 4, cudaMemcpyHostToDevice);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t node, inner;
  cudaGraphConditionalHandle handle;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams of = {};
  of.type = cudaGraphNodeTypeConditional;
  of.conditional.handle = handle;
  of.conditional.type = cudaGraphCondTypeWhile;
  of.conditional.size = 1;
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &of);
  void* arguments[] = {&n, &handle};
  cudaKernelNodeParams launched = {(void*)step, dim3(1), dim3(1), 0, arguments, nullptr};
  cudaGraphAddKernelNode(&inner, of.conditional.phGraph_out[0], nullptr, 0, &launched);
  cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
  cudaGraphLaunch(executable, 0);
  cudaMemcpy(&left, n, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", left);
  cudaFree(n);
}
"""

PEERS = """#include <cstdio>
#include <cuda_runtime.h>
__global__ void add(int* a, const int* b) { a[threadIdx.x] += b[threadIdx.x]; }
int main(int argc, char**) {
  int *a = nullptr, *b = nullptr, can = 0, numbers[64];
  cudaSetDevice(1);
  cudaMalloc(&b, 256);
  cudaMemset(b, 1, 256);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  cudaMalloc(&a, 256);
  cudaMemcpyPeer(a, 0, b, 1, 256);
  cudaDeviceCanAccessPeer(&can, 0, 1);
  if (argc > 1) cudaDeviceEnablePeerAccess(1, 0);
  add<<<1, 64>>>(a, b);
  std::printf("%d %s\\n", can, cudaGetErrorName(cudaDeviceSynchronize() ? cudaErrorUnknown : cudaGetLastError()));
  cudaMemcpy(numbers, a, 256, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", numbers[0]);
  cudaSetDevice(1);
  MORE
  cudaFree(a);
  cudaFree(b);
}
"""


class Graphs(Programs):
    @needs(CAN_BUILD, COMPILER)
    def test_edges_order_nodes(self):
        program = self.build(GRAPH)
        code, output, report = self.exec(program)
        self.assertEqual((code, output), (CLEAN, "3\n"), report)
        code, _, report = self.exec(program, "without")
        self.assertEqual(code, FINDING, report)
        self.assertRegex(report, r"part0\.cu:17: race: scale\(float\*, float\) in a graph \w+ 256 bytes from byte "
                                 r"0 of the allocation of \S*part0\.cu:7, and is not ordered with cudaMemset "
                                 r"in a graph at \S*part0\.cu:13, which writes them")

    @needs(CAN_BUILD, COMPILER)
    def test_loops_of_conditional_nodes(self):
        program = self.build(LOOP)
        for options in ([], ["--schedule", "3"]):
            code, output, report = self.exec(program, options=options)
            self.assertEqual((code, output), (CLEAN, "0\n"), report)
            self.assertIn("5 launches checked", report)

    @needs(CAN_BUILD, COMPILER)
    def test_another_schedule_performs_nodes_in_another_order(self):
        program = self.build(GRAPH)
        outputs = {self.exec(program, "without", options=["--schedule", str(seed)])[1] for seed in range(1, 9)}
        self.assertIn("3\n", outputs)
        self.assertGreater(len(outputs), 1, outputs)


class Devices(Programs):
    @needs(CAN_BUILD, COMPILER)
    def test_access_to_the_memory_of_another_device(self):
        program = self.build(PEERS.replace("MORE", ""))
        code, output, report = self.exec(program, options=["--devices", "2"])
        self.assertEqual(code, FINDING, report)
        self.assertIn("1 cudaErrorIllegalAddress\n", output)
        self.assertRegex(report, r"part0\.cu:15: out_of_bounds: add\(int\*, int const\*\) runs on device 0 and "
                                 r"accesses the allocation of \S*part0\.cu:7, which is of device 1")
        code, output, report = self.exec(program, "enabled", options=["--devices", "2"])
        self.assertEqual((code, output), (CLEAN, f"1 cudaSuccess\n{2 * 0x01010101}\n"), report)

    @needs(CAN_BUILD, COMPILER)
    def test_every_device_reaches_every_pool(self):
        program = self.build(PEERS.replace("MORE", "").replace("cudaMalloc(&b, 256)", "cudaMallocAsync(&b, 256, 0)"))
        code, output, report = self.exec(program, options=["--devices", "2"])
        self.assertEqual((code, output), (CLEAN, f"1 cudaSuccess\n{2 * 0x01010101}\n"), report)

    @needs(CAN_BUILD, COMPILER)
    def test_streams_of_two_devices_are_not_ordered(self):
        program = self.build(PEERS.replace("MORE", """
  cudaDeviceEnablePeerAccess(0, 0);
  cudaMemset(b, 0, 256);
  cudaSetDevice(0);
  add<<<1, 64>>>(a, b);
  cudaDeviceSynchronize();"""))
        code, _, report = self.exec(program, "enabled", options=["--devices", "2"])
        self.assertEqual(code, FINDING, report)
        self.assertRegex(report, r"part0\.cu:24: race: add.* is not ordered with cudaMemset at \S*part0\.cu:22")


if __name__ == "__main__":
    unittest.main()
