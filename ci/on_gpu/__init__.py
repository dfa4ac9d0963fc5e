"""The parts of ci/gpu."""
