(* Conflict-free plans of offline permutations (THS 4.1, 4.2): what a plan is, which elements it
   moves, and how many stages it takes. Every permutation has a plan (PlansExist.v).

   A plan of a permutation P of 0 ... n - 1 has ceil(n / w) warps of w lanes. Lane j moves element
   S(j) to D(j) = P(S(j)), or is idle: then S(j) and D(j) are None. Each element is moved once. The
   lanes of a warp read from different banks, and write to different banks.

   The plan comes from a coloring of the bank graph: element i is an edge from bank i mod w to bank
   P(i) mod w. The elements of one color are a warp. Where w does not divide n, elements n, n + 1,
   ... that stay where they are fill up the last row of banks; their lanes are idle.

   Example: w = 2, P = (0, 2, 1, 3): S = (0, 3, 2, 1), D = (0, 3, 1, 2) is a plan. *)
From Coq Require Import Arith List Lia Permutation Bool.
From Bankproof Require Import Counting Access Koenig.
Import ListNotations.

Definition permutes (n : nat) (P : nat -> nat) : Prop :=
  (forall i, i < n -> P i < n) /\ forall i j, i < n -> j < n -> P i = P j -> i = j.

Definition lane (lanes : access) (j : nat) : option nat := nth j lanes None.
Definition warp (w : nat) (lanes : access) (k : nat) : access := map (lane lanes) (seq (k * w) w).

Record plan (w n : nat) (P : nat -> nat) (S D : access) : Prop := {
  whole_warps : length S = ceil_div n w * w;
  destinations : D = map (option_map P) S;
  each_once : Permutation (requests S) (seq 0 n);
  reads_without_conflict : forall k, k < ceil_div n w -> conflict_free w (warp w S k);
  writes_without_conflict : forall k, k < ceil_div n w -> conflict_free w (warp w D k)
}.

(* ---- Lanes and their warps ---- *)

Lemma as_lanes : forall lanes, lanes = map (lane lanes) (seq 0 (length lanes)).
Proof.
  intro lanes. apply (nth_ext _ _ None None); [rewrite map_length, seq_length; reflexivity|].
  intros j J.
  rewrite (nth_indep (map _ _) None (lane lanes 0)) by (rewrite map_length, seq_length; exact J).
  rewrite (map_nth (lane lanes)), seq_nth by exact J. reflexivity.
Qed.

Lemma lane_of_map : forall f n j, j < n -> lane (map f (seq 0 n)) j = f j.
Proof.
  intros f n j J. unfold lane.
  rewrite (nth_indep _ None (f 0)) by (rewrite map_length, seq_length; exact J).
  rewrite map_nth, seq_nth by exact J. reflexivity.
Qed.

Lemma rows_of_seq : forall h w, seq 0 (h * w) = flat_map (fun k => seq (k * w) w) (seq 0 h).
Proof.
  intros h w. induction h as [|h IH]; [reflexivity|].
  rewrite seq_S, flat_map_app, <- IH. simpl. rewrite app_nil_r, (Nat.add_comm w), seq_app. reflexivity.
Qed.

Lemma in_whole_warps : forall h w lanes, length lanes = h * w ->
  lanes = flat_map (warp w lanes) (seq 0 h).
Proof.
  intros h w lanes L. rewrite (as_lanes lanes) at 1. rewrite L, rows_of_seq.
  rewrite !flat_map_concat_map, concat_map, map_map. reflexivity.
Qed.

Lemma requests_of_flat_map : forall {A} (f : A -> access) xs,
  requests (flat_map f xs) = flat_map (fun x => requests (f x)) xs.
Proof.
  intros A f xs. induction xs as [|x xs IH]; [reflexivity|]. simpl. rewrite <- IH.
  unfold requests. apply flat_map_app.
Qed.

Lemma requests_of_destinations : forall P lanes,
  requests (map (option_map P) lanes) = map P (requests lanes).
Proof.
  intros P lanes. unfold requests. induction lanes as [|[x|] lanes IH]; simpl; congruence.
Qed.

Lemma lanes_with_destinations : forall (P : nat -> nat) lanes,
  combine lanes (map (option_map P) lanes) = map (fun s => (s, option_map P s)) lanes.
Proof. intros P lanes. induction lanes; simpl; congruence. Qed.

Lemma warp_of_destinations : forall P w S k, warp w (map (option_map P) S) k =
  map (option_map P) (warp w S k).
Proof.
  intros. unfold warp. rewrite map_map. apply map_ext. intro j. unfold lane.
  change None with (option_map P None). apply map_nth.
Qed.

(* ---- The stages of a plan ---- *)

(* If ceil(n / w) warps make n requests in all, each of these warps makes a request. *)
Lemma no_warp_is_idle : forall w n S k, 0 < w -> length S = ceil_div n w * w ->
  length (requests S) = n -> k < ceil_div n w -> requests (warp w S k) <> [].
