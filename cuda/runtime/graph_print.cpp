// Graphs as pictures for Graphviz.
