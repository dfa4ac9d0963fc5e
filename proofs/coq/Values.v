(* The number of values that a word can take. The bound holds for all programs, even if data decides
   which words they access, and when (see docs/errata.md at row S5).

   Each input word has one of two values, and there are p threads. Let K be the largest number of
   states that a thread can be in at some time. A cell then holds one of at most 2 + pK words. A
   latency later a thread is in one of at most K + K(2 + pK) states, since it may have read a word.
   So each latency at most squares (p + 3)K. *)
From Coq Require Import Arith List Lia Bool.
From Bankproof Require Import Counting Programs.
Import ListNotations.

Section Values.
Context {V State : Type} (M : machine) (A : program V State).
Variables zero one : nat -> V.  (* the two values of an input word *)
Variables least T : nat.
Hypothesis positive : 0 < least.
Hypothesis latencies : forall cell, least <= latency M cell.

Let p := threads M.

Definition allowed (x : input V) : Prop := forall i, x i = zero i \/ x i = one i.

(* The word that thread t in state s writes to a cell. *)
Definition writes (cell : nat) (t : nat) (s : State) : list V :=
  match next A t s with Write c v _ => if c =? cell then [v] else [] | _ => [] end.
Definition written (states : nat -> list State) (cell : nat) : list V :=
  flat_map (fun t => flat_map (writes cell t) (states t)) (seq 0 p).
Definition initial (cell : nat) : list V := if cell <? words A then [zero cell; one cell] else [blank A].
Definition words_of (states : nat -> list State) (cell : nat) : list V :=
  initial cell ++ written states cell.
Definition states_after (states : nat -> list State) (t : nat) (s : State) : list State :=
  match next A t s with
  | Read cell then_in => map then_in (words_of states cell)
  | Write _ _ then_in => [then_in]
  | Ended => []
  end.

(* The states that a thread can be in m latencies after the start. `possible` has the words that a
   cell can hold at that time. *)
Fixpoint states (m : nat) (t : nat) : list State :=
  match m with
  | 0 => [born A t]
  | S m => states m t ++ flat_map (states_after (states m) t) (states m t)
  end.
Definition possible (m : nat) (cell : nat) : list V := words_of (states m) cell.

Lemma states_remain : forall a b t s, a <= b -> In s (states a t) -> In s (states b t).
Proof.
  intros a b t s L. induction L as [|b L IH]; intro I; [exact I|]. simpl. apply in_or_app. auto.
Qed.

Lemma in_written : forall k cell v, In v (written k cell) <->
  exists t s after, t < p /\ In s (k t) /\ next A t s = Write cell v after.
Proof.
  intros k cell v. unfold written. rewrite in_flat_map. split.
  - intros [t [B I]]. apply in_seq in B. apply in_flat_map in I. destruct I as [s [S I]].
    unfold writes in I. destruct (next A t s) as [|c w f|] eqn:E; simpl in I; try contradiction.
    destruct (Nat.eqb_spec c cell) as [->|]; [|contradiction]. destruct I as [->|[]].
    exists t, s, f. repeat split; auto. lia.
  - intros [t [s [f [B [S E]]]]]. exists t. split; [apply in_seq; lia|]. apply in_flat_map. exists s.
    split; [exact S|]. unfold writes. rewrite E, Nat.eqb_refl. simpl. auto.
Qed.

Lemma possible_remain : forall a b cell v, a <= b -> In v (possible a cell) -> In v (possible b cell).
Proof.
  unfold possible, words_of. intros a b cell v L. rewrite !in_app_iff, !in_written.
  intros [I|[t [s [f [B [S E]]]]]]; [auto|]. right. exists t, s, f. repeat split; auto.
  apply (states_remain a); auto.
Qed.

Lemma runs_stay_possible : forall served now s, legal M A now s served ->
  (forall t, ready (fold_left (serve M A) served s) t <= T) -> now <= T ->
  (forall t, In (state s t) (states (ready s t / least) t)) ->
  (forall cell, In (memory s cell) (possible (now / least) cell)) ->
  forall cell, In (memory (fold_left (serve M A) served s) cell) (possible (T / least) cell).
