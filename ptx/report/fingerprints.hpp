// Fingerprints, by which a later report finds the same findings again although lines have moved.
//
// A fingerprint is of the file, the kernel, the text of the line without blanks, and the number of
// findings of that kind that have all of these and come first. If the text of the line is not
// known, the number of the line stands in for it. The fingerprint of a line with excess has no
// kernel: the counts of a line are those of all kernels.
#pragma once

#include "report.hpp"
#include "sources.hpp"

namespace bankproof::ptx {

/// Sets the fingerprint of each fault and of each line: 16 hexadecimal digits.
void add_fingerprints(KernelReport& report, const SourceTexts& sources);

}  // namespace bankproof::ptx
