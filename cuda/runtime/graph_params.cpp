// The parameters of nodes.
