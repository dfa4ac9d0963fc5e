(* A program that adds up its input reads every word of it. So the program takes at least the time
   that the requests for these words take (MOD theorem 2).

   The result of the program must be right in whatever order its requests are served, and whichever
   of several writers wins. Suppose that no thread reads some word. If this word were larger by one,
   the run would not change, and would end with the old sum, which would be wrong. This argument
   holds for sums only: another result may depend on all words, and a program may compute it with
   two reads (Counterexamples.v). *)
From Coq Require Import Arith List Lia Bool.
From Bankproof Require Import Counting Access Programs Reduction Values Bandwidth.
Import ListNotations.

Section Reading.
Context {State : Type} (M : machine) (A : program nat State).

(* In every run, the cell holds the sum when all threads have ended. *)
Definition sums_its_input (cell : nat) : Prop := forall x served,
  legal M A 0 (start A x) served -> ended M A x served ->
  memory (run M A x served) cell = sum x (words A).

Definition alike_but_at (i : nat) (s s' : configuration nat State) : Prop :=
  (forall t, state s t = state s' t) /\ (forall t, ready s t = ready s' t) /\
  forall cell, cell <> i -> memory s cell = memory s' cell.

Lemma unread_words_tell_nothing : forall i served now s s', alike_but_at i s s' ->
  (forall t, ~ In (t, Reads i) (trace M A s served)) -> legal M A now s served ->
  legal M A now s' served /\
  alike_but_at i (fold_left (serve M A) served s) (fold_left (serve M A) served s').
