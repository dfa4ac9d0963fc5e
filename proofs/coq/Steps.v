(* The steps of the proofs that the program writes (proofs/scripts/): the laws that the solvers are
   told, inductions, and the tactics that decide goals. *)
From Coq Require Import ZArith Lia ZifyBool.
From Bankproof Require Import Written.
Open Scope Z_scope.

(* Names of parts of formulas are as good as unknown numbers. *)
Ltac forget_parts := repeat match goal with part := _ |- _ => clearbody part end.

(* Implications whose premises follow from the other facts give their conclusions. The decision of
   what is left takes long if it has to try each of them. *)
Ltac forget_implications :=
  repeat match goal with H : ?P -> ?Q |- _ => match type of P with Prop => clear H end end.
Ltac use_implications :=
  repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : ?P -> ?Q |- _ =>
      match type of P with Prop => idtac end;
      let premise := fresh in
      assert (premise : P) by (forget_implications; lia); specialize (H premise); clear premise
  end.

(* Each part of a statement by itself: the decision takes longer for several at once. *)
Ltac each_part :=
  lazymatch goal with
  | |- _ /\ _ => split; each_part
  | |- ?P -> _ => let premise := fresh in intro premise; each_part
  | |- ~ _ => let contrary := fresh in intro contrary; each_part
  | _ => use_implications; first [solve [forget_implications; lia] | lia]
  end.
Ltac linear := forget_parts; each_part.

(* Two goals: one in which a comparison holds, and one in which it does not. *)
Ltac cases_of P is :=
  lazymatch P with
  | ?A < ?B => destruct (Z_lt_le_dec A B) as [is|is]
  | ?A <= ?B => destruct (Z_le_gt_dec A B) as [is|is]
  | ?A = ?B => destruct (Z.eq_dec A B) as [is|is]
  end.

(* Functions have the same values at the same numbers. *)
Ltac alike a b :=
  let A := eval unfold a in a in
  let B := eval unfold b in b in
  lazymatch A with
  | ?f ?w ?x ?y ?z => lazymatch B with f ?w' ?x' ?y' ?z' =>
      assert (w = w' -> x = x' -> y = y' -> z = z' -> a = b) by (intros; unfold a, b; congruence)
    end
  | ?f ?x ?y ?z => lazymatch B with f ?x' ?y' ?z' =>
      assert (x = x' -> y = y' -> z = z' -> a = b) by (intros; unfold a, b; congruence) end
  | ?f ?x ?y => lazymatch B with f ?x' ?y' =>
      assert (x = x' -> y = y' -> a = b) by (intros; unfold a, b; congruence) end
  | ?f ?x => lazymatch B with f ?x' =>
      assert (x = x' -> a = b) by (intros; unfold a, b; congruence) end
  end.

Lemma times_at_most : forall c a b, 0 <= c -> a <= b -> c * a <= c * b.
Proof. intros. apply Z.mul_le_mono_nonneg_l; assumption. Qed.
Lemma times_below : forall c a b, 0 <= c -> a < b -> c * (a + 1) <= c * b.
Proof. intros. apply Z.mul_le_mono_nonneg_l; lia. Qed.
Lemma times_equal : forall c a b : Z, a = b -> c * a = c * b.
Proof. intros c a b []. reflexivity. Qed.

(* A proof of what H says, with both sides of its comparisons multiplied by c. *)
Ltac multiple H c count :=
  let t := type of H in
  lazymatch t with
  | ?P /\ ?Q =>
      let a := constr:(proj1 H) in let b := constr:(proj2 H) in
      let a := multiple a c count in let b := multiple b c count in constr:(conj a b)
  | ?a <= ?b => constr:(times_at_most c a b count H)
  | ?a < ?b => constr:(times_below c a b count H)
  | ?a = ?b => constr:(times_equal c a b H)
  | ?P \/ ?Q =>
      constr:(match H with
              | or_introl case' => or_introl ltac:(let r := multiple case' c count in exact r)
              | or_intror case' => or_intror ltac:(let r := multiple case' c count in exact r)
              end)
  | ?P -> ?Q => let premise := fresh in constr:(fun premise : P =>
        ltac:(let h := constr:(H premise) in let r := multiple h c count in exact r))
  | _ => H
  end.
Ltac multiply name H c count := let r := multiple H c count in pose proof r as name.

