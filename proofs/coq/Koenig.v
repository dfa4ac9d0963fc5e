(* König's theorem: if each node of a bipartite multigraph has at most h edges, h colors are enough
   to color the edges so that edges of one color share no node (THS theorem 4.2.1).

   Edges are numbered 0 ... m - 1; edge e joins left node `left e` and right node `right e`. The
   proof colors one edge after another. If the ends of an edge have no free color in common, a color
   a is free at its left node, and a color b at its right node v. The proof then exchanges a and b
   along the chain of edges of these two colors that begins at v. The chain does not reach the left
   node, so a is free at both ends afterwards. *)
From Coq Require Import Arith List Lia Bool.
From Bankproof Require Import Counting Reach.
Import ListNotations.

Definition edges_at (side : nat -> nat) (m node : nat) : list nat :=
  filter (fun e => side e =? node) (seq 0 m).
Definition degree (side : nat -> nat) (m node : nat) : nat := length (edges_at side m node).

(* Edges of one color share no node. *)
Definition proper (left right : nat -> nat) (m : nat) (color : nat -> nat) : Prop :=
  forall e f, e < m -> f < m -> color e = color f -> left e = left f \/ right e = right f -> e = f.

Lemma in_edges_at : forall side m node e, In e (edges_at side m node) <-> e < m /\ side e = node.
Proof. intros. unfold edges_at. rewrite filter_In, in_seq, Nat.eqb_eq. lia. Qed.

Lemma edges_at_once : forall side m node, NoDup (edges_at side m node).
Proof. intros. apply NoDup_filter, seq_NoDup. Qed.

Lemma degree_of_one_more : forall side m node,
  degree side (S m) node = degree side m node + (if side m =? node then 1 else 0).
Proof.
  intros. unfold degree, edges_at. rewrite seq_S, filter_app, app_length. simpl.
  destruct (side m =? node); reflexivity.
Qed.

(* A number that is not a node has no edges, so a bound on the degrees of all nodes holds for all
   numbers. *)
Lemma degree_at_most : forall side m nodes h, (forall e, e < m -> side e < nodes) ->
  (forall node, node < nodes -> degree side m node <= h) -> forall node, degree side m node <= h.
Proof.
  intros side m nodes h ends few node.
  destruct (Nat.lt_ge_cases node nodes) as [below|beyond]; [apply few, below|]. unfold degree.
  destruct (edges_at side m node) as [|e es] eqn:E; [simpl; lia|]. exfalso.
  assert (I : In e (edges_at side m node)) by (rewrite E; simpl; auto).
  apply in_edges_at in I. destruct I as [I S]. specialize (ends e I). lia.
Qed.

(* If a node has at least as many edges as there are colors, and these edges have different colors,
   it has an edge of each color. *)
Lemma color_at_node : forall side m node h color c, h <= degree side m node ->
  (forall e, e < m -> color e < h) -> injective_on color (edges_at side m node) -> c < h ->
  exists e, e < m /\ side e = node /\ color e = c.
Proof.
  intros side m node h color c full below apart C.
  assert (I : In c (map color (edges_at side m node))).
  { apply (fills_universe h); [|intros x X|rewrite map_length; exact full|exact C].
    - apply NoDup_map_on; [apply edges_at_once|exact apart].
    - apply in_map_iff in X. destruct X as [e [<- E]]. apply in_edges_at in E. apply below, E. }
  apply in_map_iff in I. destruct I as [e [Ce E]]. apply in_edges_at in E. exists e. tauto.
Qed.

(* At a node with fewer than h edges, some color below h is free. *)
Lemma free_color : forall side m node h color, degree side m node < h ->
  exists a, a < h /\ forall e, e < m -> side e = node -> color e <> a.
Proof.
  intros side m node h color D. set (used := map color (edges_at side m node)).
  destruct (find (fun a => negb (member a used)) (seq 0 h)) as [a|] eqn:F.
  - apply find_some in F. destruct F as [A U]. apply in_seq in A. exists a. split; [lia|].
    intros e E N C. subst a. assert (M : member (color e) used = true); [|rewrite M in U; discriminate].
    apply member_spec, in_map, in_edges_at. auto.
  - exfalso. assert (I : incl (seq 0 h) used).
    { intros a A. apply (find_none _ _ F) in A. apply member_spec. destruct (member a used); auto. }
    apply NoDup_incl_length in I; [|apply seq_NoDup]. unfold used, degree in *.
    rewrite map_length, seq_length in I. lia.
Qed.

Section Coloring.
Variables left right : nat -> nat.

