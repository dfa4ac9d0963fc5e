// What the nodes of graphs do, made from the parameters that programs give.