(* A product of factors that are not negative. *)
Ltac product :=
  forget_parts; repeat first [assumption | apply Z.mul_nonneg_nonneg]; first [lia | nia].

(* A law of arithmetic, whose results have names. *)
Ltac law proof := let H := fresh in pose proof proof as H; first [exact H | clear - H; linear].
Ltac law_with count proof :=
  let H := fresh in pose proof proof as H; clear - H count; linear.

(* What a choice is under its condition, or under the contrary. *)
Ltac choose part :=
  let p := fresh in intro p; unfold part;
  let is := fresh in
  match goal with |- (if ?condition then _ else _) = _ => destruct condition eqn:is end;
  first [reflexivity | exfalso; clear - p is; linear].

(* An invariant at the begin of a sum: there it may name the least place instead of the smaller one
   of this place and a count. *)
Lemma smaller_is_first : forall a b, a <= b -> (if negb (b <=? a) then a else b) = a.
Proof. intros a b least. destruct (Z.leb_spec b a); simpl; lia. Qed.
Ltac at_least :=
  first
    [ assumption
    | match goal with some : ?low <= ?number |- _ <= ?number => clear - some; lia end
    | match goal with some : ?low < ?number |- _ <= ?number => clear - some; lia end
    | match goal with some : ?P -> ?low <= ?number |- _ <= ?number => apply some; linear end
    | apply Z.mul_nonneg_nonneg; at_least ].
Ltac begins shown :=
  first
    [ exact shown
    | repeat match goal with
      | |- context [if negb (?b <=? 0 * ?step) then 0 * ?step else ?b] =>
          rewrite (smaller_is_first (0 * step) b); [|change (0 <= b); at_least]
      | |- context [if negb (?b <=? 1) then 1 else ?b] =>
          rewrite (smaller_is_first 1 b); [|at_least]
      end; exact shown ].

(* An instance of what has been shown for all numbers of a scope. *)
Ltac instance :=
  match goal with shown : forall _, _ |- _ => apply shown; solve [assumption | linear] end.

(* Two names of the same part. *)
Ltac equal_parts :=
  first
    [ reflexivity | lia
    | match goal with |- (if ?a then _ else _) = (if ?b then _ else _) =>
        destruct a eqn:?; destruct b eqn:?; equal_parts
      end
    | match goal with |- context [if ?a then _ else _] =>
        lazymatch a with context [if _ then _ else _] => fail | _ => idtac end;
        destruct a eqn:?; solve [equal_parts]
      end
    | progress f_equal; equal_parts ].
Ltac same :=
  clear; repeat match goal with part := _ |- _ => subst part end; equal_parts.

Lemma from_to : forall (holds : Z -> Prop) first last, holds first ->
  (forall k, first <= k -> k < last -> holds k -> holds (k + 1)) -> first <= last -> holds last.
Proof.
  intros holds first last base step some.
  replace last with (first + (last - first)) by lia.
  apply (count_up (fun k => holds (first + k))); [lia| |].
  - replace (first + 0) with first by lia. exact base.
  - intros k bounds so_far. replace (first + (k + 1)) with (first + k + 1) by lia.
    apply step; [lia|lia|exact so_far].
Qed.

Lemma quotient_law : forall a b q r, q = a / b -> r = a mod b ->
  0 < b -> a = b * q + r /\ 0 <= r /\ r < b.
Proof.
  intros a b q r -> -> positive.
  pose proof (Z.div_mod a b). pose proof (Z.mod_pos_bound a b positive). lia.
Qed.
Lemma quotient_is_count : forall a b q, q = a / b -> 0 < b /\ 0 <= a -> 0 <= q.
Proof. intros a b q -> [positive count]. apply Z.div_pos; assumption. Qed.
Lemma quotient_of_0 : forall b q r, q = 0 / b -> r = 0 mod b -> 0 < b -> q = 0 /\ r = 0.
Proof. intros b q r -> -> positive. split; [apply Z.div_0_l|apply Z.mod_0_l]; lia. Qed.
Lemma ceiling_law : forall a b q, q = ceiling a b -> 0 < b -> a <= b * q /\ b * q < a + b.
Proof. intros a b q -> positive. exact (ceiling_is_the_least a b positive). Qed.
Lemma ceiling_is_count : forall a b q, q = ceiling a b -> 0 < b /\ 0 <= a -> 0 <= q.
Proof.
  intros a b q -> [positive count]. pose proof (ceiling_is_the_least a b positive) as [low high].
  destruct (Z_lt_le_dec (ceiling a b) 0); nia.
