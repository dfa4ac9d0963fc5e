(* The time of a conflict-free permutation in lockstep (THS 4.1). p threads are q = p / w warps,
   which process the warps of a plan in turns. In a turn each warp of threads reads its lanes of
   arrays s and d, reads a and writes b: four rounds. *)
From Coq Require Import Arith List Lia Permutation Bool.
From Bankproof Require Import Counting Access Plan.
Import ListNotations.

(* A plan has h warps. This list names the warps of the plan that the q warps of threads process in
   turn t. *)
Definition warps_of_turn (h q t : nat) : list nat := seq (t * q) (Nat.min q (h - t * q)).

(* Row k of an array of indices that begins at word m * w. *)
Definition row_of_indices (w m k : nat) : access := map Some (seq ((m + k) * w) w).

Definition turn_time (w l h q t s0 d0 : nat) (S D : access) : nat :=
  let round accesses :=
    lockstep_time l (round_stages (dmm_stages w) (map accesses (warps_of_turn h q t))) in
  round (row_of_indices w s0) + round (row_of_indices w d0) + round (warp w S) + round (warp w D).

Definition permutation_time (w l n q s0 d0 : nat) (S D : access) : nat :=
  let h := ceil_div n w in
  list_sum (map (fun t => turn_time w l h q t s0 d0 S D) (seq 0 (ceil_div h q))).

Lemma warps_in_turns : forall h q turns,
  list_sum (map (fun t => Nat.min q (h - t * q)) (seq 0 turns)) = Nat.min (turns * q) h.
Proof.
  intros h q turns. induction turns as [|t IH]; [reflexivity|].
  rewrite seq_S, map_app, list_sum_app, IH. simpl. lia.
Qed.

Lemma ceil_div_twice : forall n w q, 0 < w -> 0 < q -> ceil_div (ceil_div n w) q = ceil_div n (q * w).
Proof.
  intros n w q W Q. symmetry. pose proof (ceil_div_spec n w W).
  pose proof (ceil_div_spec (ceil_div n w) q Q).
  apply ceil_div_unique; nia.
Qed.

(* R3. THS 4.1. If w divides p, p threads take 4 ceil(n / w) + 4 ceil(n / p) (l - 1) time units. *)
Theorem lockstep_time_of_conflict_free_permutation : forall w l n q s0 d0 P S D,
  0 < w -> 0 < l -> 0 < q -> plan w n P S D ->
  permutation_time w l n q s0 d0 S D = 4 * ceil_div n w + 4 * (ceil_div n (q * w) * (l - 1)).
Proof.
  intros w l n q s0 d0 P S D W L Q p. unfold permutation_time.
  rewrite <- ceil_div_twice by assumption. set (h := ceil_div n w).
  destruct (ceil_div_spec h q Q) as [enough few]. set (turns := ceil_div h q) in *.
  assert (turn : forall t, t < turns ->
    turn_time w l h q t s0 d0 S D = 4 * (Nat.min q (h - t * q)) + 4 * (l - 1)).
  { intros t T. assert (busy : 0 < Nat.min q (h - t * q)) by nia.
    assert (one : forall accesses, (forall k, k < h -> dmm_stages w (accesses k) = 1) ->
      lockstep_time l (round_stages (dmm_stages w) (map accesses (warps_of_turn h q t))) =
      Nat.min q (h - t * q) + (l - 1)).
    { intros accesses single. rewrite round_of_single_stages.
      - unfold warps_of_turn. rewrite map_length, seq_length. unfold lockstep_time.
        destruct (Nat.eqb_spec (Nat.min q (h - t * q)) 0); lia.
      - intros a A. apply in_map_iff in A. destruct A as [k [<- K]]. apply single.
        apply in_seq in K. lia. }
    unfold turn_time. rewrite !one; try lia; intros k K;
      try (apply aligned_rows_take_one_stage, W);
      apply (warps_of_plans_take_one_stage w n P S D); auto. }
  transitivity (list_sum (map (fun t => 4 * Nat.min q (h - t * q) + 4 * (l - 1)) (seq 0 turns))).
  { f_equal. apply map_ext_in. intros t T. apply in_seq in T. apply turn. lia. }
  rewrite list_sum_linear, warps_in_turns, seq_length. lia.
Qed.

(* R3. THS 4.1. With one thread for each lane, it takes 4 ceil(n / w) + 4 (l - 1) time units, which
   is O(n / w + l). *)
Theorem lockstep_time_with_a_thread_a_lane : forall w l n s0 d0 P S D,
  0 < w -> 0 < l -> 0 < n -> plan w n P S D ->
  permutation_time w l n (ceil_div n w) s0 d0 S D = 4 * ceil_div n w + 4 * (l - 1).
Proof.
  intros w l n s0 d0 P S D W L N p. pose proof (ceil_div_spec n w W).
  rewrite (lockstep_time_of_conflict_free_permutation w l n (ceil_div n w) s0 d0 P S D) by (auto; nia).
  rewrite (ceil_div_unique n (ceil_div n w * w) 1) by nia. lia.
Qed.
