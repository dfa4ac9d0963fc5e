(* Facts about lists of numbers, which the other files share. This file is not about machines.

   The pigeonhole principle comes in the two forms that are needed: an injection into the numbers
   below k shows that a list has at most k elements; and a list without repetition contains all
   numbers below k if it has k elements, all of them below k. *)
From Coq Require Import Arith List Lia Permutation Bool.
Import ListNotations.

Definition member (x : nat) (xs : list nat) : bool := if in_dec Nat.eq_dec x xs then true else false.

Lemma member_spec : forall x xs, member x xs = true <-> In x xs.
Proof. intros. unfold member. destruct (in_dec Nat.eq_dec x xs); split; auto; discriminate. Qed.

Definition injective_on {A B} (f : A -> B) (xs : list A) : Prop :=
  forall x y, In x xs -> In y xs -> f x = f y -> x = y.

Lemma NoDup_map_on : forall {A B} (f : A -> B) xs, NoDup xs -> injective_on f xs -> NoDup (map f xs).
Proof.
  intros A B f xs N. induction N as [|x xs X N IH]; intro I; simpl; constructor.
  - rewrite in_map_iff. intros [y [E Y]]. apply X. rewrite <- (I y x); simpl; auto.
  - apply IH. intros y z Y Z. apply I; simpl; auto.
Qed.

(* n pigeons need n holes: a list has at most k elements if different elements have different
   numbers below k. *)
Lemma injected_below : forall {A} (f : A -> nat) k xs,
  NoDup xs -> injective_on f xs -> (forall x, In x xs -> f x < k) -> length xs <= k.
Proof.
  intros A f k xs N I B. rewrite <- (map_length f), <- (seq_length k 0).
  apply NoDup_incl_length; [apply NoDup_map_on; auto|].
  intros y Y. apply in_map_iff in Y. destruct Y as [x [<- X]]. apply in_seq. specialize (B x X). lia.
Qed.

Lemma fills_universe : forall k xs, NoDup xs -> (forall x, In x xs -> x < k) -> k <= length xs ->
  forall x, x < k -> In x xs.
