"""Whole programs whose default streams are per thread.
"""

import unittest

if __name__ == "__main__":
    unittest.main()
