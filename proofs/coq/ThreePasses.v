(* The scheduled permutation: any permutation of an R x C matrix in row-major order is three passes,
   within rows, within columns, and within rows again. One coloring gives all three passes (THS 5.5;
   algorithms/permutation/schedule.hpp).

   An element in row u that P takes to row v is an edge from u to v. All nodes have C edges, so C
   colors are enough. The first pass takes an element to the column of its color. Two elements of
   one color go to different rows, so the second pass can take each element to its row. The third
   pass takes it to its column. *)
From Coq Require Import Arith List Lia Permutation Bool.
From Bankproof Require Import Counting Access Koenig Plan PlansExist.
Import ListNotations.

Lemma permutes_onto : forall n P y, permutes n P -> y < n -> exists x, x < n /\ P x = y.
Proof.
  intros n P y [into inj] Y. assert (I : In y (map P (seq 0 n))).
  { apply (fills_universe n); auto.
    - apply NoDup_map_on; [apply seq_NoDup|]. intros a b A B. apply in_seq in A, B. apply inj; lia.
    - intros x X. apply in_map_iff in X. destruct X as [i [<- I]]. apply in_seq in I. apply into. lia.
    - rewrite map_length, seq_length. lia. }
  apply in_map_iff in I. destruct I as [x [E X]]. apply in_seq in X. exists x. split; [lia|exact E].
Qed.

Lemma id_permutes : forall n, permutes n (fun i => i).
Proof. intro n. split; auto. Qed.

(* The number of elements that P takes to a row is the number of columns. *)
Lemma degree_of_row : forall R C P v, 0 < C -> permutes (R * C) P -> v < R ->
  degree (fun i => P i / C) (R * C) v = C.
Proof.
  intros R C P v Pos perm V. apply Nat.le_antisymm.
  - apply (injected_below (fun i => P i mod C)).
    + apply edges_at_once.
    + intros i j I J E. apply in_edges_at in I, J. apply perm; try tauto.
      apply (by_row_and_column C); intuition congruence.
    + intros i _. apply Nat.mod_upper_bound. lia.
  - unfold degree. rewrite <- (map_length (fun i => P i mod C)), <- (seq_length C 0) at 1.
    apply NoDup_incl_length; [apply seq_NoDup|]. intros j J. apply in_seq in J.
    destruct (permutes_onto (R * C) P (v * C + j) perm) as [i [I E]]; [apply in_matrix; lia|].
    apply in_map_iff. exists i. rewrite in_edges_at, E, column_of, row_of by lia. auto.
Qed.

Lemma degree_of_any_row : forall R C P v, 0 < C -> permutes (R * C) P ->
  degree (fun i => P i / C) (R * C) v <= C.
Proof.
  intros R C P v Pos perm. apply (degree_at_most _ _ R).
  - intros i I. apply row_below, perm, I.
  - intros u U. rewrite degree_of_row; auto.
Qed.

Section OfColoring.
Variables R C : nat.
Variables P color : nat -> nat.
Hypothesis columns : 0 < C.
Hypothesis permutation : permutes (R * C) P.
Hypothesis below : forall i, i < R * C -> color i < C.
Hypothesis colored : proper (fun i => i / C) (fun i => P i / C) (R * C) color.

(* The element of color k in row v, where `row` is the row of an element before P or after it. *)
Definition element_in (row : nat -> nat) (v k : nat) : nat :=
  match find (fun i => (row i =? v) && (color i =? k)) (seq 0 (R * C)) with Some i => i | None => 0 end.

Definition first (u x : nat) : nat := color (u * C + x).
Definition second (k u : nat) : nat := P (element_in (fun i => i / C) u k) / C.
Definition third (v k : nat) : nat := P (element_in (fun i => P i / C) v k) mod C.

Lemma element_found : forall row v k,
  (forall i j, i < R * C -> j < R * C -> row i = row j -> color i = color j -> i = j) ->
  degree row (R * C) v = C -> k < C ->
  let i := element_in row v k in i < R * C /\ row i = v /\ color i = k.