(* The chain of edges of colors a and b that begins at right node v. No edge at v has color b. *)
Section Chain.
Variables (m a b v : nat) (color : nat -> nat).
Hypothesis colored : proper left right m color.
Hypothesis differ : a <> b.
Hypothesis b_is_free : forall e, e < m -> right e = v -> color e <> b.

(* An edge of color a leads from right node x to a left node, and an edge of color b from there to
   y. *)
Definition steps (x y : nat) : bool :=
  existsb (fun e => (right e =? x) && (color e =? a) &&
    existsb (fun f => (right f =? y) && (color f =? b) && (left e =? left f)) (seq 0 m)) (seq 0 m).

Lemma steps_spec : forall x y, steps x y = true <-> exists e f, e < m /\ f < m /\
  right e = x /\ color e = a /\ right f = y /\ color f = b /\ left e = left f.
Proof.
  intros x y. unfold steps. rewrite existsb_exists. split.
  - intros [e [E H]]. apply in_seq in E. rewrite !andb_true_iff, !Nat.eqb_eq, existsb_exists in H.
    destruct H as [[Re Ce] [f [F H]]]. apply in_seq in F. rewrite !andb_true_iff, !Nat.eqb_eq in H.
    exists e, f. intuition lia.
  - intros [e [f [E [F [Re [Ce [Rf [Cf L]]]]]]]]. exists e. rewrite in_seq. split; [lia|].
    rewrite !andb_true_iff, !Nat.eqb_eq, existsb_exists. split; [auto|].
    exists f. rewrite in_seq, !andb_true_iff, !Nat.eqb_eq. intuition lia.
Qed.

Definition exchanged (c : nat) : nat := if c =? a then b else if c =? b then a else c.

Lemma exchanged_injective : forall c c', exchanged c = exchanged c' -> c = c'.
Proof.
  intros c c'. unfold exchanged.
  destruct (Nat.eqb_spec c a), (Nat.eqb_spec c b), (Nat.eqb_spec c' a), (Nat.eqb_spec c' b); congruence.
Qed.

(* There is a proper coloring by the same colors in which a is free at v, and at each left node
   where a was free before. *)
