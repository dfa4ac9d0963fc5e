// Objects of the program that graphs keep alive.
