// What a program may ask about, and advise for, ranges of memory.
