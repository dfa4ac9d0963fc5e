(* All programs of p threads on a memory with latency: what lower bounds are about (MOD 2, 4; HMM V).

   A thread is in a state; the state decides what it requests next, and what it reads decides which
   state follows. So addresses, and whether a thread makes a request at all, may depend on data. A
   thread learns nothing but what it reads: votes of a warp are no part of these programs. A run is
   a list of requests in the order in which the memory serves them: of writes to one cell by one
   access the last one listed wins, so that an order is a choice of winners. Three facts of the
   machines are kept, and no more: time does not go back; a thread waits for its last request, which
   takes at least the latency of its cell, before it makes the next one; a run is complete when all
   of its requests are. A run may be cut short: what holds of all runs holds of these too, and where
   it matters that all threads have ended, a theorem says so. What holds of all such runs holds of
   the DMM, of the UMM, and of the HMM, where a cell of a shared memory has latency l and one of the
   global memory L. *)
From Coq Require Import Arith List Lia Bool.
Import ListNotations.

Record machine := { threads : nat; latency : nat -> nat }.

(* All cells of a DMM or a UMM have latency l; those of an HMM l or L. *)
Definition one_memory (p l : nat) : machine := {| threads := p; latency := fun _ => l |}.
Definition hierarchy (p l L : nat) (is_global : nat -> bool) : machine :=
  {| threads := p; latency := fun cell => if is_global cell then L else l |}.

Inductive request (V State : Type) :=
| Read (cell : nat) (then_in : V -> State)
| Write (cell : nat) (word : V) (then_in : State)
| Ended.
Arguments Read {V State}.
Arguments Write {V State}.
Arguments Ended {V State}.

(* The input is in cells 0 ... words - 1; the others are blank. *)
Record program (V State : Type) := {
  words : nat;
  blank : V;
  born : nat -> State;
  next : nat -> State -> request V State
}.
Arguments words {V State}.
Arguments blank {V State}.
Arguments born {V State}.
Arguments next {V State}.

(* What an observer of the memory sees of a request: all but the words. *)
Inductive shape := Reads (cell : nat) | Writes (cell : nat) | Nothing.
Definition shape_of {V State} (r : request V State) : shape :=
  match r with Read cell _ => Reads cell | Write cell _ _ => Writes cell | Ended => Nothing end.

Definition set {A} (f : nat -> A) (k : nat) (v : A) : nat -> A := fun x => if x =? k then v else f x.

Definition input (V : Type) := nat -> V.

Record configuration (V State : Type) := {
  state : nat -> State;
  memory : nat -> V;
  ready : nat -> nat  (* when the thread's last request is complete *)
}.
Arguments state {V State}.
Arguments memory {V State}.
Arguments ready {V State}.

Section Runs.
Context {V State : Type} (M : machine) (A : program V State).

Definition start (x : input V) : configuration V State := {|
  state := born A;
  memory := fun cell => if cell <? words A then x cell else blank A;
  ready := fun _ => 0
|}.

Definition asks (s : configuration V State) (t : nat) : request V State := next A t (state s t).

(* At time `fst e` thread `snd e` is served. *)
Definition serve (s : configuration V State) (e : nat * nat) : configuration V State :=
  let (now, t) := e in
  match asks s t with
  | Read cell then_in => {|
      state := set (state s) t (then_in (memory s cell));
      memory := memory s;
      ready := set (ready s) t (now + latency M cell) |}
  | Write cell word then_in => {|
      state := set (state s) t then_in;
      memory := set (memory s) cell word;
      ready := set (ready s) t (now + latency M cell) |}
  | Ended => s
  end.

Fixpoint legal (now : nat) (s : configuration V State) (served : list (nat * nat)) : Prop :=
  match served with
  | [] => True
  | (at_, t) :: served =>
      t < threads M /\ now <= at_ /\ ready s t <= at_ /\ asks s t <> Ended /\
      legal at_ (serve s (at_, t)) served
  end.

Definition run (x : input V) (served : list (nat * nat)) : configuration V State :=
  fold_left serve served (start x).

(* A run that is legal and complete by time T. *)
Definition complete_by (T : nat) (x : input V) (served : list (nat * nat)) : Prop :=
  legal 0 (start x) served /\ forall t, ready (run x served) t <= T.

Fixpoint trace (s : configuration V State) (served : list (nat * nat)) : list (nat * shape) :=
  match served with
  | [] => []
  | (at_, t) :: served => (t, shape_of (asks s t)) :: trace (serve s (at_, t)) served
  end.

Lemma length_of_trace : forall served s, length (trace s served) = length served.
Proof. induction served as [|[at_ t] served IH]; intro s; simpl; auto. Qed.

(* No thread requests anything more. *)
Definition ended (x : input V) (served : list (nat * nat)) : Prop :=
  forall t, t < threads M -> asks (run x served) t = Ended.

Lemma ready_grows : forall served now s t, legal now s served ->
  ready s t <= ready (fold_left serve served s) t.
Proof.
  induction served as [|[at_ u] served IH]; intros now s t Legal; [reflexivity|].
  destruct Legal as [_ [_ [R [_ Rest]]]]. simpl. etransitivity; [|apply (IH at_), Rest].
  unfold serve. destruct (asks s u); simpl; unfold set; destruct (Nat.eqb_spec t u); subst; lia.
Qed.

(* The first of the requests of a legal run that is complete by T is served so early. *)
Lemma first_is_in_time : forall least T now s at_ t served, (forall cell, least <= latency M cell) ->
  legal now s ((at_, t) :: served) ->
  (forall u, ready (fold_left serve served (serve s (at_, t))) u <= T) -> at_ + least <= T.
Proof.
  intros least T now s at_ t served lat [_ [_ [R [asked Rest]]]] done.
  etransitivity; [|apply (done t)]. etransitivity; [|apply (ready_grows served at_), Rest].
  unfold serve. destruct (asks s t) as [cell ?|cell ? ?|] eqn:E; simpl; unfold set;
    rewrite ?Nat.eqb_refl;
    try (specialize (lat cell); lia). congruence.
Qed.

(* What a cell holds at the end. The requests that are served, and when, may be others for other
   inputs. *)
Definition result (cell : nat) (schedule : input V -> list (nat * nat)) (x : input V) : V :=
  memory (run x (schedule x)) cell.

(* For each input word there are two inputs that differ there alone and have different results. *)
Definition depends_on_all_words (f : input V -> V) : Prop :=
  forall i, i < words A -> exists x y, (forall j, j <> i -> x j = y j) /\ f x <> f y.
End Runs.

Lemma latency_of_hierarchy : forall p l L is_global cell,
  Nat.min l L <= latency (hierarchy p l L is_global) cell.
Proof. intros. simpl. destruct (is_global cell); lia. Qed.
