(* Regular bipartite multigraphs of even degree can be split into halves, and colorings of the parts
   join to a coloring of the whole (algorithms/permutation/coloring/halving.hpp; Gabow 1976).

   The edges of each node are paired up, at left nodes and at right nodes. A half takes one edge of
   each pair. Consider the graph whose nodes are the pairs, with the same edges. A coloring of this
   graph with two colors chooses a half. So König's theorem proves that there is a half, whatever
   the pairs are. *)
From Coq Require Import Arith List Lia Bool.
From Bankproof Require Import Counting Koenig.
Import ListNotations.

(* The edges at a node that are in a part of the graph. *)
Definition part_at (part : nat -> bool) (side : nat -> nat) (m node : nat) : list nat :=
  filter part (edges_at side m node).
Definition degree_in (part : nat -> bool) (side : nat -> nat) (m node : nat) : nat :=
  length (part_at part side m node).

Lemma in_part_at : forall part side m node e,
  In e (part_at part side m node) <-> e < m /\ side e = node /\ part e = true.
Proof. intros. unfold part_at. rewrite filter_In, in_edges_at. tauto. Qed.

Lemma part_at_once : forall part side m node, NoDup (part_at part side m node).
Proof. intros. apply NoDup_filter, edges_at_once. Qed.

Lemma parts_add_up : forall part side m node,
  degree_in part side m node + degree_in (fun e => negb (part e)) side m node = degree side m node.
Proof.
  intros. unfold degree_in, part_at, degree.
  induction (edges_at side m node) as [|e es IH]; [reflexivity|].
  simpl. destruct (part e); simpl; lia.
Qed.

(* ---- Halves ---- *)