Proof.
  intros i served. induction served as [|[at_ t] served IH]; intros now s s' same unread Legal.
  { split; auto. }
  destruct Legal as [T [N [W [asked Rest]]]]. destruct same as [St [Rd Mem]].
  assert (a : asks A s t = asks A s' t) by (unfold asks; rewrite St; reflexivity).
  assert (next_ : alike_but_at i (serve M A s (at_, t)) (serve M A s' (at_, t))).
  { unfold serve. rewrite <- a. destruct (asks A s t) as [c f|c v f|] eqn:E.
    - assert (read : memory s c = memory s' c).
      { apply Mem. intros ->. apply (unread t). simpl. rewrite E. left. reflexivity. }
      split; [|split]; simpl; intro u; unfold set; rewrite ?read; try (destruct (u =? t)); auto.
    - split; [|split]; simpl; intro u; unfold set.
      + destruct (u =? t); auto.
      + destruct (u =? t); auto.
      + destruct (u =? c); auto.
    - repeat split; auto. }
  destruct (IH at_ _ _ next_) as [L S]; [|exact Rest|].
  - intros u I. apply (unread u). simpl. auto.
  - split; [|exact S]. cbn [legal]. rewrite <- a, <- Rd. auto 10.
Qed.

Lemma sum_of_one_more : forall x i n, i < n -> sum (set x i (S (x i))) n = S (sum x n).
Proof.
  assert (same : forall f g n, (forall k, k < n -> f k = g k) -> sum f n = sum g n).
  { intros f g n H. induction n as [|n IH]; simpl; [reflexivity|]. rewrite IH, H; auto. }
  intros x i n. induction n as [|n IH]; intro L; [lia|]. simpl. unfold set at 2.
  destruct (Nat.eqb_spec n i) as [->|N]; [|rewrite IH; lia].
  rewrite (same _ x); [lia|]. intros k K. unfold set. destruct (Nat.eqb_spec k i); [lia|reflexivity].
Qed.

Definition reads_word (i : nat) (e : nat * shape) : bool :=
  match snd e with Reads cell => cell =? i | _ => false end.

Lemma reads_word_spec : forall i es, existsb (reads_word i) es = true <-> exists t, In (t, Reads i) es.
Proof.
  intros i es. rewrite existsb_exists. split.
  - intros [[t [c|c|]] [I E]]; try discriminate. apply Nat.eqb_eq in E. simpl in E. subst c. eauto.
  - intros [t I]. exists (t, Reads i). split; [exact I|]. apply Nat.eqb_refl.
Qed.

(* S5. bankproof. Every program whose result is the sum of its input reads every word of the input.
   *)
Theorem sums_read_every_word : forall cell x served, words A <= cell -> sums_its_input cell ->
  legal M A 0 (start A x) served -> ended M A x served ->
  forall i, i < words A -> exists t, In (t, Reads i) (trace M A (start A x) served).
Proof.
  intros cell x served beyond right Legal all i I. apply reads_word_spec.
  destruct (existsb (reads_word i) (trace M A (start A x) served)) eqn:none; [reflexivity|exfalso].
  set (y := set x i (S (x i))).
  destruct (unread_words_tell_nothing i served 0 (start A x) (start A y)) as [L [St [_ Mem]]]; auto.
  - repeat split. intros c C. simpl. destruct (c <? words A); [|reflexivity].
    unfold y, set. apply Nat.eqb_neq in C. rewrite C. reflexivity.
  - intros t X. rewrite (proj2 (reads_word_spec i _)) in none; [discriminate|eauto].
  - assert (ends : ended M A y served).
    { intros t T. unfold ended, run, asks in *. rewrite <- St. apply all, T. }
    pose proof (right x served Legal all) as of_x. pose proof (right y served L ends) as of_y.
    unfold run in of_x, of_y. rewrite <- Mem, of_x in of_y by lia. unfold y in of_y.
    rewrite sum_of_one_more in of_y by exact I. lia.
Qed.

(* S5. MOD theorem 2. So p threads take at least n l / p time units to sum n words. *)
Theorem latency_bound_of_sums : forall l T cell x served, words A <= cell -> sums_its_input cell ->
  (forall c, l <= latency M c) -> complete_by M A T x served -> ended M A x served ->
  words A * l <= threads M * T.
Proof.
  intros l T cell x served beyond right lat done all.
  pose proof (latency_bound nat State M A l T x served lat done) as bound.
  assert (many : words A <= length served); [|nia].
  set (cells := fun e : nat * shape => match snd e with Reads c => [c] | _ => [] end).
  rewrite <- (length_of_trace M A served (start A x)), <- (seq_length (words A) 0).
  rewrite <- (Nat.mul_1_l (length (trace _ _ _ _))). etransitivity.
  - apply (NoDup_incl_length (seq_NoDup _ _) (l' := flat_map cells (trace M A (start A x) served))).
    intros i I. apply in_seq in I. apply in_flat_map.
    destruct (sums_read_every_word cell x served beyond right (proj1 done) all i) as [t X]; [lia|].
    exists (t, Reads i). simpl. auto.
  - apply flat_map_length_at_most. intros [t [c|c|]] _; simpl; lia.
Qed.

(* S5. MOD theorem 2. If one port of a DMM or a UMM of width w serves all reads, the sum takes at
   least n / w + l - 1 time units. *)
Theorem bandwidth_bound_of_sums : forall w l T cell x served accesses, words A <= cell ->
  sums_its_input cell -> legal M A 0 (start A x) served -> ended M A x served ->
  (forall t c, In (t, Reads c) (trace M A (start A x) served) ->
     exists e, In e accesses /\ In c (requests (snd e))) ->
  0 < w -> 0 < l ->
  port_serves w l T (dmm_stages w) 0 accesses \/ port_serves w l T (umm_stages w) 0 accesses ->
  words A <= w * (T + 1 - l).
Proof.
  intros w l T cell x served accesses beyond right Legal all asked W L port.
  rewrite <- (seq_length (words A) 0).
  apply (bandwidth_of_different_words w l T accesses); auto; [apply seq_NoDup|].
  intros i I. apply in_seq in I.
  destruct (sums_read_every_word cell x served beyond right Legal all i) as [t X]; [lia|].
  apply (asked t), X.
Qed.
End Reading.

(* ---- An example: one thread adds two words ---- *)

Inductive adding := Begins | Has (a : nat) | HasBoth (a b : nat) | Done.

Definition adds_two : program nat adding := {|
  words := 2;
  blank := 0;
  born := fun _ => Begins;
  next := fun _ s =>
    match s with
    | Begins => Read 0 Has
    | Has a => Read 1 (HasBoth a)
    | HasBoth a b => Write 2 (a + b) Done
    | Done => Ended
    end
|}.

Definition one_after_another (l : nat) (x : input nat) : list (nat * nat) := [(0, 0); (l, 0); (2 * l, 0)].

(* The program is oblivious, its result depends on both words, and it is right whenever its requests
   are served. *)
Example adds_two_meets_the_premises : forall l, let M := one_memory 1 l in
  sums_its_input M adds_two 2 /\ oblivious M adds_two (one_after_another l) /\
  (forall x, complete_by M adds_two (3 * l) x (one_after_another l x) /\
     ended M adds_two x (one_after_another l x)) /\
  depends_on_all_words adds_two (result M adds_two 2 (one_after_another l)).
Proof.
  intros l M. split; [|split; [|split]].
  - (* A run that has ended has three requests of thread 0. *)
    assert (zero : forall t, t < threads M -> t = 0) by (intro t; simpl; lia).
    intros x served Legal all. specialize (all 0 ltac:(simpl; lia)).
    destruct served as [|[a t] served]; [discriminate|]. destruct Legal as [T [_ [_ [_ Legal]]]].
    apply zero in T. subst t.
    destruct served as [|[b t] served]; [discriminate|]. destruct Legal as [T [_ [_ [_ Legal]]]].
    apply zero in T. subst t.
    destruct served as [|[c t] served]; [discriminate|]. destruct Legal as [T [_ [_ [_ Legal]]]].
    apply zero in T. subst t.
    destruct served as [|[d t] served]; [reflexivity|]. destruct Legal as [T [_ [_ [more _]]]].
    apply zero in T. subst t. exfalso. apply more. reflexivity.
  - intros x y. split; reflexivity.
  - intro x. split; [split|].
    + simpl. unfold asks, set. simpl. repeat split; try lia; discriminate.
    + intro t. unfold run, one_after_another. simpl. unfold set. destruct (t =? 0); lia.
    + intros t T. simpl in T. replace t with 0 by lia. reflexivity.
  - intros i I. exists (fun _ => 0), (fun j => if j =? i then 1 else 0). split.
    + intros j J. apply Nat.eqb_neq in J. rewrite J. reflexivity.
    + simpl in I. destruct i as [|[|i]]; [discriminate|discriminate|lia].
Qed.
