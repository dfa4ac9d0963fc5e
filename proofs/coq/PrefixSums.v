(* Prefix sums on one memory, simple and optimal: both algorithms are right, for any associative
   operation, all sizes and all numbers of threads (MOD 6, 7; algorithms/prefix_sums.hpp). *)
From Coq Require Import Arith List Lia Bool.
From Bankproof Require Import Counting.
Import ListNotations.

Section Sums.
Variable V : Type.
Variable op : V -> V -> V.
Hypothesis associative : forall a b c, op a (op b c) = op (op a b) c.

(* x(i) op ... op x(i + more), in order. *)
Fixpoint range (x : nat -> V) (i more : nat) : V :=
  match more with
  | 0 => x i
  | S more => op (range x i more) (x (i + S more))
  end.

Lemma ranges_join : forall x i a b, op (range x i a) (range x (i + S a) b) = range x i (a + S b).
Proof.
  intros x i a b. replace (a + S b) with (S (a + b)) by lia. induction b as [|b IH]; simpl.
  - rewrite !Nat.add_0_r. reflexivity.
  - replace (a + S b) with (S (a + b)) by lia. simpl range. rewrite associative, IH.
    replace (i + S a + S b) with (i + S (S (a + b))) by lia. reflexivity.
Qed.

(* ---- Simple prefix sums ---- *)

(* A level adds to each number the number that lies `distance` to its left, if it exists. *)
Definition level (distance : nat) (a : nat -> V) (i : nat) : V :=
  if i <? distance then a i else op (a (i - distance)) (a i).

(* p threads do a level in place, in turns. In turn t all threads read before any thread writes. *)
Definition turn (n p distance t : nat) (a : nat -> V) (i : nat) : V :=
  if (distance + t * p <=? i) && (i <? distance + t * p + p) && (i <? n)
  then op (a (i - distance)) (a i) else a i.

(* The turn of the highest numbers comes first. *)
Definition level_in_place (n p distance : nat) (a : nat -> V) : nat -> V :=
  fold_left (fun a t => turn n p distance t a) (rev (seq 0 (ceil_div (n - distance) p))) a.

(* P1. MOD 6, mended. Turns in this order do a level: no turn reads a number that an earlier turn
   has written. *)
Theorem descending_turns_do_a_level : forall n p distance a i, 0 < p -> 0 < distance -> i < n ->
  level_in_place n p distance a i = level distance a i.
Proof.
  intros n p distance a i P D. unfold level_in_place. set (turns := ceil_div (n - distance) p).
  assert (all : n <= distance + turns * p).
  { pose proof (ceil_div_spec (n - distance) p P). unfold turns. lia. }
  (* If b is the array after turns t + k and higher, then turns t + k - 1, ..., t finish the level
     from turn t on. *)
  assert (done : forall k t b, (forall i, i < n ->
             b i = if distance + (t + k) * p <=? i then level distance a i else a i) ->
           forall i, i < n -> fold_left (fun a t => turn n p distance t a) (rev (seq t k)) b i =
             if distance + t * p <=? i then level distance a i else a i).
  { induction k as [|k IH]; intros t b B j J; [rewrite B, Nat.add_0_r by exact J; reflexivity|].
    rewrite seq_S, rev_app_distr. simpl fold_left. apply IH; [|exact J]. clear IH j J. intros j J.
    unfold turn. rewrite !B by lia. unfold level. replace (t + S k) with (S (t + k)) by lia. simpl.
    set (low := (t + k) * p).
    destruct (Nat.leb_spec (distance + low) j), (Nat.ltb_spec j (distance + low + p)),
      (Nat.ltb_spec j n), (Nat.leb_spec (distance + (p + low)) j),
      (Nat.leb_spec (distance + (p + low)) (j - distance)), (Nat.ltb_spec j distance);
      simpl; try reflexivity; lia. }
  intro I. rewrite (done turns 0 a); [|intros j J|exact I].
  - unfold level. simpl. rewrite Nat.add_0_r.
    destruct (Nat.leb_spec distance i), (Nat.ltb_spec i distance); try reflexivity; lia.
  - destruct (Nat.leb_spec (distance + (0 + turns) * p) j); [simpl in *; lia|reflexivity].
Qed.

Definition prefix_sums_simple (n p : nat) (a : nat -> V) : nat -> V :=
  fold_left (fun a t => level_in_place n p (2 ^ t) a) (seq 0 (Nat.log2_up n)) a.

(* P1. MOD lemma 2. After k levels each number is the sum, in order, of the last 2^k numbers up to
   it, or of all numbers up to it if these are fewer. *)
Lemma levels_reach_back : forall n p x k, 0 < p -> forall i, i < n ->
  fold_left (fun a t => level_in_place n p (2 ^ t) a) (seq 0 k) x i =
    if i <? 2 ^ k then range x 0 i else range x (i + 1 - 2 ^ k) (2 ^ k - 1).
