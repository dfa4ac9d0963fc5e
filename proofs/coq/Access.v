(* The number of stages that an access of a warp takes on the DMM and the UMM (THS 3.1, 5.1; MOD 2;
   HMM II).

   An access is a list of lanes: the address that a lane requests, or None where it is idle.
   Address a lies in bank a mod w and in address group a / w. A stage of a DMM serves at most one
   address of each bank, a stage of a UMM the addresses of one group.

   Example, w = 4 (THS figure 3.3): 7, 5, 15, 0 take 2 stages on the DMM, since 7 and 15 lie in bank
   3. They take 3 stages on the UMM, since their groups are 1, 1, 3, 0. *)
From Coq Require Import Arith List Lia Permutation Bool.
From Bankproof Require Import Counting.
Import ListNotations.

Definition access := list (option nat).

Definition requests (a : access) : list nat :=
  flat_map (fun lane => match lane with Some x => [x] | None => [] end) a.

Definition distinct : list nat -> list nat := nodup Nat.eq_dec.

Definition words_in_bank (w : nat) (a : access) (bank : nat) : list nat :=
  distinct (filter (fun x => x mod w =? bank) (requests a)).

(* M1, by definition: the number of distinct addresses in the fullest bank. *)
Definition dmm_stages (w : nat) (a : access) : nat :=
  list_max (map (fun bank => length (words_in_bank w a bank)) (seq 0 w)).

(* M2, by definition: the number of distinct address groups. *)
Definition groups (w : nat) (a : access) : list nat := distinct (map (fun x => x / w) (requests a)).
Definition umm_stages (w : nat) (a : access) : nat := length (groups w a).

(* In a round each warp makes one access. Let k be the sum of the stages of these accesses. The
   round takes k + l - 1 time units, or 0 if k is 0. *)
Definition round_stages (stages : access -> nat) (round : list access) : nat :=
  list_sum (map stages round).
Definition lockstep_time (l k : nat) : nat := if k =? 0 then 0 else k + l - 1.

Lemma in_requests : forall a x, In x (requests a) <-> In (Some x) a.
Proof.
  intros a x. unfold requests. rewrite in_flat_map. split.
  - intros [[y|] [Y X]]; simpl in X; [|contradiction]. destruct X as [<-|[]]. exact Y.
  - intro X. exists (Some x). simpl; auto.
Qed.

Lemma requests_at_most_lanes : forall a, length (requests a) <= length a.
Proof.
  intro a. unfold requests. rewrite <- (Nat.mul_1_l (length a)). apply flat_map_length_at_most.
  intros [x|] _; simpl; lia.
Qed.

Lemma in_words_in_bank : forall w a bank x,
  In x (words_in_bank w a bank) <-> In x (requests a) /\ x mod w = bank.
Proof. intros. unfold words_in_bank, distinct. rewrite nodup_In, filter_In, Nat.eqb_eq. tauto. Qed.

Lemma in_groups : forall w a g, In g (groups w a) <-> exists x, In x (requests a) /\ x / w = g.
Proof.
  intros. unfold groups, distinct. rewrite nodup_In, in_map_iff. firstorder.
Qed.

