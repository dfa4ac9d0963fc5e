// The nodes of a graph and the edges between them.