Proof.
  intros k xs N B L x X. apply (NoDup_length_incl (l := xs) (l' := seq 0 k)); auto.
  - rewrite seq_length. exact L.
  - intros y Y. apply in_seq. specialize (B y Y). lia.
  - apply in_seq. lia.
Qed.

Lemma all_equal_at_most_one : forall {A} (xs : list A), NoDup xs ->
  (forall x y, In x xs -> In y xs -> x = y) -> length xs <= 1.
Proof.
  intros A [|x [|y xs]] N E; simpl; try lia. inversion N as [|? ? X]. exfalso. apply X.
  rewrite (E x y); simpl; auto.
Qed.

(* The position where x first occurs in a list. *)
Fixpoint position (x : nat) (xs : list nat) : nat :=
  match xs with
  | [] => 0
  | y :: xs => if x =? y then 0 else S (position x xs)
  end.

Lemma position_below : forall x xs, In x xs -> position x xs < length xs.
Proof.
  intros x xs. induction xs as [|y xs IH]; simpl; [intros []|]. intros [->|X].
  - rewrite Nat.eqb_refl. lia.
  - destruct (x =? y); [lia|]. specialize (IH X). lia.
Qed.

Lemma position_injective : forall xs, injective_on (fun x => position x xs) xs.
Proof.
  induction xs as [|z xs IH]; intros x y X Y; simpl; [contradiction|].
  destruct (Nat.eqb_spec x z), (Nat.eqb_spec y z); try congruence; try discriminate.
  intro E. injection E. simpl in X, Y. apply IH; intuition congruence.
Qed.

Lemma list_sum_constant : forall {A} (f : A -> nat) k xs, (forall x, In x xs -> f x = k) ->
  list_sum (map f xs) = k * length xs.
Proof.
  intros A f k xs. induction xs as [|x xs IH]; intro H; simpl; [lia|].
  rewrite (H x (or_introl eq_refl)), IH; [lia|]. intros y Y. apply H. simpl; auto.
Qed.

Lemma flat_map_length_at_most : forall {A B} (f : A -> list B) k xs,
  (forall x, In x xs -> length (f x) <= k) -> length (flat_map f xs) <= k * length xs.
Proof.
  intros A B f k xs. induction xs as [|x xs IH]; intro H; simpl; [lia|]. rewrite app_length.
  assert (length (f x) <= k) by (apply H; simpl; auto).
  assert (length (flat_map f xs) <= k * length xs) by (apply IH; intros; apply H; simpl; auto). lia.
Qed.

(* The row and the column of a number, if rows have w numbers. *)
Lemma row_of : forall w i j, j < w -> (i * w + j) / w = i.
Proof. intros. rewrite Nat.add_comm, Nat.div_add, Nat.div_small; lia. Qed.
Lemma column_of : forall w i j, j < w -> (i * w + j) mod w = j.
Proof. intros. rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small; lia. Qed.
Lemma row_below : forall h w x, x < h * w -> x / w < h.
Proof. intros h w x H. apply Nat.div_lt_upper_bound; [destruct w|]; lia. Qed.
Lemma by_row_and_column : forall w x y, 0 < w -> x / w = y / w -> x mod w = y mod w -> x = y.
Proof. intros. rewrite (Nat.div_mod x w), (Nat.div_mod y w) by lia. congruence. Qed.
Lemma of_row_and_column : forall w x, 0 < w -> x / w * w + x mod w = x.
Proof. intros. rewrite (Nat.div_mod x w) at 3 by lia. lia. Qed.
Lemma in_matrix : forall h w i j, i < h -> j < w -> i * w + j < h * w.
Proof. intros. nia. Qed.

(* The ceiling of a / b. *)
Definition ceil_div (a b : nat) : nat := (a + b - 1) / b.

Lemma ceil_div_spec : forall a b, 0 < b -> a <= ceil_div a b * b /\ ceil_div a b * b < a + b.
Proof.
  intros a b B. unfold ceil_div. pose proof (Nat.div_mod (a + b - 1) b).
  pose proof (Nat.mod_upper_bound (a + b - 1) b). nia.
Qed.
Lemma ceil_div_unique : forall a b k, 0 < b -> a <= k * b -> k * b < a + b -> ceil_div a b = k.
Proof. intros a b k B L U. pose proof (ceil_div_spec a b B). nia. Qed.
Lemma ceil_div_least : forall a b k, 0 < b -> a <= k * b -> ceil_div a b <= k.
Proof. intros a b k B L. pose proof (ceil_div_spec a b B). nia. Qed.

Lemma seq_around : forall k h, k < h -> seq 0 h = seq 0 k ++ k :: seq (S k) (h - S k).
Proof.
  intros k h K. change (k :: seq (S k) (h - S k)) with (seq (0 + k) (S (h - S k))).
  rewrite <- seq_app. f_equal. lia.
Qed.

Lemma list_sum_linear : forall {A} (f : A -> nat) a b xs,
  list_sum (map (fun x => a * f x + b) xs) = a * list_sum (map f xs) + length xs * b.
Proof.
  intros A f a b xs. induction xs as [|x xs IH]; [simpl; lia|].
  change (a * f x + b + list_sum (map (fun y => a * f y + b) xs) =
    a * (f x + list_sum (map f xs)) + (b + length xs * b)).
  rewrite IH, Nat.mul_add_distr_l. lia.
Qed.

Lemma NoDup_parts : forall {A} (xs ys : list A), NoDup (xs ++ ys) -> NoDup xs /\ NoDup ys.
Proof.
  intros A xs ys. induction xs as [|x xs IH]; simpl; [split; [constructor|assumption]|].
  rewrite !NoDup_cons_iff, in_app_iff. intros [X N]. destruct (IH N). tauto.
Qed.
