"""`tables` from outside: its formats, its choice of tables, its exit codes."""

import json
import unittest

from program import CLEAN, USAGE, Folder, run


class Tables(Folder):
    """The tables of the sources."""

    def test_all_of_them_as_json(self):
        result = run("tables", "--format", "json")
        self.assertEqual((result.returncode, result.stderr), (CLEAN, b""))
        tables = json.loads(result.stdout)["tables"]
        self.assertEqual([t["id"] for t in tables],
                         ["CONV:7.22", "THS:4.1", "THS:4.3", "THS:5.1", "THS:5.3"])
        self.assertEqual([len(t["cells"]) for t in tables], [8, 32, 30, 42, 3])
        differing = [(t["id"], cell["printed"], cell["here"], cell.get("erratum"))
                     for t in tables for cell in t["cells"] if cell["differs"]]
        self.assertEqual(differing, [("CONV:7.22", "19.7", "19.8", "CONV figure 7.22")])

    def test_one_of_them_as_text(self):
        text = run("tables", "--only", "THS:4.3").stdout.decode()
        self.assertIn("Random        32-bit D-designated   1/3.37 (5.37)  1/3.37 (5.37)  =\n", text)
        self.assertTrue(text.endswith("\nAll 30 cells are as printed.\n"))
        self.assertNotIn("THS:5.1", text)

    def test_tables_that_do_not_exist(self):
        self.expect_failure(run("tables", "--only", "THS:4.2"), USAGE,
                            "--only 'THS:4.2': there are CONV:7.22, THS:4.1, THS:4.3, THS:5.1, THS:5.3")


if __name__ == "__main__":
    unittest.main()
