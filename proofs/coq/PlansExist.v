(* Every permutation has a conflict-free plan, for every width (THS lemma 4.2.2).

   The bank graph has an edge for each element i, from bank i mod w to bank P(i) mod w. By König's
   theorem, its edges have a coloring with as many colors as there are rows of banks. Lane j of warp
   c moves the one element of color c in bank j. *)
From Coq Require Import Arith List Lia Permutation Bool.
From Bankproof Require Import Counting Access Koenig Plan.
Import ListNotations.

(* Elements from n on stay where they are. *)
Definition filled_up (n : nat) (P : nat -> nat) (i : nat) : nat := if i <? n then P i else i.

Lemma filled_up_permutes : forall n N P, n <= N -> permutes n P -> permutes N (filled_up n P).
Proof.
  intros n N P L [into inj]. unfold filled_up. split.
  - intros i I. destruct (Nat.ltb_spec i n); [|exact I]. specialize (into i). lia.
  - intros i j I J. destruct (Nat.ltb_spec i n), (Nat.ltb_spec j n); auto; intro E.
    + specialize (into i). lia.
    + specialize (into j). lia.
Qed.

(* The elements are in h rows of w elements. No bank has more than h elements, before P or after it.
   *)
Lemma degrees_of_banks : forall h w P bank, 0 < w -> permutes (h * w) P ->
  degree (fun i => i mod w) (h * w) bank <= h /\ degree (fun i => P i mod w) (h * w) bank <= h.
Proof.
  intros h w P bank W [into inj].
  split; [apply (injected_below (fun i => i / w))|apply (injected_below (fun i => P i / w))];
    try apply edges_at_once; intros i; intros.
  - apply in_edges_at in H, H0. apply (by_row_and_column w); intuition congruence.
  - apply in_edges_at in H. apply row_below. tauto.
  - apply in_edges_at in H, H0. apply inj; try tauto.
    apply (by_row_and_column w); intuition congruence.
  - apply in_edges_at in H. apply row_below, into. tauto.
Qed.

Lemma bank_is_full : forall h w bank, bank < w -> h <= degree (fun i => i mod w) (h * w) bank.
Proof.
  intros h w bank B. unfold degree. rewrite <- (seq_length h 0) at 1.
  rewrite <- (map_length (fun row => row * w + bank)). apply NoDup_incl_length.
  - apply NoDup_map_on; [apply seq_NoDup|]. intros i j _ _ E.
    rewrite <- (row_of w i bank B), <- (row_of w j bank B). congruence.
  - intros x X. apply in_map_iff in X. destruct X as [row [<- R]]. apply in_seq in R.
    apply in_edges_at. split; [apply in_matrix; lia|apply column_of, B].
Qed.

(* Each color has an element in each bank. *)
Lemma colors_use_all_banks : forall h w P color, 0 < w ->
  (forall i, i < h * w -> color i < h) ->
  proper (fun i => i mod w) (fun i => P i mod w) (h * w) color ->
  forall c bank, c < h -> bank < w -> exists i, i < h * w /\ i mod w = bank /\ color i = c.
Proof.
  intros h w P color W below colored c bank C B.
  apply (color_at_node (fun i => i mod w) (h * w) bank h color c); auto; [apply bank_is_full, B|].
  intros i j I J E. apply in_edges_at in I, J. apply colored; try tauto. left. intuition congruence.
Qed.

(* The element that lane j moves in the plan of a coloring: it is in bank j mod w, and its color is
   j / w. THS writes S(iw + j) = c(i, j). *)
Definition element_of (w N : nat) (color : nat -> nat) (j : nat) : nat :=
  match find (fun i => (i mod w =? j mod w) && (color i =? j / w)) (seq 0 N) with
  | Some i => i
  | None => N
  end.

Definition plan_of_coloring (w n N : nat) (color : nat -> nat) : access :=
  map (fun j => let i := element_of w N color j in if i <? n then Some i else None) (seq 0 N).

Section OfColoring.
Variables h w n : nat.
Variable P color : nat -> nat.
Hypothesis W : 0 < w.
Hypothesis rows : h = ceil_div n w.
Hypothesis permutation : permutes n P.
Hypothesis below : forall i, i < h * w -> color i < h.
Hypothesis colored :
  proper (fun i => i mod w) (fun i => filled_up n P i mod w) (h * w) color.

Let source := element_of w (h * w) color.

Lemma source_spec : forall j, j < h * w ->
  source j < h * w /\ source j mod w = j mod w /\ color (source j) = j / w.
Proof.
  intros j J. unfold source, element_of. destruct (find _ _) as [i|] eqn:F.
  - apply find_some in F. destruct F as [I E]. apply in_seq in I.
    rewrite andb_true_iff, !Nat.eqb_eq in E. intuition lia.
  - exfalso. destruct (colors_use_all_banks h w (filled_up n P) color W below colored (j / w) (j mod w))
      as [i [I [M C]]]; [apply row_below, J|apply Nat.mod_upper_bound; lia|].
    assert (X : In i (seq 0 (h * w))) by (apply in_seq; lia). apply (find_none _ _ F) in X.
    rewrite M, C, !Nat.eqb_refl in X. discriminate.
