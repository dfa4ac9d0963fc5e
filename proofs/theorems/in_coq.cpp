// Lists the theorems that Coq has checked, row by row of docs/claims.md. `house.claims` requires
// that the file of a theorem contains it, with a comment that names the row. If a comment in one of
// these files names a row, this list must have a theorem for that row.
#include "in_coq.hpp"

namespace bankproof::proofs {
namespace {

constexpr const char* every_access = "all w and accesses of any number of lanes";
constexpr const char* every_permutation = "all w, n and permutations of n";
constexpr const char* every_program = "all programs without votes, of any threads and memories";
constexpr const char* every_program_on_hmm = "all programs without votes, n, p, l, L";
constexpr const char* every_oblivious_program = "all oblivious programs without votes, n ≥ 2, l";
constexpr const char* every_oblivious_program_on_hmm =
    "all oblivious programs without votes, n ≥ 2, l, L";
constexpr const char* every_port = "all n, w, l and what the port serves";
constexpr const char* every_tile = "all matrices, tiles and commutative monoids";

// Statements shared by several rows.
constexpr const char* reduction =
    "on a DMM or UMM a result that depends on n words takes l(1 + ⌈log n⌉)";
constexpr const char* reduction_on_hmm =
    "on an HMM a result that depends on n words takes min(l, L)(1 + ⌈log n⌉)";
constexpr const char* requests_on_hmm =
    "on an HMM n requests by p threads take at least n min(l, L)/p";
constexpr const char* words_through_a_port =
    "n different words through one port of a DMM or UMM take at least n/w + l − 1";
constexpr const char* words_through_all_ports =
    "all ports of an HMM together pass at most w words a time unit each";
constexpr const char* tile_with_edges =
    "adding the sums above and beside a tile to the tile's edges gives its part of the table";

std::string in(const char* file) { return std::string("proofs/coq/") + file + ".v"; }

}  // namespace

std::vector<CoqTheorem> theorems_in_coq() {
  return {
      {"M1.fewest", "THS 3.1",
       "an access can be served in k stages of a DMM if and only if no bank is asked for more than "
       "k words",
       every_access, in("Access"), "dmm_stages_are_the_fewest"},
      {"M1.conflict-free", "THS 3.1",
       "an access takes one stage of a DMM if and only if it asks some bank for a word, and no "
       "bank for two",
       every_access, in("Access"), "conflict_free_accesses_take_one_stage"},
      {"M1.lanes", "THS 3.1", "an access takes at most as many stages as it has lanes",
       every_access, in("Access"), "stages_are_at_most_the_lanes"},
      {"M2.fewest", "THS 3.1",
       "an access can be served in k stages of a UMM if and only if its words are in at most k "
       "address groups",
       every_access, in("Access"), "umm_stages_are_the_fewest"},
      {"M2.lanes", "THS 3.1",
       "an access takes at most as many stages of a UMM as it has lanes, and of a DMM no more",
       every_access, in("Access"), "stages_are_at_most_the_lanes"},
      {"M8.words", "HMM II", "accesses to the same words take the same stages", every_access,
       in("Access"), "same_words_take_the_same_stages"},
      {"M9.coalesced", "THS 5.1", "an access to one address group has no bank conflict",
       every_access, in("Access"), "coalesced_accesses_are_conflict_free"},
      {"M9.accesses", "MOD 2", "a DMM never takes more stages for an access than a UMM",
       every_access, in("Access"), "dmm_never_needs_more_stages_than_umm"},

      {"C1.rows", "HMM IV", "an aligned row of w words takes one stage, on a DMM and on a UMM",
       "all w and rows", in("Access"), "aligned_rows_take_one_stage"},
      {"C1.port", "MOD theorem 2", words_through_a_port, every_port, in("Bandwidth"),
       "bandwidth_of_different_words"},
      {"C2.port", "MOD theorem 2", words_through_a_port, every_port, in("Bandwidth"),
       "bandwidth_of_different_words"},
      {"C2.requests", "MOD 3", "n requests by p threads take at least nl/p", every_program,
       in("Bandwidth"), "latency_bound"},

      {"S5.oblivious", "MOD theorem 2",
       "a result of an oblivious program that depends on n words takes 1 + ⌈log n⌉ times the least "
       "latency",
       "all oblivious programs without votes, n ≥ 2, of any threads and memories", in("Reduction"),
       "reduction_takes_log_n_latencies"},
      {"S5.oblivious.DMM", "MOD theorem 2", reduction, every_oblivious_program, in("Reduction"),
       "reduction_on_one_memory"},
      {"S5.oblivious.HMM", "HMM table II, THS 6.4", reduction_on_hmm,
       every_oblivious_program_on_hmm, in("Reduction"), "reduction_on_the_hierarchy"},
      {"S5.law", "bankproof",
       "by time t a word takes at most (p + 3)^(2^⌊t/l⌋) values, where words of input take two",
       every_program, in("Values"), "values_of_a_word"},
      {"S5.sums", "bankproof",
       "a sum of n whole numbers by p threads takes at least l log (n/⌈log (p + 3)⌉)",
       every_program, in("Values"), "sums_take_latencies"},
      {"S5.printed", "MOD theorem 2, refuted",
       "n threads of a DMM of width n have the OR of n words in 2l, and end: less than l ⌈log n⌉",
       "all n > 4, l", in("Counterexamples"), "printed_reduction_bound_is_false"},
      {"S5.named", "MOD theorem 2, refuted",
       "a thread copies the word that one of n words names in 3l, and ends: less than l ⌈log n⌉",
       "all n > 8, l", in("Counterexamples"), "words_that_others_name_beat_the_printed_bound"},
      {"S5.port", "MOD theorem 2",
       "requests for n words through one port of a DMM or UMM take at least n/w + l − 1",
       every_port, in("Bandwidth"), "bandwidth"},
      {"S5.words", "MOD theorem 2", words_through_a_port, every_port, in("Bandwidth"),
       "bandwidth_of_different_words"},
      {"S5.words.HMM", "HMM IX", words_through_all_ports, "all w and ports", in("Bandwidth"),
       "bandwidth_of_all_ports"},
      {"S5.requests", "MOD theorem 2", "n requests by p threads take at least nl/p", every_program,
       in("Bandwidth"), "latency_bound"},
      {"S5.requests.HMM", "HMM IX", requests_on_hmm, every_program_on_hmm, in("Bandwidth"),
       "latency_bound_of_the_hierarchy"},
      {"S5.sums.reads", "bankproof",
       "a program that adds up n words, right in whatever order requests are served, reads each",
       every_program, in("Sums"), "sums_read_every_word"},
      {"S5.sums.latency", "MOD theorem 2",
       "a sum by p threads, right in whatever order requests are served, takes at least nl/p",
       every_program, in("Sums"), "latency_bound_of_sums"},
      {"S5.sums.bandwidth", "MOD theorem 2",
       "a sum, right in whatever order requests are served, takes at least n/w + l − 1, if one "
       "port of a DMM or UMM serves what it reads",
       every_program, in("Sums"), "bandwidth_bound_of_sums"},

      {"P1.oblivious", "MOD theorem 2", reduction, every_oblivious_program, in("Reduction"),
       "reduction_on_one_memory"},
      {"P1.turns", "MOD 6, mended",
       "in descending order no turn of a level reads what an earlier one has written",
       "all n, p and distances", in("PrefixSums"), "descending_turns_do_a_level"},
      {"P1.sums", "MOD lemma 2", "the simple prefix sums, in place, are right",
       "all n, p and associative operations", in("PrefixSums"), "simple_prefix_sums_are_right"},
      {"P1.look-back", "Merrill and Garland 2016",
       "what a tile of decoupled look-back publishes is its own sum, and then the sum of all tiles "
       "up to it, whatever statuses it sees and when",
       "all numbers of tiles and associative operations", in("LookBack"),
       "look_back_publishes_prefix_sums"},
      {"P1.look-back.ends", "Merrill and Garland 2016",
       "a look-back ends at tile 0 at the latest, provided that tile 0 shows its prefix sum, "
       "whatever the tiles between show",
       "all numbers of tiles and operations", in("LookBack"), "look_back_ends"},
      {"P1.one-pass", "Merrill and Garland 2016",
       "what a tile after the first has found looking back, and its own numbers, add up to prefix "
       "sums",
       "all sizes, tiles and associative operations", in("LookBack"),
       "prefix_sums_in_one_pass_are_right"},
      {"P2.oblivious", "MOD theorem 2", reduction, every_oblivious_program, in("Reduction"),
       "reduction_on_one_memory"},
      {"P2.sums", "MOD theorem 3", "the optimal prefix sums are right",
       "all n and associative operations", in("PrefixSums"), "optimal_prefix_sums_are_right"},

      {"D4.terms", "HMM VIII", "rows of T terms each, one term a turn, go through all terms once",
       "all T, numbers of terms and summands", in("Terms"), "terms_follow_each_other"},
      {"D4.turns", "HMM VIII", "of T turns, as many have a term as there are terms, or all",
       "all T and numbers of terms", in("Terms"), "turns_with_terms"},
      {"D4.rows", "HMM VIII",
       "the rows whose term is below the end are the first ⌈(M − t)/T⌉ of them",
       "all T, rows, ends and turns t", in("Terms"), "rows_that_take_part"},
      {"D6.oblivious", "HMM IX", reduction_on_hmm, every_oblivious_program_on_hmm, in("Reduction"),
       "reduction_on_the_hierarchy"},
      {"D6.ports", "HMM IX", words_through_all_ports, "all w and ports", in("Bandwidth"),
       "bandwidth_of_all_ports"},
      {"D6.requests", "HMM IX", requests_on_hmm, every_program_on_hmm, in("Bandwidth"),
       "latency_bound_of_the_hierarchy"},

      {"I3.ports", "OPT theorem 6", words_through_all_ports, "all w and ports", in("Bandwidth"),
       "bandwidth_of_all_ports"},
      {"X3.ports", "OPT theorem 9", words_through_all_ports, "all w and ports", in("Bandwidth"),
       "bandwidth_of_all_ports"},

      {"K5.padded", "CONV 7.6",
       "rows padded by one word have rows and columns without bank conflicts", "all w",
       in("Layouts"), "rows_padded_by_one_are_conflict_free"},

      {"R3.exists", "THS 4.1, lemma 4.2.2",
       "there are S and D = P∘S with which each warp takes one stage to read and one to write, "
       "⌈n/w⌉ each in all, and b[P(i)] is a[i] at the end, in whatever order lanes are served",
       every_permutation, in("PlansExist"), "every_permutation_is_conflict_free"},
      {"R3.whole-rows", "THS 4.1", "where w divides n, S is a permutation and no lane is idle",
       "all w, n = hw and permutations of n", in("PlansExist"),
       "plans_of_whole_rows_have_no_idle_lane"},
      {"R3.warps", "THS 4.1", "each warp of a plan takes one stage to read and one to write",
       "all plans", in("Plan"), "warps_of_plans_take_one_stage"},
      {"R3.stages", "THS 4.1", "a plan takes ⌈n/w⌉ stages to read and as many to write",
       "all plans", in("Plan"), "stages_of_plans"},
      {"R3.moves", "THS 4.1",
       "lanes of a plan in whatever order take each a[i] to b[P(i)], and leave what is beyond",
       "all plans", in("Plan"), "plans_move_every_element"},
      {"R3.takes", "THS 4.1", "the permutation by a plan takes 4⌈n/w⌉ + 4⌈n/p⌉(l − 1) in lockstep",
       "all plans, l, p, a multiple of w", in("PlanTime"),
       "lockstep_time_of_conflict_free_permutation"},
      {"R3.takes.n", "THS 4.1",
       "with a thread a lane the permutation takes 4⌈n/w⌉ + 4(l − 1) in lockstep, which is O(n/w + "
       "l)",
       "all plans, l", in("PlanTime"), "lockstep_time_with_a_thread_a_lane"},
      {"R3.verified", "THS 4.1",
       "what the verifier accepts is a plan: no warp has a conflict, and b[P(i)] is a[i] at the "
       "end",
       every_permutation, in("Verifier"), "verified_plans_are_right"},
      {"R3.verifier", "THS 4.1", "the verifier accepts the plans of a permutation and nothing else",
       every_permutation, in("Verifier"), "verifier_accepts_just_the_plans"},
      {"R4.exists", "THS theorem 4.2.1",
       "h colors suffice for the edges of a bipartite multigraph in which no node has more than h",
       "all h and bipartite multigraphs", in("Koenig"), "koenig"},
      {"R4.needed", "THS theorem 4.2.1", "with h colors no node has more than h edges",
       "all h and bipartite multigraphs", in("Koenig"), "colors_are_at_least_the_degree"},
      {"R4.plans", "THS lemma 4.2.2", "there is a plan, in which lane j of a warp reads bank j",
       every_permutation, in("PlansExist"), "plans_exist"},
      {"R4.passes", "THS 4.1", "some plan passes the verifier", every_permutation, in("Verifier"),
       "some_plan_passes"},
      {"R4.pairs", "Gabow 1976", "where degrees are even, edges pair up at each node",
       "all graphs of even degrees", in("Halving"), "edges_of_even_degree_pair_up"},
      {"R4.halved", "Gabow 1976",
       "a subgraph with one edge of each pair has half of the edges at each node",
       "all bipartite multigraphs, paired up at both sides", in("Halving"), "halves_are_regular"},
      {"R4.halves", "Gabow 1976",
       "however edges are paired up at both sides, some half has one edge of each pair",
       "all bipartite multigraphs", in("Halving"), "graphs_of_even_degree_have_halves"},
      {"R4.joined", "Gabow 1976",
       "colors of a part and other colors of the rest are colors of the graph",
       "all bipartite multigraphs and parts", in("Halving"), "colorings_of_parts_join"},
      {"R4.perfect", "THS 4.3",
       "each color of a coloring by as many colors as the degree is a perfect matching",
       "all regular bipartite multigraphs and such colorings", in("Matching"),
       "colors_are_perfect_matchings"},
      {"R4.matchings", "THS 4.3",
       "a regular graph with edges has a perfect matching, and without it is regular, of a degree "
       "less",
       "all regular bipartite multigraphs", in("Matching"),
       "regular_graphs_have_perfect_matchings"},
      {"R4.walks", "THS 4.3, figure 4.4",
       "where there are edges, some alternating walk leads from each left node without a partner "
       "to a right node without one",
       "all regular bipartite multigraphs and matchings in them", in("Matching"), "some_walk_ends"},
      {"R4.paths", "THS 4.3, figures 4.4 and 4.5",
       "an alternating path that is flipped leaves a matching of one edge more",
       "all bipartite multigraphs and matchings in them", in("Augmenting"),
       "flipped_paths_match_one_more"},
      {"R4.searches", "THS 4.3",
       "where there are edges, an alternating path leads from each left node that is not matched "
       "to a right node that is not, whatever matching a search has",
       "all regular bipartite multigraphs and matchings in them", in("Augmenting"),
       "searches_find_a_path"},
      {"R4.matched", "THS 4.3",
       "where there are edges, left nodes can be matched one after another, until all are matched",
       "all regular bipartite multigraphs", in("Augmenting"), "matchings_grow_to_perfect_ones"},

      {"R10.flipped", "THS 4.3, figures 4.4 and 4.5",
       "an alternating path that is flipped leaves a matching of one edge more",
       "all bipartite multigraphs and matchings in them", in("Augmenting"),
       "flipped_paths_match_one_more"},
      {"R10.paths", "THS 4.3, figures 4.4 and 4.5",
       "where there are edges, an alternating path leads from each left node that a matching "
       "leaves out to a right node that it leaves out",
       "all regular bipartite multigraphs and matchings in them", in("Augmenting"),
       "searches_find_a_path"},

      {"H3.diagonal", "THS 5.3", "in diagonal arrangement rows and columns have no bank conflicts",
       "all w", in("Layouts"), "diagonal_arrangement_is_conflict_free"},
      {"H6.exists", "THS 5.5",
       "each permutation of a matrix is three passes, along rows, columns and rows, out of one "
       "coloring by as many colors as it has columns",
       "all R, C and permutations of RC", in("ThreePasses"), "every_permutation_is_three_passes"},
      {"H6.moves", "THS 5.5", "after the three passes b[P(i)] is a[i]",
       "all R, C, permutations and passes", in("ThreePasses"), "three_passes_move_every_element"},
      {"H6.plans", "THS 5.5", "each row of each pass has a conflict-free plan",
       "all w, R, C, permutations and passes", in("ThreePasses"), "rows_of_passes_have_plans"},
      {"H6.verified", "THS 5.5",
       "a schedule that the verifier accepts is three passes, of conflict-free plans",
       "all w, R, C and permutations of at most RC", in("ScheduleVerifier"),
       "verified_schedules_are_right"},
      {"H6.right", "THS 5.5", "after a schedule that the verifier accepts b[P(i)] is a[i]",
       "all w, R, C and permutations of at most RC", in("ScheduleVerifier"),
       "verified_schedules_move_every_element"},
      {"H6.passes", "THS 5.5", "some schedule passes the verifier",
       "all w, R, C and permutations of at most RC", in("ScheduleVerifier"),
       "some_schedule_passes"},

      {"H8.port", "THS 5.5", words_through_a_port, every_port, in("Bandwidth"),
       "bandwidth_of_different_words"},

      {"A4.edges", "THS 6.3", tile_with_edges, every_tile, in("SummedAreaTable"),
       "tile_with_edges_has_the_table"},
      {"A4.table", "THS lemma 6.3.1", "2R1W gives the summed area table",
       "all sizes, tiles and commutative monoids", in("SummedAreaTable"), "table_by_2R1W_is_right"},
      {"A6.edges", "THS 6.4", tile_with_edges, every_tile, in("SummedAreaTable"),
       "tile_with_edges_has_the_table"},
      {"A6.table", "THS theorem 6.4.2", "1R1W gives the summed area table",
       "all sizes, tiles and commutative groups", in("SummedAreaTable"), "table_by_1R1W_is_right"},
      {"A12.diagonal", "THS lemma 6.1.1",
       "in diagonal arrangement rows and columns have no bank conflicts", "all w", in("Layouts"),
       "diagonal_arrangement_is_conflict_free"},
      {"A12.swizzled", "bankproof", "rows swizzled by xor have rows and columns without conflicts",
       "all w = 2^k", in("Layouts"), "rows_swizzled_by_xor_are_conflict_free"},
      {"A12.row-major", "THS 6.1", "in row-major order a column takes w stages", "all w",
       in("Layouts"), "columns_in_row_major_order_take_w_stages"},
      {"A13.oblivious", "THS 6.4", reduction_on_hmm, every_oblivious_program_on_hmm,
       in("Reduction"), "reduction_on_the_hierarchy"},
      {"A13.port", "THS 6.4", words_through_a_port, every_port, in("Bandwidth"),
       "bandwidth_of_different_words"},
      {"A13.requests", "THS 6.4", requests_on_hmm, every_program_on_hmm, in("Bandwidth"),
       "latency_bound_of_the_hierarchy"}};
}

}  // namespace bankproof::proofs
