// The major version of CUDA's runtime for which a library stands in.
