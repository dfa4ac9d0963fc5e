// What a capture forbids.
