// Conditional nodes of graphs.
