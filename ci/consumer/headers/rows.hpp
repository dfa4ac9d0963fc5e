// The rows of a tile.
#pragma once

constexpr int rows = ROWS;
