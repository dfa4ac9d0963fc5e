// Graphs that programs build: nodes of every kind.
