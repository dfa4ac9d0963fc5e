(* Regular bipartite multigraphs have perfect matchings, and a search for one cannot fail (THS 4.3;
   Goel, Kapralov and Khanna 2013; algorithms/permutation/coloring/halving.hpp).

   If a coloring has as many colors as the degree, each color is a perfect matching. The rest of the
   graph is regular, and its degree is less by one.

   In a search some right nodes have partners: left nodes to which they have edges. Begin at a left
   node that is not a partner. Walk along any edge to a right node, and from there, if it has a
   partner, to this partner; and so on. Some such walk ends at a right node without a partner. To
   see this, suppose that no walk does. Let n be the number of left nodes that walks reach. All
   edges of these n nodes lead to right nodes whose partners walks reach as well. The first left
   node is not a partner, so there are at most n - 1 of these right nodes, and they have fewer edges
   than the n left nodes. So a search of all nodes finds an augmenting path, and a search that gives
   up has a defect. A random walk ends with probability one; this file does not prove it. *)
From Coq Require Import Arith List Lia Bool.
From Bankproof Require Import Counting Reach Koenig Halving.
Import ListNotations.

(* ---- Colors of regular graphs ---- *)

Definition regular (side : nat -> nat) (m nodes h : nat) : Prop :=
  (forall e, e < m -> side e < nodes) /\ forall u, u < nodes -> degree side m u = h.

Definition perfect (matching : nat -> bool) (side : nat -> nat) (m nodes : nat) : Prop :=
  forall u, u < nodes -> degree_in matching side m u = 1.

Lemma degree_beyond : forall side m nodes h u, regular side m nodes h -> degree side m u <= h.
Proof.
  intros side m nodes h u [ends deg]. apply (degree_at_most side m nodes h ends).
  intros v V. rewrite deg; auto.
Qed.

(* R4. THS 4.3. If a coloring of a regular graph has as many colors as the degree, each of its
   colors is a perfect matching. *)
Theorem colors_are_perfect_matchings : forall left right m nodes h color c,
  regular left m nodes h -> regular right m nodes h -> (forall e, e < m -> color e < h) ->
  proper left right m color -> c < h ->
  perfect (fun e => color e =? c) left m nodes /\ perfect (fun e => color e =? c) right m nodes.
Proof.
  assert (one_side : forall left right m nodes h color c, regular left m nodes h ->
            (forall e, e < m -> color e < h) -> proper left right m color -> c < h ->
            perfect (fun e => color e =? c) left m nodes).
  { intros left right m nodes h color c [_ deg] below colored C u U.
    assert (apart : injective_on color (edges_at left m u)).
    { intros e f E F Q. apply in_edges_at in E, F. apply colored; try tauto. left.
      intuition congruence. }
    destruct (color_at_node left m u h color c) as [e [E [S Ce]]]; auto; [rewrite deg; auto|].
    unfold degree_in. apply Nat.le_antisymm.
    - apply all_equal_at_most_one; [apply part_at_once|]. intros f g F G. unfold part_at in *.
      rewrite filter_In, Nat.eqb_eq in F, G. apply apart; intuition congruence.
    - assert (X : In e (part_at (fun e => color e =? c) left m u)).
      { unfold part_at. rewrite filter_In, Nat.eqb_eq, in_edges_at. auto. }
      destruct (part_at _ left m u); [contradiction|simpl; lia]. }
  intros left right m nodes h color c L R below colored C. split.
  - apply (one_side left right m nodes h); auto.
  - apply (one_side right left m nodes h); auto. intros e f E F Q [S|S]; apply colored; auto.
Qed.

(* R4. THS 4.3. So there is a perfect matching. The rest of the graph is regular, and its degree
   is less by one. *)
Theorem regular_graphs_have_perfect_matchings : forall left right m nodes h,
  regular left m nodes (S h) -> regular right m nodes (S h) ->
  exists matching, perfect matching left m nodes /\ perfect matching right m nodes /\
    let rest := fun e => negb (matching e) in
    forall u, u < nodes -> degree_in rest left m u = h /\ degree_in rest right m u = h.
