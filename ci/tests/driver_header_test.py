"""Compares bankproof's headers cuda.h and nvrtc.h with those of the toolkit: values of enumerators, and the
layouts of structures. A C++ compiler checks the statements that this test writes.
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = os.environ["BANKPROOF_SOURCE"]
HEADERS = os.path.join(SOURCE, "cuda", "headers")
TOOLKIT = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "include")
CXX = os.environ.get("CXX") or "c++"
STRUCTURES = ("CUctxCreateParams", "CUmemLocation", "CUmemPoolProps", "CUlaunchAttribute", "CUlaunchConfig",
              "CUDA_MEMCPY2D", "CUDA_MEMCPY3D", "CUmemcpyAttributes", "CUDA_KERNEL_NODE_PARAMS_v1",
              "CUDA_KERNEL_NODE_PARAMS", "CUDA_MEMSET_NODE_PARAMS", "CUDA_HOST_NODE_PARAMS", "CUmemAccessDesc",
              "CUDA_MEM_ALLOC_NODE_PARAMS", "CUgraphEdgeData", "CUDA_GRAPH_INSTANTIATE_PARAMS",
              "CUgraphExecUpdateResultInfo", "CUDA_ARRAY_DESCRIPTOR", "CUDA_ARRAY3D_DESCRIPTOR",
              "CUDA_TEXTURE_DESC", "CUDA_RESOURCE_VIEW_DESC")


def read(*path):
    with open(os.path.join(HEADERS, *path), encoding="utf-8") as file:
        return file.read()


def fields(text, structure):
    """The fields of a structure that is declared as in parts/driver_types.h."""
    body = re.search(r"struct \w+ \{([^{}]*)\} " + structure + ";", text)[1]
    for declaration in re.findall(r"([^;]+);", body):
        for name in declaration.split(","):
            yield re.search(r"(\w+)(?:\[[^\]]*\])?$", name.strip())[1]


@unittest.skipUnless(os.environ.get("BANKPROOF_TOOLKIT"), "needs the toolkit")
class DriverHeader(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def compiled(self, include, header, statements):
        path = os.path.join(self.folder, "a.cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#include <cstddef>\n#include <cstdio>\n#include <{header}>\n{statements}\n")
        program = os.path.join(self.folder, "a")
        run = subprocess.run([CXX, "-std=c++17", f"-I{include}", path, "-o", program], capture_output=True,
                             text=True, check=False)
        return run.stderr or subprocess.run([program], capture_output=True, text=True, check=True).stdout

    def test_enumerators(self):
        for header, text in (("cuda.h", read("parts", "driver_enums.h")), ("nvrtc.h", read("nvrtc.h")),
                             ("cuda.h", read("parts", "driver_textures.h")),
                             ("cuda_runtime_api.h", read("parts", "texture_types.h"))):
            enumerators = re.findall(r"\b(\w+) = (-?\w+)", text)
            self.assertGreater(len(enumerators), 15)
            statements = "".join(f'static_assert({name} == {value}, "{name}");\n'
                                 for name, value in enumerators) + "int main() {}"
            self.assertEqual(self.compiled(TOOLKIT, header, statements), "")
            wrong = statements.replace(f"== {enumerators[-1][1]},", f"== {enumerators[-1][1]} + 1,")
            self.assertIn(enumerators[-1][0], self.compiled(TOOLKIT, header, wrong))

    def test_layouts(self):
        text = "".join(read("parts", f"driver_{part}.h") for part in ("types", "graphs", "textures"))
        prints = "".join(f'  std::printf("{structure} %zu\\n", sizeof({structure}));\n' + "".join(
            f'  std::printf("{field} %zu\\n", offsetof({structure}, {field}));\n'
            for field in fields(text, structure)) for structure in STRUCTURES)
        printed = self.compiled(HEADERS, "cuda.h", "int main() {\n" + prints + "}")
        self.assertGreater(printed.count("\n"), 60)
        self.assertEqual(printed, self.compiled(TOOLKIT, "cuda.h", "int main() {\n" + prints + "}"))

    def test_layouts_with_structures_inside(self):
        places = {
            "cuda.h": ("CUDA_RESOURCE_DESC", "res.linear.numChannels", "res.linear.sizeInBytes",
                       "res.pitch2D.width", "res.pitch2D.pitchInBytes", "flags"),
            "cuda_runtime_api.h": ("cudaResourceDesc", "res.linear.desc", "res.linear.sizeInBytes",
                                   "res.pitch2D.width", "res.pitch2D.pitchInBytes", "flags"),
        }
        properties = ("CUmemAllocationProp", "type", "requestedHandleTypes", "location",
                      "win32HandleMetaData", "allocFlags.compressionType",
                      "allocFlags.gpuDirectRDMACapable", "allocFlags.usage", "allocFlags.reserved")
        places[properties[0]] = properties
        for structure, fields_of in (
                ("cudaTextureDesc", ("filterMode", "borderColor", "maxAnisotropy", "mipmapLevelBias",
                                     "seamlessCubemap")),
                ("cudaResourceViewDesc", ("width", "depth", "lastLayer")), ("cudaChannelFormatDesc", ("f",))):
            places[structure] = (structure, *fields_of)
        for header, (structure, *fields_of) in places.items():
            if not header.endswith(".h"):
                header = "cuda_runtime_api.h" if header.startswith("cuda") else "cuda.h"
            prints = f'  std::printf("%zu\\n", sizeof({structure}));\n' + "".join(
                f'  std::printf("%zu\\n", offsetof({structure}, {field}));\n' for field in fields_of)
            ours, theirs = (self.compiled(include, header, "int main() {\n" + prints + "}")
                            for include in (HEADERS, TOOLKIT))
            self.assertRegex(ours, r"^(\d+\n)+$")
            self.assertEqual(ours, theirs)


if __name__ == "__main__":
    unittest.main()