Qed.

Lemma source_of_lane_of : forall i, i < h * w -> source (color i * w + i mod w) = i.
Proof.
  intros i I. pose proof (Nat.mod_upper_bound i w) as B.
  destruct (source_spec (color i * w + i mod w)) as [L [M C]]; [apply in_matrix; [apply below, I|lia]|].
  rewrite column_of in M by lia. rewrite row_of in C by lia. apply colored; auto.
Qed.

Lemma source_injective : forall i j, i < h * w -> j < h * w -> source i = source j -> i = j.
Proof.
  intros i j I J E. destruct (source_spec i I) as [_ [M C]], (source_spec j J) as [_ [M' C']].
  rewrite E in M, C. apply (by_row_and_column w); congruence.
Qed.

Let S := plan_of_coloring w n (h * w) color.

Lemma lane_of_S : forall j, j < h * w ->
  lane S j = if source j <? n then Some (source j) else None.
Proof.
  intros j J. apply (lane_of_map (fun j => if source j <? n then Some (source j) else None)), J.
Qed.

Lemma requests_of_warp : forall k x, k < h -> In x (requests (warp w S k)) ->
  exists j, j < h * w /\ j / w = k /\ source j = x /\ x < n.
Proof.
  intros k x K X. apply in_requests, in_map_iff in X. destruct X as [j [E J]]. apply in_seq in J.
  assert (R : j < h * w /\ j / w = k).
  { split; [nia|]. replace j with (k * w + (j - k * w)) by lia. apply row_of. lia. }
  exists j. rewrite lane_of_S in E by tauto. destruct (Nat.ltb_spec (source j) n); [|discriminate].
  injection E as E. subst x. tauto.
Qed.

