(* The reduction bound as it is printed, l log n for all programs, is false in two ways (MOD theorem
   2, HMM table II; see docs/errata.md at row S5).

   First, data may decide whether a thread writes. The OR of n words takes two accesses on a DMM of
   width n: each thread reads a word, and the threads that have read a 1 write a 1 to one cell. If
   no thread writes, the cell still holds the 0 that it began with, and this is right.

   Second, data may decide where a thread reads. One word names the cell of another word. The named
   word depends on all words of the input, and a thread knows it after two reads. *)
From Coq Require Import Arith List Lia Bool.
From Bankproof Require Import Counting Access Programs.
Import ListNotations.

Inductive or_state := Begins | Has (bit : bool) | Done.

(* Cells 0 ... n - 1 hold the input, and cell n is for the result. *)
Definition or_program (n : nat) : program bool or_state := {|
  words := n;
  blank := false;
  born := fun _ => Begins;
  next := fun t s =>
    match s with
    | Begins => Read t Has
    | Has true => Write n true Done
    | _ => Ended
    end
|}.

Definition or_schedule (n l : nat) (x : input bool) : list (nat * nat) :=
  map (fun t => (0, t)) (seq 0 n) ++ map (fun t => (l, t)) (filter x (seq 0 n)).

Lemma legal_app : forall {V State} M (A : program V State) q q' now at_ s, legal M A now s q ->
  (forall e, In e q -> fst e <= at_) -> now <= at_ -> legal M A at_ (fold_left (serve M A) q s) q' ->
  legal M A now s (q ++ q').
Proof.
  intros V State M A q q' now at_. revert now.
  induction q as [|[a t] q IH]; intros now s Legal early L Rest; simpl in *.
  - destruct q' as [|[a t] q']; [exact I|]. simpl in Rest |- *. intuition lia.
  - destruct Legal as [T [N [R [E Legal]]]]. repeat (split; [assumption|]). apply IH; auto.
    apply (early (a, t)). auto.
Qed.

Section Or.
Variables n l : nat.
Let M := one_memory n l.
Let A := or_program n.

Lemma reading : forall (x : input bool) ts s, NoDup ts -> (forall t, In t ts -> t < n) ->
  (forall t, In t ts -> state s t = Begins /\ ready s t = 0 /\ memory s t = x t) ->
  let q := map (fun t => (0, t)) ts in let s' := fold_left (serve M A) q s in
  legal M A 0 s q /\ memory s' = memory s /\
  (forall t, In t ts -> state s' t = Has (x t) /\ ready s' t = l) /\
  (forall t, ~ In t ts -> state s' t = state s t /\ ready s' t = ready s t).
Proof.
  intros x ts. induction ts as [|t ts IH]; intros s N B F; [simpl; tauto|]. cbn [map fold_left legal].
  apply NoDup_cons_iff in N. destruct N as [fresh N].
  destruct (F t (or_introl eq_refl)) as [St [Rt Mt]].
  set (s1 := serve M A s (0, t)).
  assert (E : s1 = {| state := set (state s) t (Has (memory s t)); memory := memory s;
                      ready := set (ready s) t (0 + l) |}).
  { unfold s1, serve, asks. rewrite St. reflexivity. }
  destruct (IH s1 N) as [Legal [Mem [In_ Out]]].
  - intros u U. apply B. simpl. auto.
  - intros u U. rewrite E. simpl. unfold set. destruct (Nat.eqb_spec u t) as [->|]; [contradiction|].
    apply F. simpl. auto.
  - fold s1. split; [|split; [|split]].
    + repeat split; auto; try lia; [apply B; simpl; auto|]. unfold asks. rewrite St. discriminate.
    + rewrite Mem, E. reflexivity.
    + intros u [<-|U]; [|apply In_, U]. destruct (Out t fresh) as [-> ->]. rewrite E. simpl.
      unfold set. rewrite Nat.eqb_refl, Mt. auto.
    + intros u U. simpl in U. destruct (Out u) as [-> ->]; [tauto|]. rewrite E. simpl. unfold set.
      destruct (Nat.eqb_spec u t) as [->|]; [tauto|auto].
Qed.

