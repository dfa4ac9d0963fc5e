"""Programs that use CUDA's driver API run under `bankproof exec` as they are: launches, findings, bad input,
both APIs in one program, and the ways in which programs find the driver.
"""

import os
import re
import unittest

from driver_support import BEGIN, READY, SHOW, DriverPrograms
from exec_support import FINDING, FLAGS, NVCC
from program import CLEAN


class Driver(DriverPrograms):
    def clean(self, text, *libraries, output, options=()):
        code, printed, report = self.exec(self.program(text, *libraries), options=options)
        self.assertEqual((code, printed), (CLEAN, output), report)
        return report

    def found(self, text, *libraries, options=(), options_of_compiler=()):
        """The findings of a program, as {line: kind}, and its report."""
        program = self.program(text, *libraries, options=options_of_compiler)
        code, _, report = self.exec(program, options=options)
        self.assertEqual(code, FINDING, report)
        return dict(re.findall(r"main\.cpp:(\d+): (\w+): ", report)), report

    def test_launches(self):
        report = self.clean(READY + """
  TRY(launch());
  show_words();
  struct { CUdeviceptr a; unsigned count; } block = {a, 1};
  size_t size = 12;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  TRY(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  show_words();
  CUlaunchConfig configuration = {};
  configuration.gridDimX = configuration.gridDimY = configuration.gridDimZ = 1;
  configuration.blockDimX = 64;
  configuration.blockDimY = configuration.blockDimZ = 1;
  TRY(cuLaunchKernelEx(&configuration, kernel, arguments, nullptr));
  show_words();
  TRY(cuMemFree(a));
""", output="5 194\n20 194\n65 587\n", options=["--leak-check", "full"])
        self.assertIn("3 launches checked on hmm: no finding", report)

    def test_variables(self):
        self.clean(READY + """
  CUdeviceptr variable;
  size_t bytes;
  TRY(cuModuleGetGlobal(&variable, &bytes, module, "factor"));
  TRY(cuMemsetD32(variable, 7, 1));
  TRY(launch());
  show_words();
  TRY(cuModuleGetGlobal(&variable, &bytes, module, "shift"));
  std::printf("%zu\\n", bytes);
  unsigned shift = 100;
  TRY(cuMemcpyHtoD(variable, &shift, 4));
  TRY(launch());
  show_words();
""", output="5 446\n4\n135 3222\n")

    def test_what_calls_do_wrong(self):
        text = READY + """
  TRY(launch());
  TRY(cuMemcpyDtoH(words.data(), a, 260));  // beyond
  TRY(cuMemFree(a));  // first
  TRY(cuMemsetD8(a, 0, 8));  // after
  TRY(cuMemFree(a));  // again
  CUdeviceptr lost;
  TRY(cuMemAlloc(&lost, 16));  // lost
  CUstream none = nullptr;
  cuStreamDestroy(none);  // unlooked
"""
        places, report = self.found(text, options=["--leak-check", "full"])
        self.assertEqual(places, {str(self.line(text, part)): kind for part, kind in (
            ("// beyond", "invalid_copy"), ("// after", "use_after_free"), ("// again", "double_free"),
            ("// lost", "leak"), ("// unlooked", "unchecked_error"))}, report)
        self.assertRegex(report, r"cuMemFree of 0x\w+, which was freed at \S*main\.cpp:" +
                         str(self.line(text, "// first")))
        self.assertRegex(report, r"cuMemcpyDtoH from 0x\w+: 260 bytes from byte 0")
        self.assertRegex(report, r"cuMemsetD8 of 0x\w+, which was freed at")

    def test_streams_that_nothing_orders(self):
        text = READY + """
  CUstream stream;
  CUevent event;
  TRY(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  TRY(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  TRY(cuMemsetD32Async(a, 1, 64, nullptr));  // fill
  TRY(cuEventRecord(event, nullptr));
  if (argc > 1) TRY(cuStreamWaitEvent(stream, event, 0));
  TRY(launch(stream));  // later
  TRY(cuCtxSynchronize());
  show_words();
"""
        lines = {str(self.line(text, "auto launch") + 1), str(self.line(text, "// fill"))}
        for options in ([], ["--schedule", "3"]):  # with a schedule, either may be performed first
            places, report = self.found(text, options=options)
            self.assertEqual(set(places.values()), {"race"}, report)
            self.assertLessEqual(set(places), lines, report)
            self.assertRegex(report, r"race: \w+ \w+ 256 bytes from byte 0 .*, and is not ordered with")
            self.assertIn("cuMemsetD32Async", report)
        self.assertEqual(self.exec(self.program(text), "ordered")[:2], (CLEAN, "8 8\n"))

    def test_default_streams_of_threads(self):
        text = "#include <thread>\n" + READY + """
  auto work = [&] {
    TRY(cuCtxSetCurrent(context));
    TRY(launch());  // here
    TRY(cuMemsetD32Async(b, 1, 64, 0));  // there
    if (argc > 1) TRY(cuStreamSynchronize(0));
  };
  std::thread(work).join();
  work();
  TRY(cuStreamSynchronize(0));
"""
        text = text.replace("CUdeviceptr a;", "CUdeviceptr a, b;").replace(
            "std::vector", "TRY(cuMemAlloc(&b, 256));\n  TRY(cuCtxSynchronize());\n  std::vector", 1)
        options = ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"]
        places, report = self.found(text, options_of_compiler=options)
        lines = {str(self.line(text, "return cuLaunchKernel")), str(self.line(text, "// there"))}
        self.assertEqual(places, dict.fromkeys(lines, "race"), report)
        self.assertIn("cuMemsetD32Async", report)
        code, _, report = self.exec(os.path.join(self.folder, "program"), "waits")
        self.assertEqual(code, CLEAN, report)
        self.clean(text, output="")

    def test_nodes_of_a_graph_that_no_edge_orders(self):
        text = READY + """
  CUgraph graph;
  CUgraphNode fill, work;
  CUgraphExec executable;
  TRY(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS zeros = {a, 256, 0, 4, 64, 1};
  TRY(cuGraphAddMemsetNode(&fill, graph, 0, 0, &zeros, context));  // fill
  CUDA_KERNEL_NODE_PARAMS node = {kernel, 1, 1, 1, 64, 1, 1, 0, arguments, 0, 0, 0};
  TRY(cuGraphAddKernelNode(&work, graph, &fill, argc > 1 ? 1 : 0, &node));  // kernel
  TRY(cuGraphInstantiate(&executable, graph, 0));
  TRY(cuGraphLaunch(executable, 0));  // launch
  TRY(cuStreamSynchronize(0));
  show_words();
"""
        places, report = self.found(text)
        self.assertEqual(list(places.values()), ["race"], report)
        for part in ("// fill", "// kernel"):
            self.assertIn(f"main.cpp:{self.line(text, part)}", report)
        self.assertEqual(self.exec(os.path.join(self.folder, "program"), "ordered")[:2], (CLEAN, "5 5\n"))

    def test_ptx_that_cannot_be_read(self):
        text = BEGIN + r"""int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  TRY(cuInit(0));
  TRY(cuDeviceGet(&device, 0));
  TRY(cuCtxCreate(&context, 0, device));
  char log[200] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  const char* const bad = ".version 7.5\n.target sm_80\n.address_size 64\n.visible .entry k() {\n  mov.u32 %r1 %r2;\n}\n";
  show({cuModuleLoadDataEx(&module, bad, 2, options, values)});
  std::printf("%s\n%d\n", log, (size_t)values[1] == std::strlen(log));
  char small[8] = "";
  values[0] = small;
  values[1] = (void*)sizeof small;
  show({cuModuleLoadDataEx(&module, bad, 2, options, values), (int)std::strlen(small)});
  show({cuModuleLoadData(&module, "\x7f" "ELF"), cuModuleLoadData(&module, "")});
  show({cuModuleLoad(&module, "/nowhere/k.ptx")});
  const unsigned broken[] = {0xba55ed50, 0x00100001, 0xffffffff, 0xffffffff};
  show({cuModuleLoadData(&module, broken)});
"""
        code, output, report = self.exec(self.program(text))
        self.assertNotEqual(code, CLEAN, report)
        self.assertRegex(output, r"^218\n.*, image 1:5:\d+\n1\n218 7\n209 218\n301\n200\n$")
        self.assertIn("cuModuleLoadDataEx: ", report)

    def test_names_and_handles_that_do_not_exist(self):
        output = self.exec(self.program(READY + """
  CUfunction other;
  CUdeviceptr variable;
  CUstream stream;
  show({cuModuleGetFunction(&other, module, "scal"), cuModuleGetGlobal(&variable, 0, module, "x")});
  show({cuModuleGetFunction(nullptr, module, "scale"), cuModuleGetFunction(&other, module, 0)});
  show({cuModuleGetFunction(&other, nullptr, "x"), cuModuleGetFunction(&other, (CUmodule)&a, "x")});
  TRY(cuStreamCreate(&stream, 0));
  TRY(cuStreamDestroy(stream));
  show({launch(stream), cuStreamSynchronize(stream), cuStreamDestroy(stream)});
  show({cuLaunchKernel((CUfunction)&a, 1, 1, 1, 64, 1, 1, 0, 0, arguments, 0)});
  show({cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, 0, 0, 0)});
  show({cuLaunchKernel(kernel, 1, 1, 1, 2000, 1, 1, 0, 0, arguments, 0)});
  struct { CUdeviceptr a; } block = {a};
  size_t size = sizeof block;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  show({cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, 0, 0, extra)});
  show({cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, 0, arguments, extra)});
  TRY(launch());
  TRY(cuModuleUnload(module));
  show({launch(), cuModuleUnload(module)});
  show({cuMemAlloc(&a, 0), cuMemAlloc(nullptr, 4)});
  TRY(cuCtxDestroy(context));
  show({cuMemFree(a), cuCtxSetCurrent(context), cuCtxDestroy(context)});
"""))[1]
        self.assertEqual(output, "500 500\n1 1\n400 400\n400 400 400\n400\n1\n1\n1\n1\n400 400\n1 1\n201 201 201\n")

    def test_both_apis(self):
        report = self.clean("#include <cuda_runtime_api.h>\n" + BEGIN + """int main() {
  unsigned* a = nullptr;
  unsigned count = 2, words[2] = {1, 2};
  cudaMalloc(&a, 8);  // makes the primary context current
  cudaMemcpy(a, words, 8, cudaMemcpyHostToDevice);
  CUcontext current, primary;
  CUmodule module;
  CUfunction kernel;
  CUstream stream;
  TRY(cuCtxGetCurrent(&current));
  TRY(cuDevicePrimaryCtxRetain(&primary, 0));
  TRY(cuModuleLoadData(&module, scale));
  TRY(cuModuleGetFunction(&kernel, module, "scale"));
  TRY(cuStreamCreate(&stream, 0));
  void* arguments[] = {&a, &count};
  TRY(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  cudaStreamSynchronize(stream);
  TRY(cuMemcpyDtoH(words, (CUdeviceptr)a, 8));
  std::printf("%d %u %u\\n", current == primary, words[0], words[1]);
  // A kernel of a module, launched by the runtime.
  cudaLaunchKernel((const void*)kernel, dim3(1), dim3(32), arguments, 0, stream);
  TRY(cuStreamSynchronize(stream));
  cudaMemcpy(words, a, 8, cudaMemcpyDeviceToHost);
  cudaStreamDestroy(stream);
  std::printf("%u %u %d\\n", words[0], words[1], cuStreamDestroy(stream));
  const char* name;
  cuGetErrorName(CUDA_ERROR_INVALID_HANDLE, &name);
  std::printf("%d\\n", cudaGetLastError());
  TRY(cuMemFree((CUdeviceptr)a));
""", "libcuda.so.1", "libcudart.so.13", output="1 8 11\n29 38 400\n0\n", options=["--leak-check", "full"])
        self.assertIn("2 launches checked", report)

    def test_a_driver_that_is_loaded_by_its_name(self):
        self.clean("#include <cuda_runtime_api.h>\n#include <dlfcn.h>\n" + SHOW + r"""
int main() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) return std::printf("%s\n", dlerror());
  auto get = (decltype(&cuGetProcAddress_v2))dlsym(library, "cuGetProcAddress_v2");
  CUdriverProcAddressQueryResult status;
  void *now = nullptr, *then = nullptr, *none = &now, *by_runtime = nullptr;
  show({get("cuMemAlloc", &now, 12000, 0, &status), status});
  show({get("cuMemAlloc", &then, 3010, 0, nullptr), now != then});
  show({get("cuNothing", &none, 12000, 0, &status), status});
  show({none == nullptr, get("cuInit", &none, 99000, 0, 0)});
  const char* text;
  ((decltype(&cuGetErrorName))dlsym(library, "cuGetErrorName"))(CUDA_ERROR_INVALID_VALUE, &text);
  auto entry = (decltype(&cudaGetDriverEntryPoint))dlsym(RTLD_DEFAULT, "cudaGetDriverEntryPoint");
  if (entry == nullptr) entry = (decltype(entry))dlsym(library, "cudaGetDriverEntryPoint");
  cudaDriverEntryPointQueryResult found;
  show({entry("cuMemAlloc", &by_runtime, 0, &found), found});
  show({by_runtime == now});
  void* init = nullptr;
  get("cuInit", &init, 12000, 0, nullptr);
  auto context = (decltype(&cuDevicePrimaryCtxRetain))dlsym(library, "cuDevicePrimaryCtxRetain");
  auto set = (decltype(&cuCtxSetCurrent))dlsym(library, "cuCtxSetCurrent");
  auto load = (decltype(&cuModuleLoadData))dlsym(library, "cuModuleLoadData");
  auto find = (decltype(&cuModuleGetFunction))dlsym(library, "cuModuleGetFunction");
  auto launch = (decltype(&cuLaunchKernel))dlsym(library, "cuLaunchKernel");
  CUcontext primary;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr a = 0;
  show({((decltype(&cuInit))init)(0), context(&primary, 0), set(primary), ((decltype(&cuMemAlloc_v2))now)(&a, 4),
        load(&module, ".version 7.5\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }"),
        find(&kernel, module, "k"), launch(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr)});
  return 0;
""", "libc.so.6", output="0 0\n0 1\n0 1\n1 1\n0 0\n1\n0 0 0 0 0 0 0\n")

    def test_functions_that_are_refused(self):
        code, output, report = self.exec(self.program(READY + """
  TRY(launch());
  extern CUresult refused() __asm__("cuTexRefCreate");
  std::printf("%d\\n", refused());
"""))
        self.assertEqual((code, output), (FINDING, "801\n"), report)
        self.assertIn("cuTexRefCreate fails here: references to textures and surfaces are not modelled", report)

    def test_files_of_modules(self):
        path = self.file("k.ptx", ".version 7.5\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n")
        self.file("bad.ptx", ".version 7.5\n.target sm_80\nnonsense\n")
        self.file("cut.fatbin", b"\x50\xed\x55\xba\x01\x00\x10\x00\x00\x01\x00\x00\x00\x00\x00\x00")
        code, output, report = self.exec(self.program(READY + f"""
  CUmodule file;
  CUlibrary library;
  CUkernel of_library;
  CUfunction function;
  unsigned number = 0;
  const char* name = "";
  TRY(cuModuleLoad(&file, "{path}"));
  TRY(cuModuleGetFunctionCount(&number, file));
  TRY(cuModuleEnumerateFunctions(&function, 1, file));
  TRY(cuFuncGetName(&name, function));
  TRY(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0));
  std::printf("%u %s\\n", number, name);
  TRY(cuLibraryLoadFromFile(&library, "{path}", 0, 0, 0, 0, 0, 0));
  TRY(cuLibraryGetKernel(&of_library, library, "k"));
  TRY(cuKernelGetFunction(&function, of_library));
  TRY(cuLaunchKernel((CUfunction)of_library, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0));
  TRY(cuLibraryGetModule(&file, library));
  show({{cuModuleUnload(file)}});
  TRY(cuLibraryUnload(library));
  show({{cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0), cuLibraryUnload(library)}});
  show({{cuModuleLoad(&file, "{self.folder}/bad.ptx")}});
  show({{cuModuleLoad(&file, "{self.folder}/cut.fatbin")}});
"""))
        self.assertEqual((code, output), (FINDING, "1 k\n400\n400 400\n218\n200\n"), report)
        self.assertRegex(report, re.escape(os.path.join(self.folder, "bad.ptx")) + r":3:\d+")


