(* The words of closed forms. The program writes the costs and bounds of its algorithms as terms of
   Coq (proofs/written/in_coq.hpp): sums over turns, levels and chains of sizes, and quotients that
   are rounded up. Their laws are here: what a sum of no terms is, what one more term adds, and how a
   statement about a sum is shown by counting up. *)
From Coq Require Import ZArith Lia.
Open Scope Z_scope.

Definition ceiling (a b : Z) : Z := - (- a / b).

Fixpoint sum_up (count : nat) (term : Z -> Z) : Z :=
  match count with
  | O => 0
  | S k => sum_up k term + term (Z.of_nat k)
  end.

(* The terms at 0, 1, ..., count - 1. *)
Definition sum_over (count : Z) (term : Z -> Z) : Z := sum_up (Z.to_nat count) term.

(* The terms at 1, 2, 4, ... below the end. *)
Definition sum_over_powers (ending : Z) (term : Z -> Z) : Z :=
  sum_over (Z.log2_up ending) (fun k => term (2 ^ k)).

Fixpoint sum_along (most : nat) (number : Z) (next term : Z -> Z) : Z :=
  match most with
  | O => 0
  | S fewer =>
      if number <=? 1 then 0 else term number + sum_along fewer (next number) next term
  end.

(* The terms at a number, the next one, and so on, as long as they exceed 1. A chain descends, so it
   has no more numbers than the first one says. *)
Definition sum_over_chain (start : Z) (next term : Z -> Z) : Z :=
  sum_along (Z.to_nat start) start next term.

Lemma ceiling_is_the_least : forall a b, 0 < b -> a <= b * ceiling a b < a + b.
Proof.
  intros a b positive. unfold ceiling.
  pose proof (Z.div_mod (- a) b). pose proof (Z.mod_pos_bound (- a) b positive). lia.
Qed.

Lemma sum_over_none : forall count term, count <= 0 -> sum_over count term = 0.
Proof. intros count term none. unfold sum_over. replace (Z.to_nat count) with O by lia. reflexivity. Qed.

Lemma sum_over_one_more : forall count term, 0 <= count ->
  sum_over (count + 1) term = sum_over count term + term count.
Proof.
  intros count term some. unfold sum_over.
  replace (Z.to_nat (count + 1)) with (S (Z.to_nat count)) by lia. simpl.
  rewrite Z2Nat.id by lia. reflexivity.
Qed.

Lemma count_up : forall (holds : Z -> Prop) count, 0 <= count -> holds 0 ->
  (forall k, 0 <= k < count -> holds k -> holds (k + 1)) -> holds count.
Proof.
  intros holds count some base step.
  assert (all : forall n : nat, Z.of_nat n <= count -> holds (Z.of_nat n)).
  { intro n. induction n as [|n IH]; intro few; [exact base|].
    replace (Z.of_nat (S n)) with (Z.of_nat n + 1) by lia. apply step; [lia|]. apply IH. lia. }
  rewrite <- (Z2Nat.id count some). apply all. lia.
Qed.

Lemma enough_numbers_of_a_chain : forall next term,
  (forall number, 1 < number -> next number < number) ->
  forall most more number, number <= Z.of_nat most -> number <= Z.of_nat more ->
  sum_along most number next term = sum_along more number next term.
Proof.
  intros next term descends. induction most as [|most IH]; intros [|more] number few few'; simpl.
  - reflexivity.
  - destruct (Z.leb_spec number 1); [reflexivity|lia].
  - destruct (Z.leb_spec number 1); [reflexivity|lia].
  - destruct (Z.leb_spec number 1) as [|above]; [reflexivity|].
    rewrite (IH more); [reflexivity| |]; specialize (descends number above); lia.
Qed.

Lemma sum_over_chain_ends : forall start next term, start <= 1 ->
  sum_over_chain start next term = 0.
Proof.
  intros start next term low. unfold sum_over_chain.
  destruct (Z.to_nat start); simpl; [reflexivity|].
  destruct (Z.leb_spec start 1); [reflexivity|lia].
Qed.

Lemma sum_over_chain_goes_on : forall start next term,
  (forall number, 1 < number -> next number < number) -> 1 < start ->
  sum_over_chain start next term = term start + sum_over_chain (next start) next term.
Proof.
  intros start next term descends above. unfold sum_over_chain.
  destruct (Z.to_nat start) as [|most] eqn:E; [lia|]. simpl.
  destruct (Z.leb_spec start 1); [lia|]. f_equal.
  specialize (descends start above) as lower.
  apply (enough_numbers_of_a_chain next term descends); lia.
Qed.
