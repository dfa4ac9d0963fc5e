(* What is proved here, by row of the ledger (docs/claims.md), and what all of it assumes: nothing.
   ci/coq reads the answer, and refuses any other. *)
From Bankproof Require Import Access Koenig Halving Matching Augmenting.
From Bankproof Require Import Plan PlansExist PlanTime Verifier.
From Bankproof Require Import ThreePasses ScheduleVerifier Layouts.
From Bankproof Require Import Reduction Values Counterexamples Bandwidth Sums.
From Bankproof Require Import PrefixSums LookBack SummedAreaTable.

Definition theorems :=
  ( (* M1, M2, M8, M9, C1: the machines. *)
    @dmm_stages_are_the_fewest,
    @umm_stages_are_the_fewest,
    @same_words_take_the_same_stages,
    @conflict_free_accesses_take_one_stage,
    @dmm_never_needs_more_stages_than_umm,
    @coalesced_accesses_are_conflict_free,
    @stages_are_at_most_the_lanes,
    @aligned_rows_take_one_stage,

    (* R4: colorings, and the steps by which they are made. *)
    @koenig,
    @colors_are_at_least_the_degree,
    @edges_of_even_degree_pair_up,
    @halves_are_regular,
    @graphs_of_even_degree_have_halves,
    @colors_are_perfect_matchings,
    @regular_graphs_have_perfect_matchings,
    @colorings_of_parts_join,
    @some_walk_ends,
    @flipped_paths_match_one_more,
    @searches_find_a_path,
    @matchings_grow_to_perfect_ones,

    (* R3, R4: conflict-free plans. *)
    @every_permutation_is_conflict_free,
    @plans_exist,
    @plans_of_whole_rows_have_no_idle_lane,
    @warps_of_plans_take_one_stage,
    @stages_of_plans,
    @plans_move_every_element,
    @lockstep_time_of_conflict_free_permutation,
    @lockstep_time_with_a_thread_a_lane,
    @verifier_accepts_just_the_plans,
    @verified_plans_are_right,
    @some_plan_passes,

    (* H6: the scheduled permutation. *)
    @every_permutation_is_three_passes,
    @three_passes_move_every_element,
    @rows_of_passes_have_plans,
    @verified_schedules_are_right,
    @verified_schedules_move_every_element,
    @some_schedule_passes,

    (* A12, H3, K5: layouts of tiles. *)
    @diagonal_arrangement_is_conflict_free,
    @rows_padded_by_one_are_conflict_free,
    @rows_swizzled_by_xor_are_conflict_free,
    @columns_in_row_major_order_take_w_stages,

    (* S5, P1, P2, C1, C2, D6, I3, X3, H8, A13: lower bounds. *)
    @reduction_takes_log_n_latencies,
    @reduction_on_one_memory,
    @reduction_on_the_hierarchy,
    @values_of_a_word,
    @sums_take_latencies,
    @printed_reduction_bound_is_false,
    @words_that_others_name_beat_the_printed_bound,
    @bandwidth,
    @bandwidth_of_different_words,
    @bandwidth_of_all_ports,
    @latency_bound,
    @latency_bound_of_the_hierarchy,
    @sums_read_every_word,
    @latency_bound_of_sums,
    @bandwidth_bound_of_sums,

    (* P1, P2: prefix sums. *)
    @descending_turns_do_a_level,
    @simple_prefix_sums_are_right,
    @optimal_prefix_sums_are_right,
    @look_back_publishes_prefix_sums,
    @look_back_ends,
    @prefix_sums_in_one_pass_are_right,

    (* A4, A6: summed area tables. *)
    @tile_with_edges_has_the_table,
    @table_by_2R1W_is_right,
    @table_by_1R1W_is_right
  ).

Print Assumptions theorems.
