// MTGP32 is not here.
#pragma once
#error "bankproof's curand_kernel.h has no MTGP32; use another generator"
