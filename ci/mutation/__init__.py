"""Mutations that the tests have to catch: `ci/mutants`."""
