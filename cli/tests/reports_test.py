"""The reports for other tools, SARIF and JUnit. A SARIF report is valid, points at the right place, and
is no larger than code scanning accepts."""

import json
import os
import unittest
import urllib.parse
import xml.etree.ElementTree

import jsonschema

from check_support import (CLEAN, FINDING, METIS, SOURCE, Folder, check, dmm_stages, inverse,
                           shuffled, warps)

with open(os.path.join(SOURCE, "cli", "tests", "sarif-essentials.schema.json"),
          encoding="utf-8") as schema_file:
    SCHEMA = json.load(schema_file)


class Sarif(Folder):
    def sarif(self, *arguments, text=None, code=FINDING):
        result = check(*arguments, "--format", "sarif", text=text)
        self.assertEqual(result.stderr.decode(), "")
        self.assertEqual(result.returncode, code)
        report = json.loads(result.stdout)
        jsonschema.Draft7Validator(SCHEMA).validate(report)
        (run,) = report["runs"]
        (invocation,) = run["invocations"]
        self.assertEqual(invocation["executionSuccessful"], True)
        self.assertEqual(invocation["exitCode"], code)
        rules = run["tool"]["driver"]["rules"]
        for one in run["results"]:
            self.assertEqual(rules[one["ruleIndex"]]["id"], one["ruleId"])
        self.assertLessEqual(len(run["results"]), 1000)
        return run

    def test_the_schema_rejects_what_is_no_sarif(self):
        good = json.loads(check("transpose:32x32", "--format", "sarif").stdout)
        validator = jsonschema.Draft7Validator(SCHEMA)
        self.assertTrue(validator.is_valid(good))

        def broken(change):
            bad = json.loads(json.dumps(good))
            change(bad)
            return not validator.is_valid(bad)

        result = lambda bad: bad["runs"][0]["results"][0]
        self.assertTrue(broken(lambda bad: bad.pop("version")))
        self.assertTrue(broken(lambda bad: bad.update(version="2.0.0")))
        self.assertTrue(broken(lambda bad: bad["runs"][0].pop("tool")))
        self.assertTrue(broken(lambda bad: bad["runs"][0]["tool"]["driver"].pop("name")))
        self.assertTrue(broken(lambda bad: bad["runs"][0]["invocations"][0].pop(
            "executionSuccessful")))
        self.assertTrue(broken(lambda bad: result(bad).pop("message")))
        self.assertTrue(broken(lambda bad: result(bad).update(level="fatal")))
        self.assertTrue(broken(lambda bad: result(bad).update(surprise=1)))
        self.assertTrue(broken(lambda bad: result(bad)["locations"][0].update(
            physicalLocation={"artifactLocation": {"uri": "x"}, "region": {"startLine": 0}})))

    def test_nothing_over_the_limit_is_no_result(self):
        run = self.sarif("identity:64", code=CLEAN)
        self.assertEqual(run["results"], [])

    def test_each_warp_over_the_limit_is_a_result_most_severe_first(self):
        values = shuffled(1000, seed=8)
        path = self.file("p.txt", "\n".join(map(str, values)) + "\n")
        expected = []
        for access, touched in (("destination", values), ("source", inverse(values))):
            for warp, lanes in enumerate(warps(touched, 32)):
                stages = dmm_stages(lanes, 32)
                if stages > 3:
                    expected.append((-stages, access == "source", warp))
        results = self.sarif(path, "--max-stages", 3)["results"]
        self.assertEqual(
            [(-one["properties"]["stages"],
              one["partialFingerprints"]["bankproofWarp/v1"].startswith("source"),
              one["properties"]["warp"]) for one in results], sorted(expected))
        self.assertEqual({one["ruleId"] for one in results}, {"bank-conflict"})
        self.assertEqual({one["level"] for one in results}, {"error"})
        self.assertEqual({one["level"] for one in self.sarif(path)["results"]}, {"warning"})

    def test_a_text_has_lines(self):
        values = shuffled(96, seed=5)
        path = self.file("folder with space.txt", "\n".join(map(str, values)) + "\n")
        run = self.sarif(path)
        for one in run["results"]:
            (location,) = one["locations"]
            place = location["physicalLocation"]
            self.assertEqual(place["artifactLocation"]["uri"], "file://" + urllib.parse.quote(path))
            warp = one["properties"]["warp"]
            region = place["region"]
            if one["partialFingerprints"]["bankproofWarp/v1"].startswith("destination"):
                self.assertEqual((region["startLine"], region["startColumn"], region["endLine"]),
                                 (32 * warp + 1, 1, 32 * warp + 32))
            else:  # one of the elements that name the warp's threads
                self.assertEqual(region["startLine"], region["endLine"])
                self.assertEqual(values[region["startLine"] - 1] // 32, warp)

    def test_one_line_of_text_has_columns(self):
        run = self.sarif("-", "--access", "destination", "--width", 2, text="0 2,1 3\n")
        regions = [one["locations"][0]["physicalLocation"]["region"] for one in run["results"]]
        self.assertEqual(regions, [
            {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 5},
            {"startLine": 1, "startColumn": 5, "endLine": 1}])

    def test_a_region_ends_with_its_line_where_the_next_element_is_on_another(self):
        run = self.sarif("-", "--access", "destination", "--width", 2, text="0 2\n4 6,1 3\n5 7\n")
        regions = [one["locations"][0]["physicalLocation"]["region"] for one in run["results"]]
        self.assertEqual(regions, [
            {"startLine": 1, "startColumn": 1, "endLine": 1},
            {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 5},
            {"startLine": 2, "startColumn": 5, "endLine": 2},
            {"startLine": 3, "startColumn": 1, "endLine": 3}])

    def test_files_of_numbers_have_bytes(self):
        values = shuffled(64, seed=2)
        npy, start = self.npy("p.npy", values)
        for path, first, size in ((npy, start, 8), (self.binary("p.bin", values), 0, 4)):
            results = self.sarif(path, "--access", "destination")["results"]
            self.assertTrue(results)
            for one in results:
                self.assertEqual(one["locations"][0]["physicalLocation"]["region"],
                                 {"byteOffset": first + 32 * size * one["properties"]["warp"],
                                  "byteLength": 32 * size})
            for one in self.sarif(path, "--access", "source")["results"]:
                region = one["locations"][0]["physicalLocation"]["region"]
                self.assertEqual(region["byteLength"], size)
                element = values[(region["byteOffset"] - first) // size]
                self.assertEqual(element // 32, one["properties"]["warp"])

    def test_a_relative_path_stays_relative(self):
        run = self.sarif(os.path.relpath(METIS))
        self.assertEqual(run["artifacts"][0]["location"]["uri"], os.path.relpath(METIS))

    def test_a_name_has_logical_locations_only(self):
        run = self.sarif("transpose:32x32")
        self.assertNotIn("artifacts", run)
        for one in run["results"]:
            (location,) = one["locations"]
            self.assertNotIn("physicalLocation", location)
            self.assertRegex(location["logicalLocations"][0]["fullyQualifiedName"],
                             r"\Atranspose:32x32/(destination|source)/warp \d+\Z")

    def test_standard_input_has_no_address(self):
        run = self.sarif("-", "--width", 2, text="0 2 1 3")
        self.assertNotIn("uri", run["artifacts"][0]["location"])

    def test_groups_have_a_rule_of_their_own_and_notes_are_passed_on(self):
        run = self.sarif("transpose:32x32", "--machine", "sm_90", "--memory", "global")
        self.assertEqual({one["ruleId"] for one in run["results"]}, {"uncoalesced-access"})
        notes = run["invocations"][0]["toolExecutionNotifications"]
        self.assertIn("sm_90", notes[0]["message"]["text"])

    def test_at_most_a_thousand_results_and_a_note_on_the_rest(self):
        results = self.sarif("transpose:512x512")["results"]  # 8192 warps over the limit in each access
        self.assertEqual(len(results), 1000)
        self.assertEqual(results[-1]["level"], "note")
        self.assertIn(str(2 * 8192 - 999), results[-1]["message"]["text"])
        exactly = self.sarif("transpose:32x1000", "--access", "destination")["results"]
        self.assertEqual((len(exactly), exactly[-1]["level"]), (1000, "warning"))


class JUnit(Folder):
    def suite(self, *arguments, code):
        result = check(*arguments, "--format", "junit")
        self.assertEqual(result.stderr.decode(), "")
        self.assertEqual(result.returncode, code)
        root = xml.etree.ElementTree.fromstring(result.stdout)
        self.assertEqual(root.tag, "testsuites")
        (suite,) = root
        self.assertEqual(suite.tag, "testsuite")
        cases = suite.findall("testcase")
        self.assertEqual(suite.get("tests"), str(len(cases)))
        self.assertEqual(suite.get("failures"),
                         str(sum(case.find("failure") is not None for case in cases)))
        self.assertEqual((suite.get("errors"), suite.get("skipped")), ("0", "0"))
        for case in cases:
            self.assertTrue(case.get("classname"))
            self.assertTrue(case.get("time"))
        return suite

    def test_a_case_for_each_access(self):
        suite = self.suite(METIS, "--max-stages", 6, code=FINDING)
        destination, source = suite.findall("testcase")
        self.assertEqual((destination.get("name"), source.get("name")), ("destination", "source"))
        self.assertIsNone(destination.find("failure"))
        failure = source.find("failure")
        self.assertIn("take more than 6 stages", failure.get("message"))
        self.assertIn("warp 38 takes 11", failure.get("message"))
        self.assertIn("stages 2461, ideal 512", failure.text)

    def test_clean(self):
        suite = self.suite("identity:64", "--access", "source", code=CLEAN)
        self.assertEqual(suite.get("failures"), "0")

    def test_a_name_of_any_bytes_gives_valid_xml(self):
        path = self.path("").encode() + b"<odd> & \xff\x01\xef\xbf\xbe.txt"
        with open(path, "wb") as out:
            out.write(b"0 1 2")
        suite = self.suite(os.fsdecode(path), code=CLEAN)
        self.assertTrue(suite.get("name").endswith("<odd> & \\xff\\x01\\xef\\xbf\\xbe.txt"))


if __name__ == "__main__":
    unittest.main()
