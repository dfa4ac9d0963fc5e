"""The Indigo programs in HiRace's artifact (JohnJacobsonIII/HiRace-Artifact-SC24).

A program's name says what is wrong with it: boundsBug, that it leaves its arrays; each other Bug, that it
races. It runs on three small graphs with 8 blocks of 64 threads, and is right if exactly the findings that
its name announces are told.
"""

import os

from corpora.program import LAUNCHER, Program

SOURCES = os.path.join("indigo", "indigo_sources")
GRAPHS = ("DAG_5n_5e", "DAG_100n_200e", "power_law_200n_1000e")
THREADS, BLOCKS = 64, 8
# Each bug but boundsBug is a race.
RACES = ("atomicBug", "guardBug", "raceBug", "syncBug")


def planted(name):
    found = {"race"} if any(bug in name for bug in RACES) else set()
    return frozenset(found | ({"out_of_bounds"} if "boundsBug" in name else set()))


def programs(root):
    for family in sorted(os.listdir(os.path.join(root, SOURCES))):
        folder = os.path.join(SOURCES, family)
        for file in sorted(os.listdir(os.path.join(root, folder))):
            name, ending = os.path.splitext(file)
            if ending == ".cu":
                yield Program(
                    name, folder, [f"nvcc -I../../indigo_include {file} -o {name}"],
                    [f"{LAUNCHER} ./{name} ../../input/{graph}.egr {THREADS} {BLOCKS}" for graph in GRAPHS],
                    planted=planted(name), family=family)
