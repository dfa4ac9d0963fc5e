(* Arrangements of a w x w tile in which neither rows nor columns conflict (THS 6.1, lemma 6.1.1;
   algorithms/layout.hpp): diagonal, rows padded by one word, rows swizzled by xor.

   Each arrangement puts the words of a row into different banks, and also the words of a column. It
   puts different words into different places. *)
From Coq Require Import Arith List Lia Permutation Bool.
From Bankproof Require Import Counting Access.
Import ListNotations.

Definition diagonal (w i j : nat) : nat := i * w + (i + j) mod w.
Definition padded (w i j : nat) : nat := i * (w + 1) + j.
Definition swizzled (w i j : nat) : nat := i * w + Nat.lxor i j.

Definition row_access (layout : nat -> nat -> nat) (w i : nat) : access :=
  map (fun j => Some (layout i j)) (seq 0 w).
Definition column_access (layout : nat -> nat -> nat) (w j : nat) : access :=
  map (fun i => Some (layout i j)) (seq 0 w).

(* Each row and each column takes one stage, and different words lie in different places. *)
Record conflict_free_layout (w : nat) (layout : nat -> nat -> nat) : Prop := {
  rows_take_one_stage : forall i, i < w -> dmm_stages w (row_access layout w i) = 1;
  columns_take_one_stage : forall j, j < w -> dmm_stages w (column_access layout w j) = 1;
  words_apart : forall i j i' j', i < w -> j < w -> i' < w -> j' < w ->
    layout i j = layout i' j' -> i = i' /\ j = j'
}.

(* w words in different banks take one stage. *)
Lemma words_in_different_banks : forall w place, 0 < w ->
  (forall k k', k < w -> k' < w -> place k mod w = place k' mod w -> k = k') ->
  dmm_stages w (map (fun k => Some (place k)) (seq 0 w)) = 1.
Proof.
  intros w place W apart. apply conflict_free_accesses_take_one_stage; [exact W|].
  assert (own : forall x, In x (requests (map (fun k => Some (place k)) (seq 0 w))) <->
            exists k, k < w /\ place k = x).
  { intro x. rewrite in_requests, in_map_iff. split.
    - intros [k [E K]]. apply in_seq in K. injection E as E. exists k. split; [lia|exact E].
    - intros [k [K <-]]. exists k. split; [reflexivity|]. apply in_seq. lia. }
  split.
  - intro E. assert (X : In (place 0) []); [rewrite <- E; apply own; eauto|contradiction].
  - intros x y X Y B. apply own in X, Y. destruct X as [k [K <-]], Y as [k' [K' <-]]. f_equal. auto.
Qed.

