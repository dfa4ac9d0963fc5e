(* Rows of a matrix have the terms 0, 1, …, M − 1: row r the terms r·T, r·T + 1, …, T of them or, at
   the end, fewer. In turn t, each row handles its term t, if it has one. All turns together handle
   each term once, so what is added up over turns and rows is the sum over the terms
   (algorithms/convolution.hpp, proofs/programs/warp.cpp). *)
From Coq Require Import Arith Lia.
From Bankproof Require Import Values.

(* The number of rows that have a term in turn t < T. *)
Definition rows (T M t : nat) : nat := (M + T - 1 - t) / T.

Lemma in_rows : forall T M t r, t < T -> r < rows T M t <-> r * T + t < M.
Proof.
  intros T M t r L. unfold rows. split; intro H.
  - assert (S r * T <= M + T - 1 - t); [|simpl in *; lia].
    transitivity ((M + T - 1 - t) / T * T); [apply Nat.mul_le_mono_r; lia|].
    rewrite Nat.mul_comm. apply Nat.mul_div_le. lia.
  - apply (Nat.div_le_lower_bound _ T (S r)); simpl; nia.
Qed.

(* D4. HMM VIII. R rows from term c on, of which those below `end_` are handled. *)
Theorem rows_that_take_part : forall T R c end_ t r, t < T ->
  r < R /\ c + (r * T + t) < end_ <-> r < rows T (Nat.min (c + R * T) end_ - c) t.
Proof.
  intros T R c end_ t r L. rewrite (in_rows T _ t r L). split.
  - intros [A B]. assert (S r * T <= R * T) by (apply Nat.mul_le_mono_r; lia). simpl in *. lia.
  - intro H. assert (A : r * T + t < R * T) by lia. split; [|lia].
    destruct (le_lt_dec R r) as [B|B]; [|exact B].
    assert (R * T <= r * T) by (apply Nat.mul_le_mono_r; exact B). lia.
Qed.

Lemma same_rows : forall T M N t, t < T ->
  (forall r, r * T + t < M <-> r * T + t < N) -> rows T M t = rows T N t.
Proof.
  intros T M N t L H.
  destruct (Nat.lt_trichotomy (rows T M t) (rows T N t)) as [A|[A|A]]; [|exact A|]; exfalso.
  - apply (in_rows T N t _ L) in A. apply H in A. apply (in_rows T M t _ L) in A. lia.
  - apply (in_rows T M t _ L) in A. apply H in A. apply (in_rows T N t _ L) in A. lia.
Qed.

(* One term more is in one turn more. *)
Lemma one_term_more : forall T M t, t < T ->
  rows T (S M) t = if t =? M mod T then S (rows T M t) else rows T M t.
Proof.
  intros T M t L. assert (D := Nat.div_mod M T ltac:(lia)).
  assert (B := Nat.mod_upper_bound M T ltac:(lia)).
  destruct (Nat.eqb_spec t (M mod T)) as [->|N].
  - assert (E : rows T M (M mod T) = M / T).
    { unfold rows. symmetry. apply (Nat.div_unique _ T _ (T - 1)); lia. }
    rewrite E. unfold rows. symmetry. apply (Nat.div_unique _ T _ 0); nia.
  - apply same_rows; [exact L|]. intro r. split; intro H; [|lia].
    assert (r * T + t <> M); [|lia]. intro E. apply N.
    rewrite <- E, Nat.add_comm, Nat.mod_add, Nat.mod_small; lia.
Qed.

Lemma last_row : forall T M, 0 < T -> rows T M (M mod T) = M / T.
Proof.
  intros T M L. assert (D := Nat.div_mod M T ltac:(lia)).
  assert (B := Nat.mod_upper_bound M T ltac:(lia)).
  unfold rows. symmetry. apply (Nat.div_unique _ T _ (T - 1)); lia.
Qed.

Lemma sums_but_for_one : forall f g k v n, (forall t, t < n -> f t = if t =? k then g t + v else g t) ->
  sum f n = sum g n + if k <? n then v else 0.
Proof.
  intros f g k v n. induction n as [|n IH]; intro H; [reflexivity|]. simpl.
  rewrite IH, (H n); [|lia|intros; apply H; lia].
  destruct (Nat.eqb_spec n k), (Nat.ltb_spec k n), (Nat.ltb_spec k (S n)); lia.
Qed.

(* D4. HMM VIII. Whatever is added up, such as the stages of accesses. *)
Theorem terms_follow_each_other : forall f T M, 0 < T ->
  sum (fun t => sum (fun r => f (r * T + t)) (rows T M t)) T = sum f M.
Proof.
  intros f T M L. induction M as [|M IH].
  - simpl. rewrite (sums_but_for_one _ (fun _ => 0) T 0).
    + rewrite Nat.ltb_irrefl, Nat.add_0_r. clear. induction T; simpl; lia.
    + intros t B. unfold rows. rewrite Nat.div_small by lia. destruct (t =? T); reflexivity.
  - simpl. rewrite <- IH.
    rewrite (sums_but_for_one _ (fun t => sum (fun r => f (r * T + t)) (rows T M t))
                              (M mod T) (f M)).
    + destruct (Nat.ltb_spec (M mod T) T); [lia|].
      assert (B := Nat.mod_upper_bound M T ltac:(lia)). lia.
    + intros t B. rewrite one_term_more by exact B.
      destruct (Nat.eqb_spec t (M mod T)) as [->|N]; [|reflexivity].
      simpl. rewrite last_row by exact L. f_equal. f_equal.
      assert (D := Nat.div_mod M T ltac:(lia)). nia.
Qed.

(* D4. HMM VIII. A turn has terms if its first row has one. *)
Theorem turns_with_terms : forall T M, 0 < T ->
  sum (fun t => if rows T M t =? 0 then 0 else 1) T = Nat.min T M.
Proof.
  intros T M L.
  assert (H : forall n, n <= T ->
              sum (fun t => if rows T M t =? 0 then 0 else 1) n = Nat.min n M); [|apply H; lia].
  induction n as [|n IH]; intro B; [reflexivity|]. cbn [sum]. rewrite IH by lia.
  assert (F := in_rows T M n 0 ltac:(lia)). simpl in F.
  destruct (Nat.eqb_spec (rows T M n) 0); lia.
Qed.
