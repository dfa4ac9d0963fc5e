// Copies in batches.
