"""ci/fresh: a minimal Debian, and what commands take there."""
