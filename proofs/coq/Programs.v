(* All programs of p threads on a memory with latency. The lower bounds hold for these programs (MOD
   2, 4; HMM V).

   A thread is in a state. The state decides what the thread requests next, and the word that the
   thread reads decides which state follows. So data may decide addresses, and whether a thread
   makes a request at all. A thread learns of other threads only by reading memory: these programs
   have no votes of a warp.

   A run is a list of requests, in the order in which the memory serves them. If several threads
   write to one cell in one access, the last of these requests in the list wins, so the order
   decides which request wins. The definitions keep only three facts about the machines. Time does
   not go back. A thread makes its next request when its last request is complete, which takes at
   least the latency of the cell. A run is complete when all of its requests are complete.

   A run may be cut short, so a fact about all runs also holds for runs that were cut short. A
   theorem that needs all threads to have ended says so. A fact about all runs holds for the DMM and
   for the UMM. It also holds for the HMM, where a cell of a shared memory has latency l, and a cell
   of the global memory has latency L. *)
From Coq Require Import Arith List Lia Bool.
Import ListNotations.

Record machine := { threads : nat; latency : nat -> nat }.

(* All cells of a DMM or a UMM have latency l; a cell of an HMM has latency l or L. *)
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

(* The input is in cells 0 ... words - 1; the other cells are blank. *)
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

(* A request without the word that it reads or writes. *)
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

(* At time `fst e` the memory serves thread `snd e`. *)
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

(* All threads have ended. *)
Definition ended (x : input V) (served : list (nat * nat)) : Prop :=
  forall t, t < threads M -> asks (run x served) t = Ended.

Lemma ready_grows : forall served now s t, legal now s served ->
  ready s t <= ready (fold_left serve served s) t.
Proof.
  induction served as [|[at_ u] served IH]; intros now s t Legal; [reflexivity|].
  destruct Legal as [_ [_ [R [_ Rest]]]]. simpl. etransitivity; [|apply (IH at_), Rest].
  unfold serve. destruct (asks s u); simpl; unfold set; destruct (Nat.eqb_spec t u); subst; lia.
Qed.

(* If a legal run is complete by time T, the memory serves its first request by time T - least. *)
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

(* What a cell holds at the end. For other inputs the memory may serve other requests, at other
   times. *)
Definition result (cell : nat) (schedule : input V -> list (nat * nat)) (x : input V) : V :=
  memory (run x (schedule x)) cell.

(* For each input word there are two inputs that differ in this word alone and have different
   results. *)
Definition depends_on_all_words (f : input V -> V) : Prop :=
  forall i, i < words A -> exists x y, (forall j, j <> i -> x j = y j) /\ f x <> f y.
End Runs.

Lemma latency_of_hierarchy : forall p l L is_global cell,
  Nat.min l L <= latency (hierarchy p l L is_global) cell.
Proof. intros. simpl. destruct (is_global cell); lia. Qed.