Lemma coloring_gives_a_plan : plan w n P S (map (option_map P) S).
Proof.
  assert (room : n <= h * w) by (rewrite rows; apply ceil_div_spec, W).
  constructor.
  - unfold S, plan_of_coloring. rewrite map_length, seq_length, rows. reflexivity.
  - reflexivity.
  - assert (req : requests S = filter (fun i => i <? n) (map source (seq 0 (h * w)))).
    { unfold S, plan_of_coloring. fold source. unfold requests.
      induction (seq 0 (h * w)) as [|j js IH]; [reflexivity|]. simpl.
      destruct (source j <? n); simpl; rewrite <- IH; reflexivity. }
    rewrite req. apply NoDup_Permutation; [|apply seq_NoDup|].
    + apply NoDup_filter, NoDup_map_on; [apply seq_NoDup|].
      intros i j I J. apply in_seq in I, J. apply source_injective; lia.
    + intro i. rewrite filter_In, in_map_iff, in_seq, Nat.ltb_lt. split; [lia|]. intro I.
      split; [|lia]. exists (color i * w + i mod w). split; [apply source_of_lane_of; lia|].
      apply in_seq. pose proof (Nat.mod_upper_bound i w). specialize (below i ltac:(lia)).
      pose proof (in_matrix h w (color i) (i mod w)). lia.
  - intros k K x y X Y M. rewrite <- rows in K.
    destruct (requests_of_warp k x K X) as [i [I [R [E _]]]].
    destruct (requests_of_warp k y K Y) as [j [J [R' [E' _]]]].
    destruct (source_spec i I) as [_ [B _]], (source_spec j J) as [_ [B' _]].
    rewrite <- E, <- E' in *. f_equal. apply (by_row_and_column w); congruence.
  - intros k K x y X Y M. rewrite <- rows in K.
    rewrite warp_of_destinations, requests_of_destinations in X, Y.
    apply in_map_iff in X, Y. destruct X as [x' [<- X]], Y as [y' [<- Y]].
    destruct (requests_of_warp k x' K X) as [i [I [R [E L]]]].
    destruct (requests_of_warp k y' K Y) as [j [J [R' [E' L']]]].
    destruct (source_spec i I) as [X' [_ C]], (source_spec j J) as [Y' [_ C']].
    rewrite E in X', C. rewrite E' in Y', C'. f_equal. apply colored; auto; [congruence|].
    right. unfold filled_up. rewrite (proj2 (Nat.ltb_lt x' n) L), (proj2 (Nat.ltb_lt y' n) L'). exact M.
Qed.

Lemma lanes_read_their_own_bank : forall j i, lane S j = Some i -> i mod w = j mod w.
Proof.
  intros j i E. destruct (Nat.lt_ge_cases j (h * w)) as [J|J].
  - rewrite lane_of_S in E by exact J. destruct (source j <? n); [|discriminate].
    injection E as <-. apply source_spec, J.
  - unfold lane in E. rewrite nth_overflow in E; [discriminate|].
    unfold S, plan_of_coloring. rewrite map_length, seq_length. exact J.
Qed.
End OfColoring.

(* R4. THS theorem 4.2.1 and lemma 4.2.2. For every width and every permutation there is a
   conflict-free plan, in which lane j of a warp reads bank j. The width need not divide the number
   of elements. *)
Theorem plans_exist : forall w n P, 0 < w -> permutes n P ->
  exists S D, plan w n P S D /\ forall j i, lane S j = Some i -> i mod w = j mod w.
Proof.
  intros w n P W perm. set (h := ceil_div n w).
  assert (filled : permutes (h * w) (filled_up n P)).
  { apply filled_up_permutes; [apply ceil_div_spec, W|exact perm]. }
  destruct (koenig (fun i => i mod w) (fun i => filled_up n P i mod w) h (h * w))
    as [color [below colored]].
  - intro u. apply (degrees_of_banks h w (filled_up n P)); auto.
  - intro v. apply degrees_of_banks; auto.
  - exists (plan_of_coloring w n (h * w) color),
      (map (option_map P) (plan_of_coloring w n (h * w) color)). split.
    + apply coloring_gives_a_plan; auto.
    + apply (lanes_read_their_own_bank h w n P); auto.
Qed.

(* R3. THS 4.1. Where w divides n, all lanes of a plan are busy: S is a permutation of 0 ... n - 1,
   and lane i moves element S(i) to P(S(i)). *)
Theorem plans_of_whole_rows_have_no_idle_lane : forall w h P S D, 0 < w -> plan w (h * w) P S D ->
  exists s, permutes (h * w) s /\ S = map (fun i => Some (s i)) (seq 0 (h * w)) /\
    D = map (fun i => Some (P (s i))) (seq 0 (h * w)).
Proof.
  intros w h P S D W [L -> once _ _]. rewrite (ceil_div_unique (h * w) w h) in L by lia.
  assert (busy : S = map Some (requests S)).
  { assert (T : length (requests S) = length S) by (rewrite (Permutation_length once), seq_length; lia).
    clear - T. induction S as [|[x|] S IH]; simpl in *; [reflexivity|f_equal; apply IH; lia|].
    pose proof (requests_at_most_lanes S). change (requests (None :: S)) with (requests S) in T. lia. }
  assert (len : length (requests S) = h * w) by (rewrite (Permutation_length once); apply seq_length).
  set (s := fun i => nth i (requests S) 0).
  assert (as_map : requests S = map s (seq 0 (h * w))).
  { apply (nth_ext _ _ 0 (s 0)); [rewrite map_length, seq_length; exact len|].
    intros i I. rewrite (map_nth s), seq_nth by lia. reflexivity. }
  exists s. split; [|split].
  - split.
    + intros i I. assert (X : In (s i) (requests S)) by (apply nth_In; lia).
      apply (Permutation_in _ once), in_seq in X. lia.
    + intros i j I J E. apply (NoDup_nth (requests S) 0); try lia; [|exact E].
      apply (Permutation_NoDup (Permutation_sym once)), seq_NoDup.
  - rewrite busy, as_map, map_map. reflexivity.
  - rewrite busy, as_map, !map_map. reflexivity.
Qed.

(* R3. THS 4.1, lemma 4.2.2. In summary: every permutation P of n elements has a plan of S and D =
   P(S), with ceil(n / w) warps. Each warp takes one stage to read and one to write. All warps
   together take ceil(n / w) stages to read and ceil(n / w) stages to write. In whatever order the
   lanes are served, b[P(i)] is a[i] at the end. *)
Theorem every_permutation_is_conflict_free : forall w n P, 0 < w -> permutes n P ->
  exists S D, plan w n P S D /\
    (forall k, k < ceil_div n w -> dmm_stages w (warp w S k) = 1 /\ dmm_stages w (warp w D k) = 1) /\
    round_stages (dmm_stages w) (map (warp w S) (seq 0 (ceil_div n w))) = ceil_div n w /\
    round_stages (dmm_stages w) (map (warp w D) (seq 0 (ceil_div n w))) = ceil_div n w /\
    forall V (a b : nat -> V) order, Permutation order (combine S D) ->
      forall i, i < n -> fold_left (move a) order b (P i) = a i.
Proof.
  intros w n P W perm. destruct (plans_exist w n P W perm) as [S [D [p _]]]. exists S, D.
  split; [exact p|].
  split; [intros k; apply (warps_of_plans_take_one_stage w n P); auto|].
  destruct (stages_of_plans w n P S D W p) as [reading writing].
  split; [exact reading|]. split; [exact writing|].
  intros V a b order same. apply (plans_move_every_element V w n P S D a b order perm p same).
Qed.