Lemma sums_apart : forall w a b b', b < w -> b' < w -> (a + b) mod w = (a + b') mod w -> b = b'.
Proof.
  intros w a b b' B B' E. assert (W : w <> 0) by lia.
  pose proof (Nat.div_mod (a + b) w W). pose proof (Nat.div_mod (a + b') w W).
  destruct (Nat.lt_trichotomy ((a + b) / w) ((a + b') / w)) as [L|[L|L]]; nia.
Qed.

(* ---- The diagonal arrangement ---- *)

Lemma bank_of_diagonal : forall w i j, 0 < w -> diagonal w i j mod w = (i + j) mod w.
Proof.
  intros w i j W. unfold diagonal. apply column_of. apply Nat.mod_upper_bound. lia.
Qed.

(* A12, H3. THS lemma 6.1.1. The diagonal arrangement has no conflict, for every width. *)
Theorem diagonal_arrangement_is_conflict_free : forall w, 0 < w -> conflict_free_layout w (diagonal w).
Proof.
  intros w W. constructor.
  - intros i I. apply words_in_different_banks; [exact W|]. intros j j' J J' E.
    rewrite !bank_of_diagonal in E by exact W. apply (sums_apart w i); auto.
  - intros j J. apply (words_in_different_banks w (fun i => diagonal w i j)); [exact W|].
    intros i i' I I' E.
    rewrite !bank_of_diagonal in E by exact W. rewrite (Nat.add_comm i), (Nat.add_comm i') in E.
    apply (sums_apart w j); auto.
  - intros i j i' j' I J I' J' E.
    assert (B : forall k, k mod w < w) by (intro; apply Nat.mod_upper_bound; lia).
    unfold diagonal in E. assert (i = i').
    { rewrite <- (row_of w i ((i + j) mod w)) by apply B. rewrite E. apply row_of, B. }
    subst i'. split; [reflexivity|]. apply (sums_apart w i); auto. lia.
Qed.

(* ---- Rows padded by one word ---- *)

(* K5. CONV 7.6. Rows that are padded by one word have no conflict, for every width. *)
Theorem rows_padded_by_one_are_conflict_free : forall w, 0 < w -> conflict_free_layout w (padded w).
Proof.
  intros w W.
  assert (bank : forall i j, padded w i j mod w = (i + j) mod w).
  { intros i j. unfold padded. replace (i * (w + 1) + j) with (i + j + i * w) by lia.
    apply Nat.mod_add. lia. }
  constructor.
  - intros i I. apply words_in_different_banks; [exact W|]. intros j j' J J' E. rewrite !bank in E.
    apply (sums_apart w i); auto.
  - intros j J. apply (words_in_different_banks w (fun i => padded w i j)); [exact W|].
    intros i i' I I' E.
    rewrite !bank, (Nat.add_comm i), (Nat.add_comm i') in E. apply (sums_apart w j); auto.
  - intros i j i' j' I J I' J' E. unfold padded in E.
    assert (i = i'); [|lia]. rewrite <- (row_of (w + 1) i j), E by lia. apply row_of. lia.
Qed.

(* ---- Rows swizzled by xor ---- *)

Lemma xor_cancels : forall a b c, Nat.lxor a b = Nat.lxor a c -> b = c.
Proof.
  intros a b c E. apply (f_equal (Nat.lxor a)) in E.
  rewrite <- !Nat.lxor_assoc, Nat.lxor_nilpotent, !Nat.lxor_0_l in E. exact E.
Qed.

Lemma xor_stays_below : forall k a b, a < 2 ^ k -> b < 2 ^ k -> Nat.lxor a b < 2 ^ k.
Proof.
  intros k a b A B. pose proof (Nat.pow_nonzero 2 k) as pos.
  assert (small : forall x, x < 2 ^ k -> x = 0 \/ Nat.log2 x < k).
  { intros x X. destruct x as [|x]; [auto|right]. apply Nat.log2_lt_pow2; [lia|exact X]. }
  destruct (Nat.eq_dec (Nat.lxor a b) 0) as [->|Z]; [lia|].
  apply Nat.log2_lt_pow2; [lia|]. pose proof (Nat.log2_lxor a b) as bits.
  destruct (small a A) as [->|La], (small b B) as [->|Lb].
  - rewrite Nat.lxor_nilpotent in Z. contradiction.
  - rewrite Nat.lxor_0_l. exact Lb.
  - rewrite Nat.lxor_0_r. exact La.
  - lia.
Qed.

(* A12. bankproof. Rows that are swizzled by xor have no conflict, for every width that is a power
   of two. *)
Theorem rows_swizzled_by_xor_are_conflict_free : forall k,
  conflict_free_layout (2 ^ k) (swizzled (2 ^ k)).
Proof.
  intro k. assert (W : 0 < 2 ^ k) by (pose proof (Nat.pow_nonzero 2 k); lia).
  assert (bank : forall i j, i < 2 ^ k -> j < 2 ^ k -> swizzled (2 ^ k) i j mod 2 ^ k = Nat.lxor i j).
  { intros i j I J. apply column_of, xor_stays_below; auto. }
  constructor.
  - intros i I. apply words_in_different_banks; [exact W|]. intros j j' J J' E.
    rewrite !bank in E by auto. apply (xor_cancels i), E.
  - intros j J. apply (words_in_different_banks (2 ^ k) (fun i => swizzled (2 ^ k) i j)); [exact W|].
    intros i i' I I' E. rewrite !bank, (Nat.lxor_comm i), (Nat.lxor_comm i') in E by auto.
    apply (xor_cancels j), E.
  - intros i j i' j' I J I' J' E. unfold swizzled in E.
    assert (i = i').
    { rewrite <- (row_of (2 ^ k) i (Nat.lxor i j)), E by (apply xor_stays_below; auto).
      apply row_of, xor_stays_below; auto. }
    subst i'. split; [reflexivity|]. apply (xor_cancels i). lia.
Qed.

(* A12. THS 6.1. Row-major order is not enough: there a column lies in one bank, and takes w stages.
   *)
Theorem columns_in_row_major_order_take_w_stages : forall w j, 0 < w -> j < w ->
  dmm_stages w (column_access (fun i j => i * w + j) w j) = w.
Proof.
  intros w j W J. set (a := column_access (fun i j => i * w + j) w j).
  assert (least : w <= dmm_stages w a).
  { destruct (proj1 (dmm_stages_are_the_fewest w a _ W) (Nat.le_refl _)) as [stage [B A]].
    rewrite <- (seq_length w 0) at 1. apply (injected_below (fun i => stage (i * w + j))).
    - apply seq_NoDup.
    - assert (own : forall i, In i (seq 0 w) -> In (i * w + j) (requests a)).
      { intros i I. apply in_requests. apply (in_map (fun i => Some (i * w + j))), I. }
      intros i i' I I' E. assert (P : i * w + j = i' * w + j).
      { apply A; auto. rewrite !column_of; auto. }
      rewrite <- (row_of w i j J), P. apply row_of, J.
    - intros i I. apply B, in_requests. apply (in_map (fun i => Some (i * w + j))), I. }
  pose proof (stages_are_at_most_the_lanes w a W) as most.
  assert (length a = w) by (unfold a, column_access; rewrite map_length; apply seq_length). lia.
Qed.
