// The reports of `prove --kernel`. Each function returns the whole output, which ends with a
// newline.
#pragma once

#include <string>
#include <vector>

#include "../../symbolic/proving/prove.hpp"
#include "../prove/kernel_options.hpp"

namespace bankproof::cli {

/// A line for each claim, what is not proved, and what is assumed.
std::string kernel_proof_as_text(const symbolic::KernelProof& proof);

/// One object, with fixed fields.
std::string kernel_proof_as_json(const symbolic::KernelProof& proof);

/// JUnit: one case for each claim.
std::string kernel_proof_as_junit(const symbolic::KernelProof& proof);

/// SARIF 2.1.0: a result for each finding, at its first line.
std::string kernel_proof_as_sarif(const symbolic::KernelProof& proof);

/// Completes the words that show a counterexample again, so that they are a command.
void add_rerun_words(symbolic::KernelProof& proof, const KernelProofOptions& options);
/// The words as a shell reads them.
std::string as_shell(const std::vector<std::string>& words);

/// A page without scripts: the claims, the source with what is proved of each line, and findings.
std::string kernel_proof_as_html(const symbolic::KernelProof& proof);

/// "no race within a block"
std::string what_is_claimed(symbolic::Claim claim);
/// "no race within a block, if 'rows <= 1 << 15'": with the bounds that are assumed
std::string what_is_claimed(const symbolic::Decision& decision);

/// The lines, why the claim is not proved there, and the example, in lines without a newline at the
/// end.
std::string shown_finding(const symbolic::Finding& finding);

/// "histogram.cu:14"
std::string shown_line(const ptx::SourceLine& line);

/// "block (0,0,0) thread (3,0,0) at byte 12 of counts"
std::string shown_thread(const symbolic::ExampleThread& thread);

/// "--block 32,8 --grid 2", as on a command line.
std::string shown_launch(const symbolic::Launch& launch);

}  // namespace bankproof::cli
