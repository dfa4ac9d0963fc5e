/* Prints what Rodinia's backprop has learned, which it keeps to itself: the linker lets calls that free its
   network and arrays come here first (--wrap). The weights of the input layer are in the network, or, with
   CUDA, in an array that is the first of its size to be freed. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "backprop.h"

enum { HIDDEN = 16, SHOWN = 997 };

extern int layer_size;
void __real_bpnn_free(BPNN* net);
void __real_free(void* block);

static int weights_were_shown = 0;

static void show_weight(int number, float value) {
  if (number % SHOWN == 0) printf("input weight %d: %g\n", number, value);
}

void __wrap_free(void* block) {
  const int weights = (layer_size + 1) * (HIDDEN + 1);
  const size_t bytes = weights * sizeof(float), page = 4096;
  const size_t has = block ? malloc_usable_size(block) : 0;
  if (!weights_were_shown && has >= bytes && has < bytes + 2 * page) {
    for (int i = 0; i < weights; ++i) show_weight(i, ((float*)block)[i]);
    weights_were_shown = 1;
  }
  __real_free(block);
}

void __wrap_bpnn_free(BPNN* net) {
  for (int i = 0; i <= net->input_n && !weights_were_shown; ++i)
    for (int j = 0; j <= HIDDEN; ++j) show_weight(i * (HIDDEN + 1) + j, net->input_weights[i][j]);
  for (int i = 1; i <= HIDDEN; ++i) printf("hidden unit %d: %g\n", i, net->hidden_units[i]);
  for (int i = 0; i <= HIDDEN; ++i) printf("hidden weight %d: %g\n", i, net->hidden_weights[i][1]);
  printf("output unit: %g\n", net->output_units[1]);
  __real_bpnn_free(net);
}