Proof.
  intros left right m nodes h L R.
  destruct (koenig left right (S h) m) as [color [below colored]];
    [intro u; apply (degree_beyond left m nodes), L|intro u; apply (degree_beyond right m nodes), R|].
  exists (fun e => color e =? 0).
  destruct (colors_are_perfect_matchings left right m nodes (S h) color 0 L R below colored)
    as [Pl Pr]; [lia|].
  split; [exact Pl|]. split; [exact Pr|]. destruct L as [_ Dl], R as [_ Dr]. intros rest u U.
  specialize (Pl u U). specialize (Dl u U). specialize (Pr u U). specialize (Dr u U).
  rewrite <- (parts_add_up (fun e => color e =? 0)) in Dl, Dr. unfold rest. lia.
Qed.

(* ---- A search ---- *)

Section Search.
Variables left right : nat -> nat.
Variable m : nat.

(* The partner of a right node. *)
Variable partner : nat -> option nat.

(* A step of a walk goes from a left node along an edge to a right node, and back to the partner of
   this right node. *)
Definition walks (u u' : nat) : bool :=
  existsb
    (fun e => (left e =? u) && match partner (right e) with Some x => x =? u' | None => false end)
    (seq 0 m).

Lemma walks_spec : forall u u', walks u u' = true <->
  exists e, e < m /\ left e = u /\ partner (right e) = Some u'.
Proof.
  intros u u'. unfold walks. rewrite existsb_exists. split.
  - intros [e [E W]]. apply in_seq in E. apply andb_prop in W. destruct W as [L W].
    apply Nat.eqb_eq in L.
    exists e. destruct (partner (right e)) as [x|]; [|discriminate]. apply Nat.eqb_eq in W. subst x.
    repeat split; auto. lia.
  - intros [e [E [L W]]]. exists e. rewrite in_seq, W, L, !Nat.eqb_refl. split; [lia|reflexivity].
Qed.

(* The edges at the nodes of a list. *)
Definition edges_of (side : nat -> nat) (xs : list nat) : list nat :=
  filter (fun e => member (side e) xs) (seq 0 m).

Lemma edges_of_list : forall side xs, NoDup xs ->
  length (edges_of side xs) = list_sum (map (degree side m) xs).
Proof.
  intros side xs once. induction once as [|x xs X _ IH].
  { unfold edges_of. induction (seq 0 m) as [|e es IH]; [reflexivity|exact IH]. }
  change (list_sum (map (degree side m) (x :: xs)))
    with (degree side m x + list_sum (map (degree side m) xs)).
  rewrite <- IH. unfold edges_of, degree, edges_at. clear IH.
  induction (seq 0 m) as [|e es IH]; [reflexivity|]. simpl.
  assert (both : member (side e) (x :: xs) = (side e =? x) || member (side e) xs).
  { apply eq_true_iff_eq. rewrite orb_true_iff, !member_spec, Nat.eqb_eq. simpl. intuition. }
  rewrite both. destruct (Nat.eqb_spec (side e) x) as [E|].
  - replace (member (side e) xs) with false; [simpl; lia|]. symmetry. apply not_true_iff_false.
    rewrite member_spec, E. exact X.
  - simpl. destruct (member (side e) xs); simpl; lia.
Qed.

Variables nodes h : nat.

Lemma degree_is : forall side xs, regular side m nodes h -> (forall x, In x xs -> x < nodes) ->
  list_sum (map (degree side m) xs) = h * length xs.
Proof. intros side xs [_ deg] below. apply list_sum_constant. intros x X. apply deg, below, X. Qed.

Hypothesis regular_left : regular left m nodes h.
Hypothesis regular_right : regular right m nodes h.
Hypothesis some_edges : 0 < h.
Hypothesis partners_exist : forall v u, partner v = Some u -> u < nodes.
Hypothesis partners_differ : forall v v' u, partner v = Some u -> partner v' = Some u -> v = v'.

(* R4. THS 4.3, figure 4.4. From a left node that is not a partner, some walk leads to a right node
   without a partner. *)
Theorem some_walk_ends : forall start, start < nodes -> (forall v, partner v <> Some start) ->
  exists u e, reaches walks start u /\ e < m /\ left e = u /\ partner (right e) = None.
Proof.
  intros start below alone.
  destruct (reached_numbers walks start (seq 0 nodes)) as [lefts [once reached]].
  { intros u u' W. apply walks_spec in W. destruct W as [e [_ [_ W]]]. apply in_seq.
    specialize (partners_exist _ _ W). lia. }
  assert (lefts_below : forall u, In u lefts -> u < nodes).
  { intros u U. apply reached in U. inversion U as [|x y _ W]; subst; [exact below|].
    apply walks_spec in W.
    destruct W as [e [_ [_ W]]]. apply (partners_exist _ _ W). }
  set (of_lefts := edges_of left lefts).
  destruct (find (fun e => match partner (right e) with None => true | Some _ => false end) of_lefts)
    as [e|] eqn:F.
  - apply find_some in F. destruct F as [E W]. unfold of_lefts, edges_of in E. apply filter_In in E.
    destruct E as [E L]. apply in_seq in E. apply member_spec, reached in L. exists (left e), e.
    destruct (partner (right e)); [discriminate|]. repeat split; auto. lia.
  - exfalso. set (rights := nodup Nat.eq_dec (map right of_lefts)).
    assert (matched : forall v, In v rights -> exists u, partner v = Some u /\ In u lefts).
    { intros v Iv. unfold rights in Iv. rewrite nodup_In, in_map_iff in Iv. destruct Iv as [e [<- E]].
      pose proof (find_none _ _ F e E) as W. simpl in W.
      destruct (partner (right e)) as [u|] eqn:P; [|discriminate].
      exists u. split; [reflexivity|]. apply reached. unfold of_lefts, edges_of in E.
      apply filter_In in E.
      destruct E as [E L]. apply in_seq in E. apply member_spec, reached in L.
      apply (reaches_next _ _ (left e)); [exact L|]. apply walks_spec. exists e. repeat split; auto.
      lia. }
    (* There are fewer right nodes than left nodes, because the first left node is not a partner. *)
    assert (few : S (length rights) <= length lefts).
    { set (of := fun v => match partner v with Some u => u | None => 0 end).
      assert (I : incl (start :: map of rights) lefts).
      { intros u [<-|U]; [apply reached, reaches_first|]. apply in_map_iff in U.
        destruct U as [v [<- Iv]].
        destruct (matched v Iv) as [u [P U]]. unfold of. rewrite P. exact U. }
      apply NoDup_incl_length in I; [simpl in I; rewrite map_length in I; exact I|]. constructor.
      - intro U. apply in_map_iff in U. destruct U as [v [E Iv]]. destruct (matched v Iv) as [u [P _]].
        unfold of in E. rewrite P in E. subst u. apply (alone v P).
      - apply NoDup_map_on; [apply NoDup_nodup|]. intros v v' Iv Iv' E. unfold of in E.
        destruct (matched v Iv) as [u [P _]], (matched v' Iv') as [u' [P' _]]. rewrite P, P' in E.
        subst u'.
        apply (partners_differ v v' u); auto. }
    assert (from_left : length of_lefts = h * length lefts).
    { unfold of_lefts. rewrite edges_of_list by exact once. apply degree_is; auto. }
    assert (to_right : length of_lefts <= h * length rights).
    { rewrite <- (degree_is right rights regular_right).
      - rewrite <- edges_of_list by apply NoDup_nodup.
        apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|].
        intros e E. unfold edges_of. apply filter_In. split.
        + unfold of_lefts, edges_of in E. apply filter_In in E. apply E.
        + apply member_spec. unfold rights. rewrite nodup_In. apply in_map, E.
      - intros v Iv. unfold rights in Iv. rewrite nodup_In, in_map_iff in Iv. destruct Iv as [e [<- E]].
        unfold of_lefts, edges_of in E. apply filter_In in E. destruct E as [E _]. apply in_seq in E.
        apply regular_right. lia. }
    nia.
Qed.
End Search.
