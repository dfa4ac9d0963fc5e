// Functions of libcudart.so.11.0 that are not those of libcudart.so.13.
