// The engine of the machines, compiled once for the programs of this tree, which are built with
// BANKPROOF_INSTANTIATED. To users the model is headers alone.
#include "engine.hpp"

namespace bankproof {
template class Engine<Rules>;
}  // namespace bankproof