(* `pair` is the number of an edge's pair. Each pair has two edges, which are at one node. *)
Definition pairs (side pair : nat -> nat) (m : nat) : Prop :=
  (forall e, e < m -> exists f, f < m /\ f <> e /\ pair f = pair e) /\
  (forall e f, e < m -> f < m -> pair e = pair f -> side e = side f) /\
  (forall k, degree pair m k <= 2).

(* One edge of each pair is in the part, and the other is not. *)
Definition parts_pairs (pair : nat -> nat) (m : nat) (part : nat -> bool) : Prop :=
  forall e f, e < m -> f < m -> e <> f -> pair e = pair f -> part e <> part f.

Lemma a_half_of_each_node : forall side pair m part, pairs side pair m -> parts_pairs pair m part ->
  forall node, degree_in part side m node = degree_in (fun e => negb (part e)) side m node.
Proof.
  intros side pair m part [partner [same _]] split node.
  assert (half : forall part', parts_pairs pair m part' ->
            degree_in part' side m node <= degree_in (fun e => negb (part' e)) side m node).
  { clear split part. intros part split. unfold degree_in.
    set (of := fun e => match find (fun f => (pair f =? pair e) && negb (f =? e)) (seq 0 m) with
                        | Some f => f | None => 0 end).
    assert (found : forall e, e < m -> of e < m /\ of e <> e /\ pair (of e) = pair e).
    { intros e E. unfold of. destruct (find _ _) as [f|] eqn:F.
      - apply find_some in F. destruct F as [I F]. apply in_seq in I.
        rewrite andb_true_iff, negb_true_iff, Nat.eqb_eq, Nat.eqb_neq in F. intuition lia.
      - exfalso. destruct (partner e E) as [f [I [N P]]].
        assert (X : In f (seq 0 m)) by (apply in_seq; lia). apply (find_none _ _ F) in X.
        rewrite P, Nat.eqb_refl in X. apply Nat.eqb_neq in N. rewrite N in X. discriminate. }
    rewrite <- (map_length of). apply NoDup_incl_length.
    - apply NoDup_map_on; [apply part_at_once|]. intros e f E F O. apply in_part_at in E, F.
      destruct (Nat.eq_dec e f) as [|N]; [assumption|]. exfalso.
      destruct (found e) as [_ [_ P]]; [tauto|]. destruct (found f) as [_ [_ P']]; [tauto|].
      apply (split e f); try tauto; [rewrite <- P, <- P', O; reflexivity|].
      destruct E as [_ [_ ->]], F as [_ [_ ->]]. reflexivity.
    - intros x X. apply in_map_iff in X. destruct X as [e [<- E]]. apply in_part_at in E.
      destruct E as [E [S In_]]. destruct (found e E) as [L [N P]]. apply in_part_at. split; [exact L|].
      split; [rewrite <- S; apply same; auto|]. specialize (split (of e) e L E N P).
      rewrite In_ in split.
      destruct (part (of e)); [exfalso; apply split; reflexivity|reflexivity]. }
  apply Nat.le_antisymm; [apply half, split|].
  etransitivity; [apply half|].
  - intros e f E F N P Q. apply (split e f); auto. destruct (part e), (part f); auto.
  - unfold degree_in, part_at. apply Nat.eq_le_incl. f_equal. apply filter_ext.
    intro e. apply negb_involutive.
Qed.

(* R4. Gabow 1976. The edges are paired up at the left nodes in any way, and at the right nodes in
   any way. If a part of the graph has one edge of each pair, the part has half of the edges of each
   node. So the halves of a regular graph of even degree are regular, whichever edges a walk along
   the pairs takes. *)
Theorem halves_are_regular : forall left right left_pair right_pair m half,
  pairs left left_pair m -> pairs right right_pair m ->
  parts_pairs left_pair m half -> parts_pairs right_pair m half ->
  forall node, 2 * degree_in half left m node = degree left m node /\
    2 * degree_in half right m node = degree right m node.
Proof.
  intros left right lp rp m half L R l r node.
  rewrite <- (parts_add_up half left), <- (parts_add_up half right).
  pose proof (a_half_of_each_node left lp m half L l node).
  pose proof (a_half_of_each_node right rp m half R r node). lia.
Qed.

(* R4. Gabow 1976. For every pairing of the edges there is a part with one edge of each pair. *)
Theorem graphs_of_even_degree_have_halves : forall left right left_pair right_pair m,
  pairs left left_pair m -> pairs right right_pair m ->
  exists half, parts_pairs left_pair m half /\ parts_pairs right_pair m half /\
    forall node, 2 * degree_in half left m node = degree left m node /\
      2 * degree_in half right m node = degree right m node.
Proof.
  intros left right lp rp m L R.
  destruct (koenig lp rp 2 m) as [color [below colored]]; [apply L|apply R|].
  exists (fun e => color e =? 0).
  assert (differ : forall e f, e < m -> f < m -> e <> f -> lp e = lp f \/ rp e = rp f ->
            (color e =? 0) <> (color f =? 0)).
  { intros e f E F N S Q. apply N, colored; auto. specialize (below e E) as Be. specialize (below f F).
    destruct (Nat.eqb_spec (color e) 0), (Nat.eqb_spec (color f) 0); lia || discriminate. }
  assert (sl : parts_pairs lp m (fun e => color e =? 0)) by (intros e f E F N P; apply differ; auto).
  assert (sr : parts_pairs rp m (fun e => color e =? 0)) by (intros e f E F N P; apply differ; auto).
  split; [exact sl|]. split; [exact sr|]. apply (halves_are_regular left right lp rp m); auto.
Qed.

(* The edges are 0-0, 0-1, 1-0, 1-1. The two edges at a node are a pair; 0-0 and 1-1 are a half. *)
Example four_edges : let left := fun e => e / 2 in let right := fun e => e mod 2 in
  let half := fun e => (e =? 0) || (e =? 3) in
  pairs left left 4 /\ pairs right right 4 /\ parts_pairs left 4 half /\ parts_pairs right 4 half.
Proof.
  intros left right half. repeat split; auto.
  - intros [|[|[|[|e]]]] E; [exists 1|exists 0|exists 3|exists 2|lia]; repeat split; auto.
  - intros [|[|k]]; cbn; lia.
  - intros [|[|[|[|e]]]] E; [exists 2|exists 3|exists 0|exists 1|lia]; repeat split; auto.
  - intros [|[|k]]; cbn; lia.
  - intros [|[|[|[|e]]]] [|[|[|[|f]]]] E F N Q; try lia; discriminate.
  - intros [|[|[|[|e]]]] [|[|[|[|f]]]] E F N Q; try lia; discriminate.
Qed.

(* The number of an edge among the edges of its node. *)
Definition rank (side : nat -> nat) (e : nat) : nat := degree side e (side e).

Lemma degree_grows : forall side m m' u, m <= m' -> degree side m u <= degree side m' u.
Proof.
  intros side m m' u L. induction L as [|m' L IH]; [reflexivity|]. rewrite degree_of_one_more. lia.
Qed.

Lemma rank_after : forall side e m, e < m -> rank side e < degree side m (side e).
Proof.
  intros side e m E. apply (degree_grows side (S e) m (side e)) in E.
  rewrite degree_of_one_more, Nat.eqb_refl in E. unfold rank. lia.
Qed.

Lemma rank_injective : forall side e f, side e = side f -> rank side e = rank side f -> e = f.
Proof.
  intros side e f S R. destruct (Nat.lt_trichotomy e f) as [L|[E|L]]; [|exact E|];
    apply (rank_after side) in L; [rewrite S in L|rewrite <- S in L]; unfold rank in *;
    rewrite ?S in *; lia.
Qed.

Lemma rank_taken : forall side m u r, r < degree side m u ->
  exists e, e < m /\ side e = u /\ rank side e = r.
Proof.
  intros side m u r. induction m as [|m IH]; intro R; [inversion R|].
  rewrite degree_of_one_more in R. destruct (Nat.eqb_spec (side m) u) as [E|].
  - destruct (Nat.lt_ge_cases r (degree side m u)) as [L|L].
    + destruct (IH L) as [e [B H]]. exists e. split; [lia|exact H].
    + exists m. unfold rank. rewrite E. repeat split; lia.
  - destruct IH as [e [B H]]; [lia|]. exists e. split; [lia|exact H].
Qed.

(* R4. Gabow 1976. If all degrees are even, edges 2k and 2k + 1 of a node are a pair. *)
Theorem edges_of_even_degree_pair_up : forall side m nodes, (forall e, e < m -> side e < nodes) ->
  (forall u, exists k, degree side m u = 2 * k) -> exists pair, pairs side pair m.
Proof.
  intros side m nodes ends even. exists (fun e => rank side e / 2 * nodes + side e).
  assert (apart : forall e f, e < m -> f < m ->
            rank side e / 2 * nodes + side e = rank side f / 2 * nodes + side f ->
            rank side e / 2 = rank side f / 2 /\ side e = side f).
  { intros e f E F P. apply ends in E, F. split.
    - rewrite <- (row_of nodes _ _ E), P. apply row_of, F.
    - rewrite <- (column_of nodes (rank side e / 2) _ E), P. apply column_of, F. }
  split; [|split].
  - intros e E. destruct (even (side e)) as [k D]. pose proof (rank_after side e m E) as below.
    pose proof (Nat.div_mod (rank side e) 2 ltac:(lia)) as parts.
    pose proof (Nat.mod_upper_bound (rank side e) 2 ltac:(lia)) as odd.
    destruct (rank_taken side m (side e) (2 * (rank side e / 2) + (1 - rank side e mod 2)))
      as [f [F [S R]]]; [lia|].
    exists f. split; [exact F|]. split; [intros ->; lia|]. rewrite S, R. f_equal. f_equal.
    symmetry. apply (Nat.div_unique _ 2 _ (1 - rank side e mod 2)); lia.
  - intros e f E F P. apply (apart e f E F P).
  - intro k. apply (injected_below (fun e => rank side e mod 2)).
    + apply edges_at_once.
    + intros e f E F Q. apply in_edges_at in E, F.
      destruct (apart e f) as [D S]; try tauto; [intuition congruence|].
      apply (rank_injective side); [exact S|]. apply (by_row_and_column 2); auto.
    + intros e _. apply Nat.mod_upper_bound. lia.
Qed.

(* ---- Colorings of parts ---- *)

Definition proper_in (part : nat -> bool) (left right : nat -> nat) (m : nat)
    (color : nat -> nat) : Prop :=
  forall e f, e < m -> f < m -> part e = true -> part f = true -> color e = color f ->
    left e = left f \/ right e = right f -> e = f.

(* R4. Gabow 1976. A coloring of a part, together with a coloring of the rest by other colors, is a
   coloring of the graph. *)
Theorem colorings_of_parts_join : forall part left right m h h' color color',
  (forall e, e < m -> part e = true -> color e < h) -> proper_in part left right m color ->
  (forall e, e < m -> part e = false -> color' e < h') ->
  proper_in (fun e => negb (part e)) left right m color' ->
  let joined := fun e => if part e then color e else h + color' e in
  (forall e, e < m -> joined e < h + h') /\ proper left right m joined.
Proof.
  intros part left right m h h' color color' below P below' P' joined. unfold joined. split.
  - intros e E. specialize (below e E). specialize (below' e E).
    destruct (part e); [specialize (below eq_refl)|specialize (below' eq_refl)]; lia.
  - intros e f E F. specialize (below e E) as Be. specialize (below f F) as Bf.
    destruct (part e) eqn:Pe, (part f) eqn:Pf; intros C S.
    + apply P; auto.
    + specialize (Be eq_refl). lia.
    + specialize (Bf eq_refl). lia.
    + apply P'; auto; [rewrite Pe|rewrite Pf|lia]; reflexivity.
Qed.