Proof.
  assert (floors : forall a b, a <= b -> a / least <= b / least).
  { intros a b L. apply Nat.div_le_mono; lia. }
  assert (a_latency_later : forall a b, a + least <= b -> S (a / least) <= b / least).
  { intros a b L. etransitivity; [|apply floors, L]. replace (a + least) with (a + 1 * least) by lia.
    rewrite Nat.div_add by lia. lia. }
  induction served as [|[at_ t] served IH]; intros now s Legal done early Ks Kc cell.
  { simpl. apply (possible_remain (now / least)); auto. }
  pose proof (first_is_in_time M A least T now s at_ t served latencies Legal done) as in_time.
  destruct Legal as [threads_ [after [waits [asked Rest]]]]. simpl.
  assert (own : In (state s t) (states (at_ / least) t)).
  { apply (states_remain (ready s t / least)); auto. }
  assert (cells : forall c, In (memory s c) (possible (at_ / least) c)).
  { intro c. apply (possible_remain (now / least)); auto. }
  (* The state that follows is possible a latency later. *)
  assert (follows : forall c s', In s' (states_after (states (at_ / least)) t (state s t)) ->
            In s' (states ((at_ + latency M c) / least) t)).
  { intros c s' I. apply (states_remain (S (at_ / least))).
    - apply a_latency_later. specialize (latencies c). lia.
    - simpl. apply in_or_app. right. apply in_flat_map. eauto. }
  apply (IH at_ (serve M A s (at_, t))); try assumption; try lia; clear IH done Rest;
    unfold serve, asks, states_after in *; destruct (next A t (state s t)) as [c f|c v f|] eqn:E;
    try (exfalso; apply asked; reflexivity); simpl; intro u; unfold set; auto.
  - destruct (Nat.eqb_spec u t) as [->|]; [|apply Ks]. apply follows, in_map. apply cells.
  - destruct (Nat.eqb_spec u t) as [->|]; [|apply Ks]. apply follows. simpl. auto.
  - destruct (Nat.eqb_spec u c) as [->|]; [|apply cells]. apply in_or_app. right. apply in_written.
    exists t, (state s t), f. auto.
Qed.

Lemma few_possible : forall m k cell, (forall t, length (states m t) <= k) ->
  length (possible m cell) <= 2 + p * k.
Proof.
  intros m k cell few. unfold possible, words_of. rewrite app_length. apply Nat.add_le_mono.
  - unfold initial. destruct (cell <? words A); simpl; lia.
  - unfold written. rewrite <- (seq_length p 0) at 2. rewrite Nat.mul_comm.
    apply flat_map_length_at_most. intros t _. etransitivity; [|apply (few t)].
    rewrite <- Nat.mul_1_l. apply flat_map_length_at_most. intros s _. unfold writes.
    destruct (next A t s) as [|c v f|]; simpl; try lia. destruct (c =? cell); simpl; lia.
Qed.

Lemma few_states : forall m t, (p + 3) * length (states m t) <= (p + 3) ^ (2 ^ m).
Proof.
  induction m as [|m IH]; intro t; [simpl; lia|].
  set (all := (p + 3) ^ (2 ^ m)) in *.
  assert (square : (p + 3) ^ (2 ^ S m) = all * all).
  { unfold all. rewrite <- Nat.pow_add_r. f_equal. simpl. lia. }
  pose (k := all / (p + 3)).
  assert (most : forall u, length (states m u) <= k).
  { intro u. apply Nat.div_le_lower_bound; auto; lia. }
  assert (fits : (p + 3) * k <= all) by (apply Nat.mul_div_le; lia).
  assert (next_ : length (flat_map (states_after (states m) t) (states m t)) <=
            (2 + p * k) * length (states m t)).
  { apply flat_map_length_at_most. intros s _. unfold states_after.
    destruct (next A t s) as [c f|c v f|]; simpl; try lia.
    rewrite map_length. apply few_possible, most. }
  rewrite square. simpl states. rewrite app_length. specialize (most t). clearbody k.
  assert (a_state : 1 <= length (states m t)).
  { pose proof (states_remain 0 m t (born A t) ltac:(lia) ltac:(simpl; auto)) as I.
    destruct (states m t); [contradiction|simpl; lia]. }
  set (own := length (states m t)) in *. set (new := length (flat_map _ _)) in *. clearbody own new.
  assert (new <= (2 + p * k) * k) by nia.
  assert (own + new <= (p + 3) * k * k) by nia.
  assert ((p + 3) * ((p + 3) * k * k) <= all * all) by nia. nia.
Qed.

(* S5. bankproof. For all programs: by time T a word takes at most (p + 3)^(2^floor(T/l)) values. *)
Theorem values_of_a_word : forall cell schedule (values : list V),
  (forall x, allowed x -> complete_by M A T x (schedule x)) ->
  NoDup values ->
  (forall v, In v values -> exists x, allowed x /\ result M A cell schedule x = v) ->
  length values <= (p + 3) ^ (2 ^ (T / least)).
Proof.
  intros cell schedule values done once taken. set (m := T / least).
  assert (I : incl values (possible m cell)).
  { intros v Vv. destruct (taken v Vv) as [x [ok <-]]. destruct (done x ok) as [Legal end_].
    apply (runs_stay_possible (schedule x) 0 (start A x)); auto; try lia.
    - intro t. simpl. rewrite Nat.div_0_l by lia. simpl. auto.
    - intro c. rewrite Nat.div_0_l by lia. unfold possible, words_of. apply in_or_app. left.
      unfold initial. simpl. destruct (c <? words A); simpl; [|auto]. destruct (ok c); auto. }
  apply NoDup_incl_length in I; [|exact once]. etransitivity; [exact I|].
  pose proof (few_states m) as F. set (all := (p + 3) ^ (2 ^ m)) in *. pose (k := all / (p + 3)).
  assert (most : forall u, length (states m u) <= k).
  { intro u. apply Nat.div_le_lower_bound; auto; lia. }
  assert (fits : (p + 3) * k <= all) by (apply Nat.mul_div_le; lia).
  pose proof (few_possible m k cell most).
  assert (1 <= k).
  { specialize (most 0). pose proof (states_remain 0 m 0 (born A 0) ltac:(lia) ltac:(simpl; auto)) as S0.
    destruct (states m 0); [contradiction|simpl in most; lia]. }
  nia.
Qed.
End Values.

(* ---- Sums of whole numbers ---- *)

Definition bit_of (v i : nat) : nat := if Nat.testbit v i then 2 ^ i else 0.

Fixpoint sum (x : nat -> nat) (n : nat) : nat := match n with 0 => 0 | S n => sum x n + x n end.

Lemma sum_of_bits : forall v n, sum (bit_of v) n = v mod 2 ^ n.
Proof.
  intros v n. induction n as [|n IH]; [reflexivity|]. simpl sum. rewrite IH.
  replace (2 ^ S n) with (2 ^ n * 2) by (simpl; lia).
  rewrite Nat.mod_mul_r by (try apply Nat.pow_nonzero; lia).
  rewrite <- Nat.testbit_spec'. unfold bit_of. destruct (Nat.testbit v n); simpl; lia.
Qed.

(* S5. bankproof. For all programs that add up n whole numbers, whatever memories of latency l or
   more they use: l ceil(log(ceil(n / ceil(log(p + 3))))) <= T. *)
Theorem sums_take_latencies : forall State M (A : program nat State) l T cell schedule,
  0 < l -> (forall c, l <= latency M c) ->
  (forall x, complete_by M A T x (schedule x)) ->
  (forall x, result M A cell schedule x = sum x (words A)) ->
  l * Nat.log2_up (ceil_div (words A) (Nat.log2_up (threads M + 3))) <= T.
Proof.
  intros State M A l T cell schedule L lat done right.
  set (n := words A) in *. set (p := threads M).
  assert (many : 2 ^ n <= (p + 3) ^ (2 ^ (T / l))).
  { rewrite <- (seq_length (2 ^ n) 0) at 1.
    apply (values_of_a_word M A (fun _ => 0) (fun i => 2 ^ i) l T L lat cell schedule); auto.
    - apply seq_NoDup.
    - intros v Vv. apply in_seq in Vv. exists (bit_of v). split.
      + intro i. unfold bit_of. destruct (Nat.testbit v i); auto.
      + rewrite right. fold n. rewrite sum_of_bits. apply Nat.mod_small. lia. }
  set (bits := Nat.log2_up (p + 3)). assert (some : 0 < bits) by (apply Nat.log2_up_pos; lia).
  assert (fits : n <= 2 ^ (T / l) * bits).
  { apply (Nat.pow_le_mono_r_iff 2); [lia|]. etransitivity; [exact many|].
    rewrite (Nat.mul_comm _ bits), Nat.pow_mul_r. apply Nat.pow_le_mono_l.
    apply Nat.log2_up_spec. lia. }
  apply (ceil_div_least n bits _ some) in fits.
  assert (logs : Nat.log2_up (ceil_div n bits) <= T / l).
  { rewrite <- (Nat.log2_up_pow2 (T / l)) by lia. apply Nat.log2_up_le_mono, fits. }
  pose proof (Nat.mul_div_le T l). nia.
Qed.