Lemma writing : forall ts s, NoDup ts -> (forall t, In t ts -> t < n) ->
  (forall t, In t ts -> state s t = Has true /\ ready s t <= l) -> (forall t, ready s t <= 2 * l) ->
  let q := map (fun t => (l, t)) ts in let s' := fold_left (serve M A) q s in
  legal M A l s q /\ (forall t, ready s' t <= 2 * l) /\
  (forall t, In t ts -> state s' t = Done) /\ (forall t, ~ In t ts -> state s' t = state s t) /\
  memory s' n = orb (match ts with [] => false | _ => true end) (memory s n).
Proof.
  induction ts as [|t ts IH]; intros s N B F R; [simpl; tauto|]. cbn [map fold_left legal].
  apply NoDup_cons_iff in N. destruct N as [fresh N].
  destruct (F t (or_introl eq_refl)) as [St Rt].
  set (s1 := serve M A s (l, t)).
  assert (E : s1 = {| state := set (state s) t Done; memory := set (memory s) n true;
                      ready := set (ready s) t (l + l) |}).
  { unfold s1, serve, asks. rewrite St. reflexivity. }
  destruct (IH s1 N) as [Legal [early [In_ [Out Mem]]]].
  - intros u U. apply B. simpl. auto.
  - intros u U. rewrite E. simpl. unfold set. destruct (Nat.eqb_spec u t) as [->|]; [contradiction|].
    apply F. simpl. auto.
  - intro u. rewrite E. simpl. unfold set. destruct (u =? t); [lia|]. specialize (R u). lia.
  - fold s1. split; [|split; [exact early|split; [|split]]].
    + repeat split; auto; [apply B; simpl; auto|]. unfold asks. rewrite St. discriminate.
    + intros u [<-|U]; [|apply In_, U]. rewrite (Out t fresh), E. simpl. unfold set.
      rewrite Nat.eqb_refl. reflexivity.
    + intros u U. simpl in U. rewrite Out, E by tauto. simpl. unfold set.
      destruct (Nat.eqb_spec u t) as [->|]; [tauto|reflexivity].
    + rewrite Mem, E. simpl. unfold set. rewrite Nat.eqb_refl, orb_true_r. reflexivity.
Qed.

Lemma or_runs : forall x, complete_by M A (2 * l) x (or_schedule n l x) /\
  ended M A x (or_schedule n l x) /\ result M A n (or_schedule n l) x = existsb x (seq 0 n).
Proof.
  intro x. destruct (reading x (seq 0 n) (start A x)) as [Legal [Mem [In_ Out]]].
  - apply seq_NoDup.
  - intros t T. apply in_seq in T. lia.
  - intros t T. apply in_seq in T. simpl. rewrite (proj2 (Nat.ltb_lt t n)) by lia. auto.
  - set (s := fold_left (serve M A) (map (fun t => (0, t)) (seq 0 n)) (start A x)) in *.
    destruct (writing (filter x (seq 0 n)) s) as [Legal' [early [wrote [others Mem']]]].
    + apply NoDup_filter, seq_NoDup.
    + intros t T. apply filter_In in T. destruct T as [T _]. apply in_seq in T. lia.
    + intros t T. apply filter_In in T. destruct T as [T X]. destruct (In_ t T) as [-> ->].
      rewrite X. auto.
    + intro t. destruct (in_dec Nat.eq_dec t (seq 0 n)) as [T|T].
      * destruct (In_ t T) as [_ ->]. lia.
      * destruct (Out t T) as [_ ->]. simpl. lia.
    + unfold complete_by, ended, result, run, or_schedule. rewrite fold_left_app. fold s.
      split; [split|split].
      * apply (legal_app M A _ _ 0 l); auto; [|lia]. intros e E. apply in_map_iff in E.
        destruct E as [t [<- _]]. simpl. lia.
      * exact early.
      * intros t T. change (threads M) with n in T. unfold asks.
        destruct (in_dec Nat.eq_dec t (filter x (seq 0 n))) as [X|X].
        { rewrite wrote by exact X. reflexivity. }
        rewrite others by exact X. destruct (In_ t) as [-> _]; [apply in_seq; lia|]. simpl.
        rewrite filter_In, in_seq in X. destruct (x t); [exfalso; apply X; auto with arith|reflexivity].
      * rewrite Mem', Mem. simpl. rewrite Nat.ltb_irrefl, orb_false_r.
        clear. induction (seq 0 n) as [|t ts IH]; [reflexivity|]. simpl. destruct (x t); [reflexivity|].
        exact IH.
Qed.

Lemma or_depends_on_all_words : depends_on_all_words A (result M A n (or_schedule n l)).
Proof.
  intros i I. exists (fun _ => false), (fun j => j =? i). split.
  - intros j J. symmetry. apply Nat.eqb_neq, J.
  - rewrite (proj2 (proj2 (or_runs _))), (proj2 (proj2 (or_runs _))).
    assert (zeros : existsb (fun _ : nat => false) (seq 0 n) = false).
    { clear. induction (seq 0 n); simpl; auto. }
    assert (a_one : existsb (fun j => j =? i) (seq 0 n) = true).
    { apply existsb_exists. exists i. simpl in I. rewrite in_seq, Nat.eqb_refl. split; auto; lia. }
    rewrite zeros, a_one. discriminate.