Proof.
  intros w n S k W L N K E. destruct (ceil_div_spec n w W) as [_ few]. set (h := ceil_div n w) in *.
  assert (most : forall ks, length (flat_map (fun i => requests (warp w S i)) ks) <= w * length ks).
  { intro ks. apply flat_map_length_at_most. intros i _.
    etransitivity; [apply requests_at_most_lanes|]. unfold warp. rewrite map_length, seq_length. lia. }
  rewrite (in_whole_warps h w S L), requests_of_flat_map in N.
  rewrite (seq_around k h K), flat_map_app, app_length in N. simpl in N. rewrite E in N. simpl in N.
  pose proof (most (seq 0 k)) as before. pose proof (most (seq (1 + k) (h - (1 + k)))) as after.
  rewrite seq_length in before, after. simpl in after.
  assert (w * k + w * (h - Datatypes.S k) + w = h * w) by nia. lia.
Qed.

(* R3. THS 4.1. Each warp of a plan takes one stage to read and one to write. *)
Theorem warps_of_plans_take_one_stage : forall w n P S D k, 0 < w -> plan w n P S D ->
  k < ceil_div n w -> dmm_stages w (warp w S k) = 1 /\ dmm_stages w (warp w D k) = 1.
Proof.
  intros w n P S D k W p K.
  assert (busy : requests (warp w S k) <> []).
  { apply (no_warp_is_idle w n); auto; [apply (whole_warps _ _ _ _ _ p)|].
    rewrite (Permutation_length (each_once _ _ _ _ _ p)). apply seq_length. }
  split; apply conflict_free_accesses_take_one_stage; auto; split; auto.
  - apply (reads_without_conflict _ _ _ _ _ p), K.
  - rewrite (destinations _ _ _ _ _ p), warp_of_destinations, requests_of_destinations.
    intro E. apply map_eq_nil in E. auto.
  - apply (writes_without_conflict _ _ _ _ _ p), K.
Qed.

(* R3. THS 4.1. A plan takes ceil(n / w) stages to read array a, and as many to write array b. *)
Theorem stages_of_plans : forall w n P S D, 0 < w -> plan w n P S D ->
  round_stages (dmm_stages w) (map (warp w S) (seq 0 (ceil_div n w))) = ceil_div n w /\
  round_stages (dmm_stages w) (map (warp w D) (seq 0 (ceil_div n w))) = ceil_div n w.
Proof.
  intros w n P S D W p.
  split; rewrite round_of_single_stages; try (rewrite map_length, seq_length; reflexivity);
    intros a A; apply in_map_iff in A; destruct A as [k [<- K]]; apply in_seq in K;
    apply (warps_of_plans_take_one_stage w n P S D); auto; lia.
Qed.

(* ---- The moves of a plan ---- *)

(* A lane moves a word of array a to array b. *)
Definition move {V} (a b : nat -> V) (l : option nat * option nat) : nat -> V :=
  match l with
  | (Some source, Some target) => fun x => if x =? target then a source else b x
  | _ => b
  end.

(* R3. THS 4.1. In whatever order the lanes are served, b[P(i)] is a[i] at the end, and the words of
   b from n on stay as they were. *)
Theorem plans_move_every_element : forall V w n P S D (a b : nat -> V) order,
  permutes n P -> plan w n P S D -> Permutation order (combine S D) ->
  (forall i, i < n -> fold_left (move a) order b (P i) = a i) /\
  (forall x, n <= x -> fold_left (move a) order b x = b x).
Proof.
  intros V w n P S D a b order [into inj] p Perm. destruct p as [_ -> once _ _].
  rewrite lanes_with_destinations in Perm.
  assert (ours : forall l, In l order -> exists s, l = (s, option_map P s) /\ forall i,
    s = Some i -> i < n).
  { intros l L. apply (Permutation_in _ Perm), in_map_iff in L. destruct L as [s [<- Is]].
    exists s. split; [reflexivity|]. intros i ->. apply in_requests in Is.
    apply (Permutation_in _ once), in_seq in Is. lia. }
  assert (all : forall i, i < n -> In (Some i, Some (P i)) order).
  { intros i I. apply (Permutation_in _ (Permutation_sym Perm)), in_map_iff. exists (Some i).
    split; [reflexivity|]. apply in_requests, (Permutation_in _ (Permutation_sym once)), in_seq. lia. }
  clear Perm once. split.
  - intros i I. specialize (all i I). revert all.
    induction order as [|l order IH] using rev_ind; intro all; [contradiction|].
    rewrite fold_left_app. simpl. destruct (ours l) as [s [-> below]]; [apply in_or_app; simpl; auto|].
    apply in_app_or in all.
    assert (IH' : In (Some i, Some (P i)) order -> fold_left (move a) order b (P i) = a i).
    { apply IH. intros l L. apply ours, in_or_app. auto. }
    destruct s as [j|]; simpl.
    + destruct (Nat.eqb_spec (P i) (P j)) as [E|N].
      * f_equal. symmetry. apply inj; auto.
      * apply IH'. destruct all as [|[E|[]]]; [assumption|]. congruence.
    + apply IH'. destruct all as [|[E|[]]]; [assumption|discriminate].
  - intros x X. clear all. revert b. induction order as [|l order IH]; intro b; [reflexivity|].
    simpl. rewrite IH by (intros m M; apply ours; simpl; auto).
    destruct (ours l (or_introl eq_refl)) as [[i|] [-> below]]; simpl; [|reflexivity].
    destruct (Nat.eqb_spec x (P i)); [|reflexivity].
    specialize (into i (below i eq_refl)). lia.
Qed.