Proof.
  intros row v k apart full K. unfold element_in. destruct (find _ _) as [i|] eqn:F.
  - apply find_some in F. destruct F as [I F]. apply in_seq in I.
    rewrite andb_true_iff, !Nat.eqb_eq in F. simpl. intuition lia.
  - exfalso. destruct (color_at_node row (R * C) v C color k) as [i [I [S Ci]]]; auto; [lia| |].
    { intros i j I J. apply in_edges_at in I, J. apply apart; intuition congruence. }
    assert (X : In i (seq 0 (R * C))) by (apply in_seq; lia). apply (find_none _ _ F) in X.
    rewrite S, Ci, !Nat.eqb_refl in X. discriminate.
Qed.

Lemma element_leaving : forall u k, u < R -> k < C ->
  let i := element_in (fun i => i / C) u k in i < R * C /\ i / C = u /\ color i = k.
Proof.
  intros u k U K. apply (element_found (fun i => i / C)); auto.
  apply (degree_of_row R C (fun i => i)); auto. apply id_permutes.
Qed.

Lemma element_arriving : forall v k, v < R -> k < C ->
  let i := element_in (fun i => P i / C) v k in i < R * C /\ P i / C = v /\ color i = k.
Proof.
  intros v k V K. apply (element_found (fun i => P i / C)); auto. apply degree_of_row; auto.
Qed.

(* H6. THS 5.5. The first pass permutes each row. *)
Lemma first_pass_permutes_rows : forall u, u < R -> permutes C (first u).
Proof.
  intros u U. unfold first. split.
  - intros x X. apply below, in_matrix; auto.
  - intros x y X Y E. assert (S : u * C + x = u * C + y); [|lia].
    apply colored; auto using in_matrix. left. rewrite !row_of; auto.
Qed.

(* H6. THS 5.5. The second pass permutes each column. *)
Lemma second_pass_permutes_columns : forall k, k < C -> permutes R (second k).
Proof.
  intros k K. unfold second. split.
  - intros u U. apply row_below, permutation. apply (element_leaving u k U K).
  - intros u v U V E. destruct (element_leaving u k U K) as [I [S C1]],
      (element_leaving v k V K) as [J [T C2]].
    rewrite <- S, <- T. f_equal. apply colored; auto. congruence.
Qed.

