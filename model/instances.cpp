// Compiles the engine of the machines once for the programs of this tree, which are built with
// BANKPROOF_INSTANTIATED. Users get the model as headers only.
#include "engine.hpp"

namespace bankproof {
template class Engine<Rules>;
}  // namespace bankproof
