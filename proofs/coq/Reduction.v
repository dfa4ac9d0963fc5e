(* The reduction bound for oblivious programs. In these, data decides neither where, nor whether,
   nor in which order threads access memory (MOD theorem 2, HMM table II; see docs/errata.md at row
   S5).

   When a thread reads a cell, the input words that its new state depends on are those of its old
   state and those of the cell. When a thread writes a cell, the cell then depends on the input
   words that the thread's state depends on. So in each latency the sets of input words at most
   double. *)
From Coq Require Import Arith List Lia Bool.
From Bankproof Require Import Counting Programs.
Import ListNotations.

(* The input words that the state of each thread depends on, and the input words that each cell
   depends on. *)
Record known := { by_thread : nat -> list nat; in_cell : nat -> list nat }.
Definition learn (k : known) (e : nat * shape) : known :=
  let (t, what) := e in
  match what with
  | Reads cell => {| by_thread := set (by_thread k) t (by_thread k t ++ in_cell k cell);
                     in_cell := in_cell k |}
  | Writes cell => {| by_thread := by_thread k; in_cell := set (in_cell k) cell (by_thread k t) |}
  | Nothing => k
  end.

Section Oblivious.
Context {V State : Type} (M : machine) (A : program V State).

(* Threads make the same requests at the same times, whatever the input is. *)
Definition oblivious (schedule : input V -> list (nat * nat)) : Prop :=
  forall x y, schedule x = schedule y /\
    trace M A (start A x) (schedule x) = trace M A (start A y) (schedule y).

Definition agree (x y : input V) (i : list nat) : Prop := forall j, In j i -> x j = y j.

