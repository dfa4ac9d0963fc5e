(* Bandwidth and latency: the least time of every program that accesses n words (MOD theorem 2; THS
   5.5, 6.4).

   A port serves one access after another, and needs k time units for an access of k stages. An
   access is made by one warp, so it has at most w requests. A thread makes at most one request in
   each period of one latency. *)
From Coq Require Import Arith List Lia Bool.
From Bankproof Require Import Counting Access Programs.
Import ListNotations.

(* ---- Bandwidth ---- *)

(* One port serves the accesses of a list in order, from time `free` on. The list gives the accesses
   and the times at which they are dispatched. An access a has at most w lanes and takes `stages a`
   time units of the port. All accesses are complete by time T. *)
Fixpoint port_serves (w l T : nat) (stages : access -> nat) (free : nat)
    (served : list (nat * access)) : Prop :=
  match served with
  | [] => True
  | (at_, a) :: served =>
      free <= at_ /\ length a <= w /\ at_ + stages a + l - 1 <= T /\
      port_serves w l T stages (at_ + stages a) served
  end.

Definition words_requested (served : list (nat * access)) : nat :=
  list_sum (map (fun e => length (requests (snd e))) served).

Lemma port_passes : forall w l T stages served free, 0 < l ->
  (forall a, requests a <> [] -> 1 <= stages a) ->
  port_serves w l T stages free served ->
  words_requested served = 0 \/ words_requested served + w * free <= w * (T + 1 - l).
Proof.
  intros w l T stages served free L busy. revert free.
  induction served as [|[at_ a] served IH]; intros free S; [left; reflexivity|].
  destruct S as [F [A [E Rest]]]. unfold words_requested in *.
  change (list_sum (map (fun e => length (requests (snd e))) ((at_, a) :: served)))
    with (length (requests a) + list_sum (map (fun e => length (requests (snd e))) served)).
  set (others := list_sum (map _ served)) in *. pose proof (requests_at_most_lanes a) as lanes.
  destruct (requests a) as [|x xs] eqn:R.
  - destruct (IH _ Rest) as [Z|P]; [left; rewrite Z; reflexivity|right]. simpl length. nia.
  - right. assert (1 <= stages a) by (apply busy; rewrite R; discriminate).
    assert (length (x :: xs) <= w * stages a) by nia.
    destruct (IH _ Rest) as [Z|P].
    + rewrite Z. assert (free + stages a <= T + 1 - l) by lia. nia.
    + nia.
Qed.

Lemma requests_take_a_stage : forall w a, 0 < w -> requests a <> [] ->
  1 <= dmm_stages w a /\ 1 <= umm_stages w a.
Proof.
  intros w a W R. pose proof (dmm_never_needs_more_stages_than_umm w a W).
  assert (dmm_stages w a <> 0) by (rewrite no_stage_iff; auto). lia.
Qed.

(* S5. MOD theorem 2. n requests through one port of a DMM or a UMM take at least n / w + l - 1 time
   units: n <= w (T - (l - 1)). *)
Theorem bandwidth : forall w l T served, 0 < w -> 0 < l ->
  port_serves w l T (dmm_stages w) 0 served \/ port_serves w l T (umm_stages w) 0 served ->
  words_requested served <= w * (T + 1 - l).
Proof.
  intros w l T served W L H.
  assert (passed : words_requested served = 0 \/ words_requested served + w * 0 <= w * (T + 1 - l)).
  { destruct H as [H|H]; apply port_passes in H; auto; intros a R;
      apply (requests_take_a_stage w a W R). }
  destruct passed; nia.
Qed.

(* S5, C1, C2, H8, A13. MOD theorem 2, THS 5.5, 6.4. Requests to one word may merge, so this theorem
   counts different words. Accesses to n different words through one port take at least n / w + l -
   1 time units. *)
Theorem bandwidth_of_different_words : forall w l T served words, 0 < w -> 0 < l ->
  port_serves w l T (dmm_stages w) 0 served \/ port_serves w l T (umm_stages w) 0 served ->
  NoDup words -> (forall x, In x words -> exists e, In e served /\ In x (requests (snd e))) ->
  length words <= w * (T + 1 - l).
Proof.
  intros w l T served words W L H once accessed. etransitivity; [|apply (bandwidth w l T served W L H)].
  assert (all : words_requested served = length (flat_map (fun e => requests (snd e)) served)).
  { unfold words_requested. clear. induction served as [|e served IH]; [reflexivity|].
    simpl flat_map. rewrite app_length, <- IH. reflexivity. }
  rewrite all. apply NoDup_incl_length; [exact once|]. intros x X. apply in_flat_map, accessed, X.
Qed.

