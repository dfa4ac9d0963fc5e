"""For ci/fresh: a minimal Debian, and measures of commands in it."""
