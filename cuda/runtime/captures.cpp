// Captures of streams: the operations of a captured stream become the nodes of a graph.