Qed.
Lemma smaller_law : forall a b s, s = (if negb (b <=? a) then a else b) -> s <= a /\ s <= b.
Proof. intros a b s ->. destruct (Z.leb_spec b a); simpl; lia. Qed.
Lemma larger_law : forall a b s, s = (if negb (b <=? a) then b else a) -> a <= s /\ b <= s.
Proof. intros a b s ->. destruct (Z.leb_spec b a); simpl; lia. Qed.
Lemma equals_times : forall b x y : Z, x = y -> b * x = b * y.
Proof. intros b x y []. reflexivity. Qed.
Lemma power_is_positive : forall k p, p = 2 ^ k -> 0 <= k -> 1 <= p.
Proof. intros k p -> count. pose proof (Z.pow_pos_nonneg 2 k). lia. Qed.
Lemma powers_double : forall k p q, p = 2 ^ k -> q = 2 ^ (k + 1) -> 0 <= k -> q = 2 * p.
Proof. intros k p q -> -> count. rewrite Z.pow_add_r by lia. lia. Qed.
Lemma logarithm_is_count : forall n k, k = Z.log2_up n -> 0 <= k.
Proof. intros n k ->. apply Z.log2_up_nonneg. Qed.
Lemma logarithm_law : forall n k p, k = Z.log2_up n -> p = 2 ^ k -> 1 <= n ->
  n <= p /\ (n = 1 -> k = 0) /\ (1 < n -> 1 <= k /\ p < 2 * n).
Proof.
  intros n k p -> -> some.
  destruct (Z.eq_dec n 1) as [->|other]; [rewrite Z.log2_up_1; simpl; lia|].
  pose proof (Z.log2_up_spec n ltac:(lia)) as [low high].
  pose proof (Z.log2_up_pos n ltac:(lia)) as positive.
  replace (Z.log2_up n) with (Z.pred (Z.log2_up n) + 1) in high |- * by lia.
  rewrite Z.pow_add_r in * by lia. replace (Z.pred (Z.log2_up n) + 1) with (Z.log2_up n) by lia.
  lia.
Qed.
Lemma divisor_law : forall a b g x y, g = Z.gcd a b -> x = a / g -> y = b / g ->
  1 <= a /\ 1 <= b ->
  a = g * x /\ b = g * y /\ g <= a /\ g <= b /\ 1 <= g /\ 1 <= x /\ 1 <= y.
Proof.
  intros a b g x y -> -> -> [some_a some_b].
  pose proof (Z.gcd_nonneg a b).
  destruct (Z.gcd_divide_l a b) as [u of_a]. destruct (Z.gcd_divide_r a b) as [v of_b].
  assert (Z.gcd a b <> 0) by (intro none; apply Z.gcd_eq_0_l in none; lia).
  assert (a / Z.gcd a b = u) as -> by (rewrite of_a at 1; apply Z.div_mul; assumption).
  assert (b / Z.gcd a b = v) as -> by (rewrite of_b at 1; apply Z.div_mul; assumption).
  assert (1 <= u) by nia. assert (1 <= v) by nia. nia.
Qed.

Lemma cofactors : forall a b g, g = Z.gcd a b ->
  exists x y, 1 <= a /\ 1 <= b -> g = a * x + b * y.
Proof.
  intros a b g ->. destruct (Z.gcd_bezout a b _ eq_refl) as (x & y & equal).
  exists x, y. intros _. rewrite <- equal. ring.
Qed.
Lemma divisor_is_count : forall a b g x y, g = Z.gcd a b -> x = a / g -> y = b / g ->
  0 <= a /\ 0 <= b -> 0 <= g /\ 0 <= x /\ 0 <= y.
Proof.
  intros a b g x y -> -> -> [count_a count_b]. pose proof (Z.gcd_nonneg a b) as count.
  destruct (Z.eq_dec (Z.gcd a b) 0) as [none|some].
  - rewrite none, !Zdiv_0_r. lia.
  - repeat split; [exact count|apply Z.div_pos; lia|apply Z.div_pos; lia].
Qed.
