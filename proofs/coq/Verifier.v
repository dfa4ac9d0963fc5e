(* The checks of the verifier of plans, and a proof that every plan that passes is right, no matter
   how it was made.

   The checks are those of verify_plan (algorithms/permutation/verify.hpp). S and D have whole warps
   of lanes. Each lane is idle in both S and D, or moves an element to the position that P gives it.
   Each element is moved once. The lanes of a warp read from different banks, and write to different
   banks. *)
From Coq Require Import Arith List Lia Permutation Bool.
From Bankproof Require Import Counting Access Plan PlansExist PlanTime.
Import ListNotations.

Fixpoint all_different (xs : list nat) : bool :=
  match xs with
  | [] => true
  | x :: xs => negb (existsb (Nat.eqb x) xs) && all_different xs
  end.

Definition target (P : list nat) (i : nat) : nat := nth i P 0.

Definition is_permutation (P : list nat) : bool :=
  forallb (fun x => x <? length P) P && all_different P.

Definition lane_is_right (P : list nat) (l : option nat * option nat) : bool :=
  match l with
  | (None, None) => true
  | (Some s, Some d) => (s <? length P) && (d =? target P s)
  | _ => false
  end.

Definition banks_differ (w : nat) (a : access) : bool :=
  all_different (map (fun x => x mod w) (requests a)).

Definition verify_plan (w : nat) (P : list nat) (S D : access) : bool :=
  let n := length P in
  let h := ceil_div n w in
  (length S =? h * w) && (length D =? h * w) &&
  forallb (lane_is_right P) (combine S D) &&
  all_different (requests S) && (length (requests S) =? n) &&
  forallb (fun k => banks_differ w (warp w S k) && banks_differ w (warp w D k)) (seq 0 h).

Lemma all_different_spec : forall xs, all_different xs = true <-> NoDup xs.
Proof.
  induction xs as [|x xs IH]; simpl; [split; auto; constructor|].
  rewrite andb_true_iff, negb_true_iff, IH, NoDup_cons_iff, <- not_true_iff_false, existsb_exists.
  split; intros [X N]; split; auto; intro Q; apply X.
  - exists x. rewrite Nat.eqb_refl. auto.
  - destruct Q as [y [Y E]]. apply Nat.eqb_eq in E. congruence.
Qed.

Lemma is_permutation_spec : forall P, is_permutation P = true <-> permutes (length P) (target P).
Proof.
  intro P. unfold is_permutation, target. rewrite andb_true_iff, all_different_spec, forallb_forall.
  rewrite (NoDup_nth P 0). unfold permutes. split; intros [B I]; split; auto.
  - intros i L. apply Nat.ltb_lt, B, nth_In, L.
  - intros x X. apply In_nth with (d := 0) in X. destruct X as [i [L <-]]. apply Nat.ltb_lt, B, L.
Qed.

Lemma banks_differ_spec : forall w a, NoDup (requests a) ->
  banks_differ w a = true <-> conflict_free w a.
Proof.
  intros w a N. unfold banks_differ. rewrite all_different_spec. split.
  - intros M x y X Y E. revert M X Y. clear - E.
    induction (requests a) as [|z zs IH]; simpl; [contradiction|].
    rewrite NoDup_cons_iff, in_map_iff. intros [Z M] [->|X] [->|Y]; auto; exfalso; apply Z; eauto.
  - intro C. apply NoDup_map_on; auto.
Qed.

(* If the requests of all lanes are different, so are the requests of each warp. *)
Lemma requests_of_warp_once : forall h w lanes k, length lanes = h * w -> k < h ->
  NoDup (requests lanes) -> NoDup (requests (warp w lanes k)).
Proof.
  intros h w lanes k L K N. rewrite (in_whole_warps h w lanes L), requests_of_flat_map in N.
  rewrite (seq_around k h K), flat_map_app in N. simpl in N.
  apply NoDup_parts in N. apply (NoDup_parts _ _ (proj2 N)).
Qed.

Lemma requests_once : forall n xs,
  (NoDup xs /\ length xs = n /\ forall x, In x xs -> x < n) <-> Permutation xs (seq 0 n).
Proof.
  intros n xs. split.
  - intros [N [L B]]. apply NoDup_Permutation; [exact N|apply seq_NoDup|]. intro x. rewrite in_seq.
    split; [intro X; specialize (B x X); lia|]. intros [_ X]. apply (fills_universe n); auto; lia.
  - intro p. repeat split.
    + apply (Permutation_NoDup (Permutation_sym p)), seq_NoDup.
    + rewrite (Permutation_length p). apply seq_length.
    + intros x X. apply (Permutation_in _ p), in_seq in X. lia.
Qed.

Lemma lanes_are_right_iff : forall P S D, length S = length D ->
  forallb (lane_is_right P) (combine S D) = true <->
  D = map (option_map (target P)) S /\ forall x, In x (requests S) -> x < length P.