Proof.
  intros n p x k P. induction k as [|k IH]; intros i I.
  - simpl. destruct i as [|i]; [reflexivity|]. simpl. f_equal. lia.
  - rewrite seq_S, fold_left_app. simpl fold_left.
    pose proof (Nat.pow_nonzero 2 k ltac:(lia)) as pos.
    rewrite descending_turns_do_a_level by lia. unfold level.
    rewrite (IH i I). rewrite Nat.pow_succ_r'. set (d := 2 ^ k) in *.
    destruct (Nat.ltb_spec i d) as [L|L].
    + destruct (Nat.ltb_spec i (2 * d)); [reflexivity|lia].
    + rewrite IH by lia. destruct (Nat.ltb_spec (i - d) d), (Nat.ltb_spec i (2 * d)); try lia.
      * replace (i + 1 - d) with (0 + S (i - d)) by lia. rewrite ranges_join. f_equal. lia.
      * replace (i + 1 - d) with ((i - d + 1 - d) + S (d - 1)) at 1 by lia. rewrite ranges_join.
        f_equal; lia.
Qed.

(* P1. MOD lemma 2. Simple prefix sums in place are right for all n and p. *)
Theorem simple_prefix_sums_are_right : forall n p x i, 0 < p -> i < n ->
  prefix_sums_simple n p x i = range x 0 i.
Proof.
  intros n p x i P I. unfold prefix_sums_simple. rewrite levels_reach_back by assumption.
  assert (n <= 2 ^ Nat.log2_up n) by (apply Nat.log2_log2_up_spec; lia).
  destruct (Nat.ltb_spec i (2 ^ Nat.log2_up n)); [reflexivity|lia].
Qed.

(* ---- Optimal prefix sums ---- *)

(* On the way down, a work array gets the sums of pairs. *)
Definition sums_of_pairs (a : nat -> V) (i : nat) : V := op (a (2 * i)) (a (2 * i + 1)).

(* On the way up, the prefix sums of pairs are spread to the numbers. *)
Definition spread_to_pairs (above below : nat -> V) (i : nat) : V :=
  if i =? 0 then below 0
  else if i mod 2 =? 1 then above (i / 2)
  else op (above (i / 2 - 1)) (below i).

(* The work arrays have n / 2, n / 4, ..., 1 numbers. There are at most `arrays` of them. *)
Fixpoint prefix_sums_optimal (arrays n : nat) (a : nat -> V) : nat -> V :=
  match arrays with
  | 0 => a
  | S arrays =>
      if n <=? 1 then a
      else spread_to_pairs (prefix_sums_optimal arrays (n / 2) (sums_of_pairs a)) a
  end.

(* P2. MOD 7, first stage. Sums of sums of pairs are sums of the numbers. *)
Lemma ranges_of_pairs : forall a i more, range (sums_of_pairs a) i more = range a (2 * i) (2 * more + 1).
Proof.
  intros a i more. induction more as [|more IH].
  - simpl. unfold sums_of_pairs. reflexivity.
  - simpl range at 1. rewrite IH. unfold sums_of_pairs.
    replace (2 * S more + 1) with (S (S (2 * more + 1))) by lia. simpl range. rewrite associative.
    replace (2 * (i + S more)) with (2 * i + S (2 * more + 1)) by lia.
    replace (2 * i + S (2 * more + 1) + 1) with (2 * i + S (S (2 * more + 1))) by lia. reflexivity.
Qed.

(* P2. MOD theorem 3. Optimal prefix sums are right for all n. *)
Theorem optimal_prefix_sums_are_right : forall arrays n a i, n <= 2 ^ arrays -> i < n ->
  prefix_sums_optimal arrays n a i = range a 0 i.
Proof.
  induction arrays as [|arrays IH]; intros n a i enough I; simpl.
  - simpl in enough. replace i with 0 by lia. reflexivity.
  - rewrite Nat.pow_succ_r' in enough. destruct (Nat.leb_spec n 1).
    { replace i with 0 by lia. reflexivity. }
    assert (above : forall j, 2 * j + 1 < n -> prefix_sums_optimal arrays (n / 2) (sums_of_pairs a) j =
      range a 0 (2 * j + 1)).
    { intros j J. rewrite IH; [apply (ranges_of_pairs a 0)|..].
      - apply Nat.div_le_upper_bound; lia.
      - apply Nat.div_le_lower_bound; lia. }
    unfold spread_to_pairs. destruct (Nat.eqb_spec i 0) as [->|N]; [reflexivity|].
    pose proof (Nat.div_mod i 2 ltac:(lia)) as parts. pose proof (Nat.mod_upper_bound i 2 ltac:(lia)).
    destruct (Nat.eqb_spec (i mod 2) 1) as [odd|even].
    + rewrite above by lia. f_equal. lia.
    + rewrite above by lia. destruct i as [|i]; [lia|].
      replace (2 * (S i / 2 - 1) + 1) with i by lia. reflexivity.
Qed.
End Sums.