Definition decided_by (k : known) (x y : input V) (s s' : configuration V State) : Prop :=
  (forall t, agree x y (by_thread k t) -> state s t = state s' t) /\
  (forall cell, agree x y (in_cell k cell) -> memory s cell = memory s' cell).

Lemma dependences_are_sound : forall x y served s s' k,
  trace M A s served = trace M A s' served -> decided_by k x y s s' ->
  decided_by (fold_left learn (trace M A s served) k) x y
    (fold_left (serve M A) served s) (fold_left (serve M A) served s').
Proof.
  intros x y served. induction served as [|[at_ t] served IH]; intros s s' k same D; [exact D|].
  simpl in same |- *. injection same as shapes same. apply IH; [exact same|]. clear IH same.
  destruct D as [Ds Dm]. unfold learn. rewrite shapes. unfold serve, asks in *.
  destruct (next A t (state s t)) as [c f|c v f|] eqn:E,
    (next A t (state s' t)) as [c' f'|c' v' f'|] eqn:E';
    simpl in shapes; try discriminate; try injection shapes as <-; split; simpl; auto;
    intro u; unfold set.
  - destruct (Nat.eqb_spec u t) as [->|]; [|apply Ds]. intro both.
    assert (own : agree x y (by_thread k t)) by (intros j J; apply both, in_or_app; auto).
    assert (cell : agree x y (in_cell k c)) by (intros j J; apply both, in_or_app; auto).
    rewrite (Ds t own), E' in E. injection E as ->. f_equal. apply Dm, cell.
  - destruct (Nat.eqb_spec u t) as [->|]; [|apply Ds]. intro own.
    rewrite (Ds t own), E' in E. injection E as -> ->. reflexivity.
  - destruct (Nat.eqb_spec u c) as [->|]; [|apply Dm]. intro own.
    rewrite (Ds t own), E' in E. injection E as -> ->. reflexivity.
Qed.

Variables least T : nat.
Hypothesis positive : 0 < least.
Hypothesis latencies : forall cell, least <= latency M cell.

Lemma dependences_double : forall served now s k, legal M A now s served ->
  (forall t, ready (fold_left (serve M A) served s) t <= T) ->
  (forall t, length (by_thread k t) <= 2 ^ (ready s t / least)) ->
  (forall cell, length (in_cell k cell) <= 2 ^ (now / least)) ->
  (forall cell, length (in_cell k cell) <= 2 ^ ((T - least) / least)) ->
  forall cell, length (in_cell (fold_left learn (trace M A s served) k) cell) <= 2 ^ ((T - least) / least).
Proof.
  assert (later : forall a b, a <= b -> 2 ^ (a / least) <= 2 ^ (b / least)).
  { intros a b L. apply Nat.pow_le_mono_r; [lia|]. apply Nat.div_le_mono; lia. }
  assert (doubled : forall a b, a + least <= b -> 2 * 2 ^ (a / least) <= 2 ^ (b / least)).
  { intros a b L. etransitivity; [|apply later, L]. replace (a + least) with (a + 1 * least) by lia.
    rewrite Nat.div_add, Nat.add_1_r, Nat.pow_succ_r' by lia. reflexivity. }
  induction served as [|[at_ t] served IH]; intros now s k Legal done Kt Kc Kend cell; [apply Kend|].
  pose proof (first_is_in_time M A least T now s at_ t served latencies Legal done) as early.
  destruct Legal as [_ [after [waits [asked Rest]]]]. simpl.
  specialize (later (ready s t) at_ waits) as own. specialize (later now at_ after) as cells.
  specialize (later at_ (T - least) ltac:(lia)) as last.
  apply (IH at_ (serve M A s (at_, t))); try assumption; clear IH done Rest; unfold serve, asks in *;
    destruct (next A t (state s t)) as [c f|c v f|]; try (exfalso; apply asked; reflexivity); simpl;
    intro u; unfold set; try (specialize (Kc u); specialize (Kend u); lia).
  - destruct (Nat.eqb_spec u t) as [->|]; [|apply Kt]. rewrite app_length.
    specialize (doubled at_ (at_ + latency M c)). specialize (latencies c). specialize (Kt t).
    specialize (Kc c). lia.
  - destruct (Nat.eqb_spec u t) as [->|]; [|apply Kt].
    specialize (doubled at_ (at_ + latency M c)). specialize (latencies c). specialize (Kt t). lia.
  - specialize (Kt t). specialize (Kc u). destruct (u =? c); lia.
  - specialize (Kt t). specialize (Kend u). destruct (u =? c); lia.
Qed.

(* S5. MOD theorem 2. If a result of an oblivious program depends on n >= 2 words, the program takes
   at least 1 + ceil(log n) latencies: ceil(log n) to read the words, and one to write the
   result. *)
Theorem reduction_takes_log_n_latencies : forall cell schedule, 2 <= words A -> oblivious schedule ->
  (forall x, complete_by M A T x (schedule x)) ->
  depends_on_all_words A (result M A cell schedule) ->
  least * (1 + Nat.log2_up (words A)) <= T.
Proof.
  intros cell schedule two obl done dep. set (n := words A) in *.
  destruct (dep 0 ltac:(lia)) as [x0 _].
  set (k0 := {| by_thread := fun _ => []; in_cell := fun c => if c <? n then [c] else [] |}).
  set (k := fold_left learn (trace M A (start A x0) (schedule x0)) k0).
  assert (few : length (in_cell k cell) <= 2 ^ ((T - least) / least)).
  { destruct (done x0) as [Legal end_]. apply (dependences_double (schedule x0) 0 (start A x0)); auto.
    - intro t. simpl. lia.
    - intro c. simpl. rewrite Nat.div_0_l by lia. destruct (c <? n); simpl; lia.
    - intro c. pose proof (Nat.pow_nonzero 2 ((T - least) / least)).
      simpl. destruct (c <? n); simpl; lia. }
  assert (all : incl (seq 0 n) (in_cell k cell)).
  { intros i I. apply in_seq in I.
    destruct (in_dec Nat.eq_dec i (in_cell k cell)) as [|out]; [assumption|]. exfalso.
    destruct (dep i) as [x [y [only differ]]]; [lia|]. apply differ.
    destruct (obl x0 x) as [S1 T1], (obl x y) as [S2 T2]. unfold result, run. rewrite <- S2.
    rewrite <- S2 in T2.
    assert (D : decided_by (fold_left learn (trace M A (start A x) (schedule x)) k0) x y
              (fold_left (serve M A) (schedule x) (start A x))
              (fold_left (serve M A) (schedule x) (start A y))).
    { apply dependences_are_sound; [exact T2|]. split; [reflexivity|].
      intros c Agree. simpl in *. fold n. destruct (c <? n); [apply Agree; simpl; auto|reflexivity]. }
    apply D. rewrite <- T1. fold k. intros j J. apply only. intros ->. contradiction. }
  apply NoDup_incl_length in all; [|apply seq_NoDup]. rewrite seq_length in all.
  assert (logs : Nat.log2_up n <= (T - least) / least) by (apply Nat.log2_up_le_pow2; lia).
  assert (0 < Nat.log2_up n) by (apply Nat.log2_up_pos; lia).
  pose proof (Nat.mul_div_le (T - least) least). nia.
Qed.
End Oblivious.

(* S5, P1, P2. MOD theorem 2. On a DMM or a UMM of latency l the program takes at least l (1 +
   ceil(log n)). *)
Theorem reduction_on_one_memory : forall V State (A : program V State) p l T cell schedule,
  0 < l -> 2 <= words A -> let M := one_memory p l in
  oblivious M A schedule -> (forall x, complete_by M A T x (schedule x)) ->
  depends_on_all_words A (result M A cell schedule) -> l * (1 + Nat.log2_up (words A)) <= T.
Proof.
  intros V State A p l T cell schedule L two M obl done dep.
  apply (reduction_takes_log_n_latencies M A l T L (fun _ => Nat.le_refl l) cell schedule); auto.
Qed.

(* S5, D6, A13. HMM table II, THS 6.4. On an HMM, whose memories have latencies l and L, the program
   takes at least min(l, L) (1 + ceil(log n)). *)
Theorem reduction_on_the_hierarchy : forall V State (A : program V State) p l L is_global T cell
  schedule,
  0 < l -> 0 < L -> 2 <= words A -> let M := hierarchy p l L is_global in
  oblivious M A schedule -> (forall x, complete_by M A T x (schedule x)) ->
  depends_on_all_words A (result M A cell schedule) -> Nat.min l L * (1 + Nat.log2_up (words A)) <= T.
Proof.
  intros V State A p l L is_global T cell schedule Pl PL two M obl done dep.
  apply (reduction_takes_log_n_latencies M A (Nat.min l L) T ltac:(lia)
           (latency_of_hierarchy p l L is_global) cell schedule); auto.
Qed.