Qed.

(* S5, refuted as printed. MOD theorem 2. For all n > 4: on a DMM of width n two accesses of at most
   one stage each, 2l in all, put the OR of the n words into cell n, and all threads have ended. The
   OR depends on all n words, and 2l < l ceil(log n). *)
Theorem printed_reduction_bound_is_false : 4 < n -> 0 < l ->
  (forall x, complete_by M A (2 * l) x (or_schedule n l x) /\ ended M A x (or_schedule n l x) /\
     result M A n (or_schedule n l) x = existsb x (seq 0 n)) /\
  dmm_stages n (map Some (seq 0 n)) = 1 /\
  (forall x : input bool, dmm_stages n (map (fun t => if x t then Some n else None) (seq 0 n)) <= 1) /\
  depends_on_all_words A (result M A n (or_schedule n l)) /\
  2 * l < l * Nat.log2_up (words A).
Proof.
  intros N L. split; [intro x; apply or_runs|]. split; [|split; [|split]].
  - apply (aligned_rows_take_one_stage n 0). lia.
  - intro x. apply conflict_free_iff; [lia|]. intros a b X Y _. apply in_requests, in_map_iff in X, Y.
    destruct X as [t [X _]], Y as [u [Y _]]. destruct (x t), (x u); congruence.
  - apply or_depends_on_all_words.
  - simpl words. assert (2 < Nat.log2_up n) by (apply (Nat.log2_up_lt_pow2 n 2); simpl; lia). nia.
Qed.
End Or.

(* ---- A word that another word names ---- *)

Inductive naming_state := Asks | Names (place : nat) | Found (word : nat) | Told.

(* A thread reads word 0, then the word that word 0 names, and writes it to cell n. *)
Definition naming_program (n : nat) : program nat naming_state := {|
  words := n;
  blank := 0;
  born := fun _ => Asks;
  next := fun t s =>
    match s with
    | Asks => Read 0 Names
    | Names place => Read (place mod n) Found
    | Found word => Write n word Told
    | Told => Ended
    end
|}.

Definition naming_schedule (l : nat) (x : input nat) : list (nat * nat) := [(0, 0); (l, 0); (2 * l, 0)].

(* S5, refuted as printed. MOD theorem 2. For all n > 8: one thread makes three requests, 3l in all,
   and has ended. Cell n then holds the word that word 0 names. This result depends on all n words,
   and 3l < l ceil(log n). *)
Theorem words_that_others_name_beat_the_printed_bound : forall n l, 8 < n -> 0 < l ->
  let M := one_memory 1 l in let A := naming_program n in
  (forall x, complete_by M A (3 * l) x (naming_schedule l x) /\ ended M A x (naming_schedule l x) /\
     result M A n (naming_schedule l) x = x (x 0 mod n)) /\
  depends_on_all_words A (result M A n (naming_schedule l)) /\
  3 * l < l * Nat.log2_up (words A).
Proof.
  intros n l N L M A.
  assert (told : forall x, result M A n (naming_schedule l) x = x (x 0 mod n)).
  { intro x. assert (B : x 0 mod n < n) by (apply Nat.mod_upper_bound; lia).
    unfold result, run, naming_schedule, start. simpl. unfold set. simpl.
    rewrite (proj2 (Nat.ltb_lt 0 n)) by lia. rewrite Nat.eqb_refl.
    rewrite (proj2 (Nat.ltb_lt _ n) B). reflexivity. }
  split; [|split].
  - intro x. split; [split|split; [|apply told]].
    + simpl. unfold asks, set. simpl. repeat split; try lia; discriminate.
    + intro t. unfold run, naming_schedule, start. simpl. unfold set. destruct (t =? 0); lia.
    + intros t T. simpl in T. replace t with 0 by lia. reflexivity.
  - intros i I. simpl in I. destruct (Nat.eq_dec i 0) as [->|pos].
    + exists (fun _ => 0), (fun j => if j =? 0 then n else 0). split.
      * intros j J. apply Nat.eqb_neq in J. rewrite J. reflexivity.
      * rewrite !told. simpl. rewrite Nat.mod_same by lia. simpl. lia.
    + exists (fun j => if j =? 0 then i else 0), (fun j => if j =? 0 then i else if j =? i then 1 else 0).
      split.
      * intros j J. apply Nat.eqb_neq in J. rewrite J. reflexivity.
      * rewrite !told. simpl. rewrite Nat.mod_small by exact I. apply Nat.eqb_neq in pos. rewrite pos.
        rewrite Nat.eqb_refl. discriminate.
  - simpl words. assert (3 < Nat.log2_up n) by (apply (Nat.log2_up_lt_pow2 n 3); simpl; lia). nia.
Qed.
