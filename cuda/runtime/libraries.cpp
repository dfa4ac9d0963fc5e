// Device code that a program loads at run time: cudaLibraryLoadData and similar functions.