Proof.
  intros P S. induction S as [|s S IH]; intros [|d D] L; try discriminate; simpl in *.
  - split; auto. intros _. split; [reflexivity|contradiction].
  - rewrite andb_true_iff, IH by lia. unfold lane_is_right.
    destruct s as [x|], d as [y|]; simpl; rewrite ?andb_true_iff, ?Nat.ltb_lt, ?Nat.eqb_eq; split;
      try (intros [? _]; discriminate); try (intros [E _]; discriminate).
    + intros [[X ->] [-> B]]. split; [reflexivity|]. intros z [<-|Z]; auto.
    + intros [E B]. injection E as -> ->. auto 10.
    + intros [_ [-> B]]. auto.
    + intros [E B]. injection E as ->. auto.
Qed.

(* R3. THS 4.1. The verifier accepts exactly the plans of a permutation. *)
Theorem verifier_accepts_just_the_plans : forall w P S D, 0 < w -> is_permutation P = true ->
  verify_plan w P S D = true <-> plan w (length P) (target P) S D.
Proof.
  intros w P S D W perm. apply is_permutation_spec in perm. destruct perm as [into inj].
  unfold verify_plan. set (n := length P) in *. set (h := ceil_div n w).
  rewrite !andb_true_iff, !Nat.eqb_eq, all_different_spec.
  assert (conflicts : length S = h * w -> NoDup (requests S) -> (forall x, In x (requests S) -> x < n) ->
            D = map (option_map (target P)) S -> forall k, k < h ->
            (banks_differ w (warp w S k) = true <-> conflict_free w (warp w S k)) /\
            (banks_differ w (warp w D k) = true <-> conflict_free w (warp w D k))).
  { intros L N B -> k K. split; apply banks_differ_spec, (requests_of_warp_once h); auto.
    - rewrite map_length. exact L.
    - rewrite requests_of_destinations. apply NoDup_map_on; auto. intros x y X Y. apply inj; auto. }
  split.
  - intros [[[[[LS LD] right] once] all] free]. rewrite forallb_forall in free.
    apply lanes_are_right_iff in right; [|lia].
    destruct right as [dest B]. constructor; auto.
    + apply requests_once. auto.
    + intros k K. apply conflicts; auto. specialize (free k). rewrite in_seq, andb_true_iff in free.
      apply free. split; [lia|exact K].
    + intros k K. apply (conflicts LS once B dest k K). specialize (free k).
      rewrite in_seq, andb_true_iff in free. apply free. split; [lia|exact K].
  - intros [LS dest once reads writes]. apply requests_once in once. destruct once as [N [L B]].
    assert (LD : length D = h * w) by (rewrite dest, map_length; exact LS).
    repeat split; auto.
    + apply lanes_are_right_iff; [fold h in LS; lia|]. auto.
    + apply forallb_forall. intros k K. apply in_seq in K. apply andb_true_iff.
      destruct (conflicts LS N B dest k) as [C C']; [apply K|].
      rewrite C, C'. split; [apply reads|apply writes]; apply K.
Qed.

(* R3. THS 4.1. So a plan that passes is right: each warp takes one stage to read and one to write,
   and in whatever order the lanes are served, b[P(i)] is a[i] at the end. *)
Theorem verified_plans_are_right : forall w P S D, 0 < w -> is_permutation P = true ->
  verify_plan w P S D = true ->
  let n := length P in
  (forall k, k < ceil_div n w -> dmm_stages w (warp w S k) = 1 /\ dmm_stages w (warp w D k) = 1) /\
  forall V (a b : nat -> V) order, Permutation order (combine S D) ->
    forall i, i < n -> fold_left (move a) order b (target P i) = a i.
Proof.
  intros w P S D W perm ok n. apply verifier_accepts_just_the_plans in ok; auto. split.
  - intros k K. apply (warps_of_plans_take_one_stage w n (target P)); auto.
  - intros V a b order p. apply (plans_move_every_element V w n (target P) S D); auto.
    apply is_permutation_spec, perm.
Qed.

(* R4. THS theorem 4.2.1, lemma 4.2.2. For every permutation and width there is a plan that passes. *)
Theorem some_plan_passes : forall w P, 0 < w -> is_permutation P = true ->
  exists S D, verify_plan w P S D = true.
Proof.
  intros w P W perm. destruct (plans_exist w (length P) (target P) W) as [S [D [p _]]].
  - apply is_permutation_spec, perm.
  - exists S, D. apply verifier_accepts_just_the_plans; auto.
Qed.

(* The plan in the example of plan.hpp, and two wrong ones. The first wrong plan moves element 1 to
   1, but P says 2. The second wrong plan has elements 0 and 2 in one warp, although both lie in one
   bank. *)
Example plans_of_four : let P := [0; 2; 1; 3] in
  verify_plan 2 P (map Some [0; 3; 2; 1]) (map Some [0; 3; 1; 2]) = true /\
  verify_plan 2 P (map Some [0; 1; 2; 3]) (map Some [0; 1; 2; 3]) = false /\
  verify_plan 2 P (map Some [0; 2; 1; 3]) (map Some [0; 1; 2; 3]) = false.
Proof. repeat split; reflexivity. Qed.