(* H6. THS 5.5. The third pass permutes each row. *)
Lemma third_pass_permutes_rows : forall v, v < R -> permutes C (third v).
Proof.
  intros v V. unfold third. split.
  - intros k _. apply Nat.mod_upper_bound. lia.
  - intros j k J K E. destruct (element_arriving v j V J) as [I [S C1]],
      (element_arriving v k V K) as [I' [T C2]].
    rewrite <- C1, <- C2. f_equal. apply permutation; auto. apply (by_row_and_column C); congruence.
Qed.

(* H6. THS 5.5. The three passes, one after another, take element i to P(i). *)
Lemma passes_compose : forall i, i < R * C ->
  let u := i / C in
  let k := first u (i mod C) in
  let v := second k u in
  u < R /\ k < C /\ v < R /\ P i = v * C + third v k.
Proof.
  intros i I u k v.
  assert (U : u < R) by (apply row_below, I).
  assert (K : k = color i) by (unfold k, first, u; rewrite of_row_and_column; auto).
  assert (Kb : k < C) by (rewrite K; auto).
  destruct (element_leaving u k U Kb) as [J [S C1]].
  assert (E : element_in (fun i => i / C) u k = i) by (apply colored; auto; congruence).
  assert (V : v = P i / C) by (unfold v, second; rewrite E; reflexivity).
  assert (Vb : v < R) by (rewrite V; apply row_below, permutation, I).
  destruct (element_arriving v k Vb Kb) as [J' [T C2]].
  assert (E' : element_in (fun i => P i / C) v k = i).
  { apply colored; auto; [congruence|right; congruence]. }
  repeat (split; [assumption|]). unfold third. rewrite E', V. symmetry. apply of_row_and_column, columns.
Qed.
End OfColoring.

(* Three passes of a permutation P of R x C elements. *)
Record passes (R C : nat) (P : nat -> nat)
    (along_rows along_columns back_along_rows : nat -> nat -> nat) : Prop := {
  of_rows : forall u, u < R -> permutes C (along_rows u);
  of_columns : forall k, k < C -> permutes R (along_columns k);
  of_rows_again : forall v, v < R -> permutes C (back_along_rows v);
  to_its_place : forall i, i < R * C ->
    let u := i / C in let k := along_rows u (i mod C) in let v := along_columns k u in
    u < R /\ k < C /\ v < R /\ P i = v * C + back_along_rows v k
}.

(* H6. THS 5.5. Every permutation of a matrix, of any shape, is three passes. One coloring gives all
   three; its number of colors is the number of columns. *)
Theorem every_permutation_is_three_passes : forall R C P, permutes (R * C) P ->
  exists color, (forall i, i < R * C -> color i < C) /\
    proper (fun i => i / C) (fun i => P i / C) (R * C) color /\
    passes R C P (first C color) (second R C P color) (third R C P color).
Proof.
  intros R C P perm. destruct (Nat.eq_dec C 0) as [->|pos].
  { exists (fun _ => 0). rewrite Nat.mul_0_r in *. split; [lia|]. split; [intros e f E; lia|].
    constructor; try (intros k K; lia); intros u U; split; lia. }
  destruct (koenig (fun i => i / C) (fun i => P i / C) C (R * C)) as [color [below colored]].
  - intro u. apply (degree_of_any_row R C (fun i => i)); [lia|apply id_permutes].
  - intro v. apply degree_of_any_row; [lia|exact perm].
  - exists color. split; [exact below|]. split; [exact colored|]. constructor.
    + apply (first_pass_permutes_rows R C P color); auto; lia.
    + apply (second_pass_permutes_columns R C P color); auto; lia.
    + apply (third_pass_permutes_rows R C P color); auto; lia.
    + apply (passes_compose R C P color); auto; lia.
Qed.

(* H6. THS 5.5. The three passes move the elements of a matrix: at the end b[P(i)] is a[i]. *)
Theorem three_passes_move_every_element : forall V R C P f g h (a b1 b2 b : nat -> V),
  passes R C P f g h ->
  (forall u x, u < R -> x < C -> b1 (u * C + f u x) = a (u * C + x)) ->
  (forall k u, k < C -> u < R -> b2 (g k u * C + k) = b1 (u * C + k)) ->
  (forall v k, v < R -> k < C -> b (v * C + h v k) = b2 (v * C + k)) ->
  forall i, i < R * C -> b (P i) = a i.
Proof.
  intros V R C P f g h a b1 b2 b p pass1 pass2 pass3 i I.
  destruct (to_its_place _ _ _ _ _ _ p i I) as [U [K [W ->]]].
  assert (columns : 0 < C) by lia. rewrite pass3, pass2, pass1 by (auto; apply Nat.mod_upper_bound; lia).
  f_equal. apply of_row_and_column, columns.
Qed.

(* H6. THS 5.5. Each row of each pass has a conflict-free plan. *)
Theorem rows_of_passes_have_plans : forall w R C P f g h, 0 < w -> passes R C P f g h ->
  (forall u, u < R -> exists S D, plan w C (f u) S D) /\
  (forall k, k < C -> exists S D, plan w R (g k) S D) /\
  (forall v, v < R -> exists S D, plan w C (h v) S D).
Proof.
  intros w R C P f g h W p. split; [|split]; intros j J.
  - destruct (plans_exist w C (f j) W (of_rows _ _ _ _ _ _ p j J)) as [S [D [q _]]]. eauto.
  - destruct (plans_exist w R (g j) W (of_columns _ _ _ _ _ _ p j J)) as [S [D [q _]]]. eauto.
  - destruct (plans_exist w C (h j) W (of_rows_again _ _ _ _ _ _ p j J)) as [S [D [q _]]]. eauto.
Qed.
