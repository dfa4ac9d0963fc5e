// Executable graphs, and their launches.