(* With w = 4 and l = 5 a row of four words takes exactly as long as the bound says. *)
Example a_row_through_a_port : let served := [(0, map Some [0; 1; 2; 3])] in
  port_serves 4 5 5 (dmm_stages 4) 0 served /\ words_requested served = 4 * (5 + 1 - 5).
Proof. repeat split; auto. Qed.

(* S5, D6, I3, X3. HMM IX, OPT theorems 6 and 9. An HMM has a port for each of its d shared
   memories, and one for the global memory. Each port passes at most w words in a time unit. *)
Theorem bandwidth_of_all_ports : forall w T ports, 0 < w ->
  (forall served, In served ports -> exists l, 0 < l /\
     (port_serves w l T (dmm_stages w) 0 served \/ port_serves w l T (umm_stages w) 0 served)) ->
  list_sum (map words_requested ports) <= length ports * (w * T).
Proof.
  intros w T ports W. induction ports as [|served ports IH]; intro H; [simpl; lia|].
  destruct (H served (or_introl eq_refl)) as [l [L S]]. apply bandwidth in S; auto.
  assert (w * (T + 1 - l) <= w * T) by (apply Nat.mul_le_mono_l; lia).
  assert (list_sum (map words_requested ports) <= length ports * (w * T)).
  { apply IH. intros s I. apply H. simpl. auto. }
  simpl. lia.
Qed.

(* ---- Latency ---- *)

Definition time_of_threads {V State} (s : configuration V State) (p : nat) : nat :=
  list_sum (map (ready s) (seq 0 p)).

Lemma requests_take_their_latency : forall V State M (A : program V State) least served now s,
  (forall cell, least <= latency M cell) -> legal M A now s served ->
  length served * least + time_of_threads s (threads M) <=
  time_of_threads (fold_left (serve M A) served s) (threads M).
Proof.
  intros V State M A least served now s lat. revert now s.
  induction served as [|[at_ t] served IH]; intros now s Legal; [simpl; lia|].
  destruct Legal as [B [_ [R [asked Rest]]]]. specialize (IH _ _ Rest). simpl fold_left.
  set (s1 := serve M A s (at_, t)) in *. etransitivity; [|exact IH]. simpl length.
  assert (later : time_of_threads s (threads M) + least <= time_of_threads s1 (threads M)); [|lia].
  assert (own : exists cell, ready s1 = set (ready s) t (at_ + latency M cell)).
  { unfold s1, serve.
    destruct (asks A s t) as [c f|c v f|]; [exists c; reflexivity|exists c; reflexivity|].
    congruence. }
  destruct own as [cell own]. unfold time_of_threads. rewrite own, (seq_around t (threads M) B).
  rewrite !map_app, !list_sum_app. specialize (lat cell).
  assert (others : forall ts, ~ In t ts -> map (set (ready s) t (at_ + latency M cell)) ts =
    map (ready s) ts).
  { intros ts out. apply map_ext_in. intros u U. unfold set.
    destruct (Nat.eqb_spec u t) as [->|]; [contradiction|reflexivity]. }
  cbn [map]. rewrite !others by (rewrite in_seq; lia). unfold set. rewrite Nat.eqb_refl.
  change (list_sum (ready s t :: ?xs)) with (ready s t + list_sum xs). simpl list_sum. lia.
Qed.

(* S5, C2. MOD theorem 2, 3. n requests by p threads take at least n l / p, if the latency of each
   cell is l or more. *)
Theorem latency_bound : forall V State M (A : program V State) l T x served,
  (forall cell, l <= latency M cell) -> complete_by M A T x served ->
  length served * l <= threads M * T.
Proof.
  intros V State M A l T x served lat [Legal done].
  pose proof (requests_take_their_latency V State M A l served 0 (start A x) lat Legal) as R.
  assert (most : time_of_threads (run M A x served) (threads M) <= threads M * T).
  { unfold time_of_threads. rewrite <- (seq_length (threads M) 0) at 2.
    induction (seq 0 (threads M)) as [|t ts IH]; simpl; [lia|]. specialize (done t). lia. }
  unfold run in most. lia.
Qed.

(* S5, D6, A13. HMM IX, THS 6.4. On an HMM, n requests by p threads take at least n min(l, L) / p,
   since either memory may be the faster one. *)
Theorem latency_bound_of_the_hierarchy : forall V State (A : program V State) p l L is_global T x served,
  complete_by (hierarchy p l L is_global) A T x served -> length served * Nat.min l L <= p * T.
Proof.
  intros V State A p l L is_global T x served done.
  apply (latency_bound V State (hierarchy p l L is_global) A (Nat.min l L) T x served); auto.
  apply latency_of_hierarchy.
Qed.