class ProgramsOfNvcc(DriverPrograms):
    def test_modules_are_fat_binaries(self):
        text = """#include <cuda.h>
#include <cstdio>
extern "C" __global__ void twice(int* a) { a[threadIdx.x] *= 2; }
__managed__ int managed[2] = {10, 20};
int main(int, char** words) {
  int* a = nullptr;
  cudaMallocManaged(&a, 8);
  a[0] = 1;
  a[1] = 2;
  cudaFunction_t own;
  cudaGetFuncBySymbol(&own, (const void*)twice);
  void* arguments[] = {&a};
  std::printf("%d", cuLaunchKernel((CUfunction)own, 1, 1, 1, 2, 1, 1, 0, nullptr, arguments, nullptr));
  cudaDeviceSynchronize();
  CUmodule module;
  CUfunction loaded;
  CUdeviceptr place;
  size_t bytes;
  const CUresult result = cuModuleLoad(&module, words[1]);
  std::printf("%d", result);
  if (result != CUDA_SUCCESS) return 0;
  std::printf("%d", cuModuleGetFunction(&loaded, module, "twice"));
  std::printf("%d", cuLaunchKernel(loaded, 1, 1, 1, 2, 1, 1, 0, nullptr, arguments, nullptr));
  std::printf("%d", cuModuleGetGlobal(&place, &bytes, module, "managed"));
  std::printf("%d", cuCtxSynchronize());
  std::printf(" %d %d %d %zu\\n", a[0], a[1], ((int*)place)[1], bytes);
  cudaFree(a);
}
"""
        source = self.file("main.cu", text)
        program, image = os.path.join(self.folder, "program"), os.path.join(self.folder, "main.fatbin")
        self.do([NVCC, *FLAGS, source, "-lcuda", "-o", program])
        self.do([NVCC, "-fatbin", "-gencode", "arch=compute_80,code=compute_80", source, "-o", image])
        code, output, report = self.exec(program, image)
        self.assertEqual((code, output), (CLEAN, "000000 4 8 20 8\n"), report)
        self.do([NVCC, "-fatbin", "-gencode", "arch=compute_80,code=sm_80", source, "-o", image])
        code, output, report = self.exec(program, image)
        self.assertTrue(output.startswith("0209"), output)
        self.assertIn("the program embeds machine code for sm_80", report)


if not NVCC:
    del ProgramsOfNvcc  # only nvcc makes fat binaries


if __name__ == "__main__":
    unittest.main()
