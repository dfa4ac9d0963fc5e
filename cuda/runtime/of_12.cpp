// Functions of libcudart.so.12 that are not those of libcudart.so.13.