(* ---- The two definitions count the fewest stages that the machine's rule allows ---- *)

(* Each address is served in one of k stages. The addresses of one stage lie in different banks. *)
Definition served_by_banks (w : nat) (xs : list nat) (k : nat) : Prop :=
  exists stage : nat -> nat, (forall x, In x xs -> stage x < k) /\
    forall x y, In x xs -> In y xs -> stage x = stage y -> x mod w = y mod w -> x = y.

(* Each address is served in one of k stages. The addresses of one stage lie in one group. *)
Definition served_by_groups (w : nat) (xs : list nat) (k : nat) : Prop :=
  exists stage : nat -> nat, (forall x, In x xs -> stage x < k) /\
    forall x y, In x xs -> In y xs -> stage x = stage y -> x / w = y / w.

(* M1. THS 3.1. A DMM can serve an access in k stages if and only if k is at least dmm_stages. *)
Theorem dmm_stages_are_the_fewest : forall w a k, 0 < w ->
  dmm_stages w a <= k <-> served_by_banks w (requests a) k.
Proof.
  intros w a k W. unfold dmm_stages. rewrite list_max_le, Forall_forall. split.
  - intro M. exists (fun x => position x (words_in_bank w a (x mod w))).
    assert (own : forall x, In x (requests a) -> In x (words_in_bank w a (x mod w))).
    { intros x X. apply in_words_in_bank. auto. }
    split.
    + intros x X. eapply Nat.lt_le_trans; [apply position_below, own, X|]. apply M.
      apply in_map_iff. exists (x mod w). split; [reflexivity|]. apply in_seq.
      pose proof (Nat.mod_upper_bound x w). lia.
    + intros x y X Y E B. apply (position_injective (words_in_bank w a (x mod w))); auto.
      * rewrite B. auto.
      * simpl. rewrite B at 2. exact E.
  - intros [stage [below apart]] n N. apply in_map_iff in N. destruct N as [bank [<- _]].
    apply (injected_below stage).
    + apply NoDup_nodup.
    + intros x y X Y E. apply in_words_in_bank in X, Y. apply apart; intuition congruence.
    + intros x X. apply in_words_in_bank in X. apply below. tauto.
Qed.

(* M2. THS 3.1. A UMM can serve an access in k stages if and only if k is at least umm_stages. *)
Theorem umm_stages_are_the_fewest : forall w a k,
  umm_stages w a <= k <-> served_by_groups w (requests a) k.
Proof.
  intros w a k. unfold umm_stages. split.
  - intro M. exists (fun x => position (x / w) (groups w a)).
    assert (own : forall x, In x (requests a) -> In (x / w) (groups w a)).
    { intros x X. apply in_groups. eauto. }
    split.
    + intros x X. eapply Nat.lt_le_trans; [apply position_below, own, X|exact M].
    + intros x y X Y E. apply (position_injective (groups w a)); auto.
  - intros [stage [below together]].
    set (some_of := fun g => find (fun x => x / w =? g) (requests a)).
    assert (found : forall g, In g (groups w a) ->
              exists x, some_of g = Some x /\ In x (requests a) /\ x / w = g).
    { intros g G. apply in_groups in G. destruct G as [y [Y E]].
      destruct (some_of g) as [x|] eqn:F.
      - apply find_some in F. rewrite Nat.eqb_eq in F. exists x. tauto.
      - apply (find_none _ _ F) in Y. rewrite E, Nat.eqb_refl in Y. discriminate. }
    apply (injected_below (fun g => match some_of g with Some x => stage x | None => 0 end)).
    + apply NoDup_nodup.
    + intros g g' G G' E. destruct (found g G) as [x [F [X <-]]], (found g' G') as [y [F' [Y <-]]].
      rewrite F, F' in E. auto.
    + intros g G. destruct (found g G) as [x [-> [X _]]]. auto.
Qed.

(* M8. HMM II. Requests to one address merge, and it does not matter which lane makes which request:
   accesses to the same words take the same stages. *)
Theorem same_words_take_the_same_stages : forall w a b, 0 < w ->
  (forall x, In x (requests a) <-> In x (requests b)) ->
  dmm_stages w a = dmm_stages w b /\ umm_stages w a = umm_stages w b.
Proof.
  assert (half : forall w a b, 0 < w -> (forall x, In x (requests a) <-> In x (requests b)) ->
            dmm_stages w a <= dmm_stages w b /\ umm_stages w a <= umm_stages w b).
  { intros w a b W E. split.
    - apply dmm_stages_are_the_fewest; [exact W|].
      destruct (proj1 (dmm_stages_are_the_fewest w b _ W) (Nat.le_refl _)) as [stage [B A]].
      exists stage. split; intros *; rewrite ?E; auto.
    - apply umm_stages_are_the_fewest.
      destruct (proj1 (umm_stages_are_the_fewest w b _) (Nat.le_refl _)) as [stage [B A]].
      exists stage. split; intros *; rewrite ?E; auto. }
  intros w a b W E. destruct (half w a b W E). destruct (half w b a W) as [? ?].
  - intro x. symmetry. apply E.
  - lia.
Qed.

(* ---- Conflict-free and coalesced accesses ---- *)

Definition conflict_free (w : nat) (a : access) : Prop :=
  forall x y, In x (requests a) -> In y (requests a) -> x mod w = y mod w -> x = y.
Definition coalesced (w : nat) (a : access) : Prop :=
  forall x y, In x (requests a) -> In y (requests a) -> x / w = y / w.

Lemma conflict_free_iff : forall w a, 0 < w -> conflict_free w a <-> dmm_stages w a <= 1.
Proof.
  intros w a W. rewrite dmm_stages_are_the_fewest by exact W. split.
  - intro C. exists (fun _ => 0). split; [lia|]. intros x y X Y _. apply C; auto.
  - intros [stage [B A]] x y X Y. apply A; auto. specialize (B x X) as Bx. specialize (B y Y). lia.
Qed.

Lemma coalesced_iff : forall w a, coalesced w a <-> umm_stages w a <= 1.
Proof.
  intros w a. rewrite umm_stages_are_the_fewest. split.
  - intro C. exists (fun _ => 0). split; [lia|]. intros x y X Y _. apply C; auto.
  - intros [stage [B A]] x y X Y. apply A; auto. specialize (B x X) as Bx. specialize (B y Y). lia.
Qed.

Lemma no_stage_iff : forall w a, 0 < w -> dmm_stages w a = 0 <-> requests a = [].
Proof.
  intros w a W. split.
  - intro Z. destruct (proj1 (dmm_stages_are_the_fewest w a 0 W)) as [stage [B _]]; [lia|].
    destruct (requests a) as [|x xs]; [reflexivity|]. specialize (B x (or_introl eq_refl)). lia.
  - intro E. apply Nat.le_0_r, dmm_stages_are_the_fewest; [exact W|]. rewrite E.
    exists (fun _ => 0). split; intros x X; contradiction.
Qed.

(* M1. THS 3.1. An access takes one stage of a DMM if and only if it requests a word, and the
   different words that it requests lie in different banks. *)
Theorem conflict_free_accesses_take_one_stage : forall w a, 0 < w ->
  dmm_stages w a = 1 <-> requests a <> [] /\ conflict_free w a.
Proof.
  intros w a W. rewrite conflict_free_iff, <- (no_stage_iff w) by exact W. lia.
Qed.

(* M9. THS 5.1. The DMM never needs more stages than the UMM. *)
Theorem dmm_never_needs_more_stages_than_umm : forall w a, 0 < w -> dmm_stages w a <= umm_stages w a.
Proof.
  intros w a W. apply dmm_stages_are_the_fewest; [exact W|].
  destruct (proj1 (umm_stages_are_the_fewest w a _) (Nat.le_refl _)) as [stage [B A]].
  exists stage. split; [exact B|]. intros x y X Y S M. apply (by_row_and_column w); auto.
Qed.

(* M9. THS 5.1. A coalesced access has no bank conflict. *)
Theorem coalesced_accesses_are_conflict_free : forall w a, 0 < w -> coalesced w a -> conflict_free w a.
Proof.
  intros w a W C. apply conflict_free_iff; [exact W|]. apply coalesced_iff in C.
  pose proof (dmm_never_needs_more_stages_than_umm w a W). lia.
Qed.

(* M1, M2. THS 3.1. An access takes no more stages than it has lanes, on either machine. *)
Theorem stages_are_at_most_the_lanes : forall w a, 0 < w ->
  dmm_stages w a <= umm_stages w a /\ umm_stages w a <= length a.
Proof.
  intros w a W. split; [apply dmm_never_needs_more_stages_than_umm, W|].
  transitivity (length (requests a)); [|apply requests_at_most_lanes].
  apply umm_stages_are_the_fewest. exists (fun x => position x (requests a)). split.
  - intros x X. apply position_below, X.
  - intros x y X Y E. f_equal. apply (position_injective (requests a)); auto.
Qed.

(* C1. HMM IV. The w words of an aligned row lie in one group and in w banks. They take one stage on
   both machines. *)
Theorem aligned_rows_take_one_stage : forall w k, 0 < w ->
  dmm_stages w (map Some (seq (k * w) w)) = 1 /\ umm_stages w (map Some (seq (k * w) w)) = 1.
Proof.
  intros w k W. set (a := map Some (seq (k * w) w)).
  assert (C : umm_stages w a <= 1).
  { apply coalesced_iff. assert (R : forall x, In x (requests a) -> x / w = k).
    { intros x X. apply in_requests, in_map_iff in X. destruct X as [y [E Y]]. injection E as ->.
      apply in_seq in Y. replace x with (k * w + (x - k * w)) by lia. apply row_of. lia. }
    intros x y X Y. rewrite (R x X), (R y Y). reflexivity. }
  pose proof (dmm_never_needs_more_stages_than_umm w a W).
  assert (dmm_stages w a <> 0); [|lia].
  rewrite no_stage_iff by exact W. intro E.
  assert (X : In (k * w) (requests a)); [|rewrite E in X; contradiction].
  apply in_requests, in_map, in_seq. lia.
Qed.

(* A round in which each warp takes one stage has as many stages as warps. *)
Lemma round_of_single_stages : forall stages round, (forall a, In a round -> stages a = 1) ->
  round_stages stages round = length round.
Proof. intros stages round H. unfold round_stages. rewrite (list_sum_constant _ 1); auto; lia. Qed.

Example ths_figure_3_3 : let a := map Some [7; 5; 15; 0] in dmm_stages 4 a = 2 /\ umm_stages 4 a = 3.
Proof. split; reflexivity. Qed.