Lemma exchange : exists color',
  proper left right m color' /\
  (forall e, e < m -> color' e = color e \/ color' e = a \/ color' e = b) /\
  (forall e, e < m -> right e = v -> color' e <> a) /\
  (forall u, (forall e, e < m -> left e = u -> color e <> a) ->
     forall e, e < m -> left e = u -> color' e <> a).
Proof.
  destruct (reached_numbers steps v (map right (seq 0 m))) as [chain [_ reached]].
  { intros x y S. apply steps_spec in S. destruct S as [e [f [_ [F [_ [_ [<- _]]]]]]].
    apply in_map, in_seq. lia. }
  assert (forth : forall e f, e < m -> f < m -> color e = a -> color f = b -> left e = left f ->
            In (right e) chain -> In (right f) chain).
  { intros e f E F Ce Cf L Ie. apply reached. apply reached in Ie.
    apply (reaches_next _ _ (right e)); [exact Ie|]. apply steps_spec. exists e, f. auto 10. }
  assert (back : forall f, f < m -> color f = b -> In (right f) chain ->
            exists e, e < m /\ color e = a /\ left e = left f /\ In (right e) chain).
  { intros f F Cf If. apply reached in If. inversion If as [V|x y X Sx Y].
    - exfalso. apply (b_is_free f); auto.
    - apply reached in X. apply steps_spec in Sx.
      destruct Sx as [e [f' [E [F' [Re [Ce [Rf [Cf' L]]]]]]]].
      assert (f' = f) by (apply colored; auto; congruence). subst f' x. eauto. }
  set (color' := fun e => if member (right e) chain then exchanged (color e) else color e).
  (* Take two edges at a left node, the first on the chain, the second not. The exchange does not
     give the first edge the color of the second. *)
  assert (apart : forall e f, e < m -> f < m -> left e = left f ->
            In (right e) chain -> ~ In (right f) chain -> exchanged (color e) = color f -> False).
  { intros e f E F L Ie Of. unfold exchanged.
    destruct (Nat.eqb_spec (color e) a) as [Ca|]; [|destruct (Nat.eqb_spec (color e) b) as [Cb|]];
      intro C.
    - apply Of, (forth e f); auto.
    - destruct (back e E Cb Ie) as [g [G [Cg [Lg Ig]]]].
      assert (g = f) by (apply colored; auto; [congruence|left; congruence]). subst g. auto.
    - assert (e = f) by (apply colored; auto). subst f. auto. }
  exists color'. unfold color'. split; [|split; [|split]].
  - intros e f E F C S.
    assert (off : forall g, member (right g) chain = false -> ~ In (right g) chain).
    { intros g M. rewrite <- member_spec, M. discriminate. }
    destruct (member (right e) chain) eqn:Me, (member (right f) chain) eqn:Mf.
    + apply exchanged_injective in C. apply colored; auto.
    + exfalso. apply member_spec in Me. apply off in Mf.
      destruct S as [S|S]; [apply (apart e f); auto|congruence].
    + exfalso. apply member_spec in Mf. apply off in Me.
      destruct S as [S|S]; [apply (apart f e); auto|congruence].
    + apply colored; auto.
  - intros e _. destruct (member (right e) chain); [|auto]. unfold exchanged.
    destruct (color e =? a), (color e =? b); auto.
  - intros e E Ve. replace (member (right e) chain) with true
      by (symmetry; apply member_spec, reached; rewrite Ve; apply reaches_first).
    unfold exchanged. specialize (b_is_free e E Ve).
    destruct (Nat.eqb_spec (color e) a), (Nat.eqb_spec (color e) b); congruence.
  - intros u free e E L. destruct (member (right e) chain) eqn:Me; [|auto]. apply member_spec in Me.
    unfold exchanged. destruct (Nat.eqb_spec (color e) a); [congruence|].
    destruct (Nat.eqb_spec (color e) b) as [Cb|]; [|assumption]. exfalso.
    destruct (back e E Cb Me) as [g [G [Cg [Lg _]]]]. apply (free g); congruence.
Qed.
End Chain.

(* R4. THS theorem 4.2.1. For every h: if no node has more than h edges, h colors are enough. *)
Theorem koenig : forall h m,
  (forall u, degree left m u <= h) -> (forall v, degree right m v <= h) ->
  exists color, (forall e, e < m -> color e < h) /\ proper left right m color.
Proof.
  intros h m. induction m as [|m IH]; intros of_left of_right.
  { exists (fun _ => 0). split; [lia|]. intros e f E. lia. }
  destruct IH as [color [below colored]];
    [intro u; specialize (of_left u); rewrite degree_of_one_more in of_left; lia
    |intro v; specialize (of_right v); rewrite degree_of_one_more in of_right; lia|].
  specialize (of_left (left m)). specialize (of_right (right m)).
  rewrite degree_of_one_more, Nat.eqb_refl in of_left, of_right.
  destruct (free_color left m (left m) h color) as [a [A free_left]]; [lia|].
  destruct (free_color right m (right m) h color) as [b [B free_right]]; [lia|].
  assert (both : exists color', (forall e, e < m -> color' e < h) /\ proper left right m color' /\
            forall e, e < m -> left e = left m \/ right e = right m -> color' e <> a).
  { destruct (Nat.eq_dec a b) as [<-|differ].
    - exists color. split; [exact below|]. split; [exact colored|]. intros e E [S|S]; auto.
    - destruct (exchange m a b (right m) color colored differ free_right)
        as [color' [P [C [R L]]]]. exists color'. split; [|split; [exact P|]].
      + intros e E. specialize (below e E). destruct (C e E) as [->|[->| ->]]; assumption.
      + intros e E [S|S]; [apply (L (left m)); auto|apply R; auto]. }
  destruct both as [color' [below' [colored' free]]].
  exists (fun e => if e =? m then a else color' e). split.
  - intros e E. destruct (Nat.eqb_spec e m); [exact A|]. apply below'. lia.
  - intros e f E F C S. destruct (Nat.eqb_spec e m), (Nat.eqb_spec f m); subst; auto.
    + exfalso. apply (free f); [lia| |auto]. destruct S; auto.
    + exfalso. apply (free e); [lia|exact S|auto].
    + apply colored'; auto; lia.
Qed.

(* R4. THS theorem 4.2.1. Fewer colors are not enough: the edges at a node have different colors, so
   h colors allow at most h edges at each node. *)
Theorem colors_are_at_least_the_degree : forall h m color u,
  (forall e, e < m -> color e < h) -> proper left right m color -> degree left m u <= h.
Proof.
  intros h m color u below colored. apply (injected_below color).
  - apply edges_at_once.
  - intros e f E F C. apply in_edges_at in E, F. apply colored; try tauto. left. intuition congruence.
  - intros e E. apply in_edges_at in E. apply below. tauto.
Qed.
End Coloring.
