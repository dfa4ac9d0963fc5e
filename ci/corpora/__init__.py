"""Corpora of public CUDA programs: how ci/corpus finds, builds, runs and judges them.

Each corpus has a module that knows its layout (hecbench, cuda_samples, rodinia, indigo), and a
list NAME.txt of what we say about its programs (notes.py).
"""
