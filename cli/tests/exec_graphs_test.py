"""Graphs that whole programs build and launch.
"""

import unittest

if __name__ == "__main__":
    unittest.main()
