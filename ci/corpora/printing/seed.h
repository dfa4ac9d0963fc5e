// Programs that seed their random numbers by the clock get the same numbers each time.
#pragma once

#include <stdlib.h>
#include <time.h>

#define time(place) 7
