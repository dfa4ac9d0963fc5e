"""Launches that repeat others are not executed, and each format of the report says so."""

import json
import os
import unittest

from kernel_support import HEAD
from program import CLEAN, Folder, run

# out[i] = in[i] + 1
ADD_ONE = HEAD + """
.visible .entry add_one(.param .u64 in, .param .u64 out)
{
.reg .b32 %r<4>;
.reg .b64 %rd<6>;
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd4, %rd1, %rd3;
add.s64 %rd5, %rd2, %rd3;
ld.global.u32 %r2, [%rd4];
add.u32 %r3, %r2, 1;
st.global.u32 [%rd5], %r3;
ret;
}
"""

FORMATS = ("text", "json", "sarif", "junit")
SAID = "3 launches of add_one (2-4) not executed"
JUDGED_ONCE = "1 launch of add_one (1) judged once"
# The second launch makes the accesses of the first, and changes nothing; the others repeat it.
TAKEN = [{"kernel": "add_one", "from": 0, "executed": False, "launches": [[2, 4]]},
         {"kernel": "add_one", "from": 0, "executed": True, "launches": [[1, 1]]}]


class Repeats(Folder):
    def launches(self, *options, count=5):
        plan = self.file("plan.json", json.dumps({
            "buffers": {"a": "u32:64=iota", "b": "u32:64=undefined"},
            "launches": [{"kernel": "add_one", "grid": [1], "block": [64],
                          "arguments": ["buffer:a", "buffer:b"]}] * count}))
        result = run("kernel", self.file("add_one.ptx", ADD_ONE), "--launch", plan, *options)
        self.assertEqual(result.returncode, CLEAN, result.stderr)
        return result.stdout.decode()

    def test_are_in_every_format(self):
        for form in FORMATS:
            text = self.launches("--format", form)
            self.assertIn(SAID, text, form)
            self.assertIn(JUDGED_ONCE, text, form)
            self.assertNotIn("--every-launch", self.launches("--format", form, "--every-launch"), form)
        page = os.path.join(self.folder, "page.html")
        self.launches("--html", page)
        self.assertIn(SAID, self.read(page).decode())

    def test_are_counted(self):
        one = json.loads(self.launches("--format", "json", count=1))
        some = json.loads(self.launches("--format", "json"))
        every = json.loads(self.launches("--format", "json", "--every-launch"))
        self.assertEqual(some["taken"], TAKEN)
        self.assertEqual(every["taken"], [])
        self.assertEqual(some["time"], 5 * one["time"])
        for key in ("taken", "notes"):
            del some[key], every[key]
        self.assertEqual(some, every)


if __name__ == "__main__":
    unittest.main()
