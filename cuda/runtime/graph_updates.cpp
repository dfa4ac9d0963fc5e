// Changes of executable graphs.
