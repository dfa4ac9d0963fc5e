(* Augmenting paths: a path that ends at a right node without a partner can be flipped. The matching
   then has one edge more (THS 4.3, figures 4.4 and 4.5;
   algorithms/permutation/coloring/halving.hpp).

   A matching gives right nodes partners at the left. A path starts at a left node. It goes along
   any edge to a right node, and from there back to the partner of that right node, until it is at a
   right node without a partner. The path is flipped edge by edge from its start. The first right
   node takes the start for its partner, and its old partner becomes the start of the rest of the
   path. A path that comes back to the first right node can be cut short. *)
From Coq Require Import Arith List Lia Bool.
From Bankproof Require Import Counting Reach Koenig Matching.
Import ListNotations.

Section Augmenting.
Variables left right : nat -> nat.
Variable m : nat.

(* Partners have an edge in common, and different right nodes have different partners. *)
Definition matching (partner : nat -> option nat) : Prop :=
  (forall v u, partner v = Some u -> exists e, e < m /\ left e = u /\ right e = v) /\
  forall v v' u, partner v = Some u -> partner v' = Some u -> v = v'.

Definition matched (partner : nat -> option nat) (u : nat) : Prop := exists v, partner v = Some u.

(* A path from left node u that turns at most `turns` times, and only at right nodes that satisfy
   `through`. *)
Inductive path (partner : nat -> option nat) (through : nat -> Prop) : nat -> nat -> Prop :=
| path_ends : forall turns u e, e < m -> left e = u -> partner (right e) = None ->
    path partner through turns u
| path_turns : forall turns u e u', e < m -> left e = u -> through (right e) ->
    partner (right e) = Some u' -> path partner through turns u' -> path partner through (S turns) u.

Lemma longer_path : forall partner through turns u,
  path partner through turns u -> path partner through (S turns) u.
Proof.
  intros partner through turns u p. induction p as [turns u e E L F|turns u e u' E L T P _ IH].
  - apply (path_ends _ _ _ u e); auto.
  - apply (path_turns _ _ _ u e u'); auto.
Qed.

(* If there is a path from u, there is a path that does not turn at v, from u or from the partner of
   v. *)
Lemma path_around : forall partner v u1, partner v = Some u1 ->
  forall turns u, path partner (fun _ => True) turns u ->
  path partner (fun x => x <> v) turns u \/ path partner (fun x => x <> v) turns u1.
Proof.
  intros partner v u1 P1 turns u p. induction p as [turns u e E L F|turns u e u' E L _ P _ IH].
  - left. apply (path_ends _ _ _ u e); auto.
  - destruct IH as [IH|IH]; [|right; apply longer_path, IH].
    destruct (Nat.eq_dec (right e) v) as [V|N].
    + right. rewrite V, P1 in P. injection P as <-. apply longer_path, IH.
    + left. apply (path_turns _ _ _ u e u'); auto.
Qed.

(* Right node v takes u for its partner. *)
Definition with_partner (partner : nat -> option nat) (v u : nat) : nat -> option nat :=
  fun x => if x =? v then Some u else partner x.

Lemma partner_of_itself : forall partner v u, with_partner partner v u v = Some u.
Proof. intros. unfold with_partner. rewrite Nat.eqb_refl. reflexivity. Qed.

Lemma partner_of_others : forall partner v u x, x <> v -> with_partner partner v u x = partner x.
Proof. intros partner v u x N. unfold with_partner. apply Nat.eqb_neq in N. rewrite N. reflexivity. Qed.

Lemma still_a_matching : forall partner e, e < m -> matching partner -> ~ matched partner (left e) ->
  matching (with_partner partner (right e) (left e)).
Proof.
  intros partner e E [edges apart] alone.
  assert (fresh : forall v, with_partner partner (right e) (left e) v = Some (left e) -> v = right e).
  { intros v Q. destruct (Nat.eq_dec v (right e)) as [|N]; [assumption|].
    rewrite partner_of_others in Q by exact N. exfalso. apply alone. exists v. exact Q. }
  split.
  - intros v u Q. destruct (Nat.eq_dec v (right e)) as [->|N].
    + rewrite partner_of_itself in Q. injection Q as <-. eauto.
    + rewrite partner_of_others in Q by exact N. auto.
  - intros v v' u Q Q'. destruct (Nat.eq_dec v (right e)) as [->|N].
    { rewrite partner_of_itself in Q. injection Q as <-. symmetry. apply fresh, Q'. }
    destruct (Nat.eq_dec v' (right e)) as [->|N'].
    { rewrite partner_of_itself in Q'. injection Q' as <-. apply fresh, Q. }
    rewrite partner_of_others in Q, Q' by assumption. apply (apart v v' u); auto.
Qed.

(* Node v takes a new partner in place of its old partner. A path that does not turn at v is still a
   path. *)
Lemma path_stays : forall partner v u, partner v <> None -> forall turns x,
  path partner (fun y => y <> v) turns x -> path (with_partner partner v u) (fun _ => True) turns x.
Proof.
  intros partner v u busy turns x p. induction p as [turns x e E L F|turns x e x' E L N P _ IH].
  - apply (path_ends _ _ _ x e); auto. rewrite partner_of_others; [exact F|]. congruence.
  - apply (path_turns _ _ _ x e x'); auto. rewrite partner_of_others; auto.
Qed.

(* R10, R4. THS 4.3, figures 4.4 and 4.5. Flipping a path gives a matching. Right nodes that had a
   partner still have a partner, and one more right node gets a partner. The matched left nodes are
   the nodes that were matched before, and the start. *)
Theorem flipped_paths_match_one_more : forall turns partner start,
  matching partner -> ~ matched partner start -> path partner (fun _ => True) turns start ->
  exists flipped, matching flipped /\
    (forall v, partner v <> None -> flipped v <> None) /\
    (exists v, partner v = None /\ flipped v <> None) /\
    forall u, matched flipped u <-> matched partner u \/ u = start.
Proof.
  assert (ends : forall partner e, e < m -> matching partner -> ~ matched partner (left e) ->
    partner (right e) = None -> let flipped := with_partner partner (right e) (left e) in
    matching flipped /\ (forall v, partner v <> None -> flipped v <> None) /\
    (exists v, partner v = None /\ flipped v <> None) /\
    forall u, matched flipped u <-> matched partner u \/ u = left e).
  { intros partner e E M alone free flipped. unfold flipped. split; [apply still_a_matching; auto|].
    split; [|split].
    - intros v busy. rewrite partner_of_others; congruence.
    - exists (right e). rewrite partner_of_itself. split; [exact free|discriminate].
    - intro u. split.
      + intros [v Q]. destruct (Nat.eq_dec v (right e)) as [->|N].
        * rewrite partner_of_itself in Q. injection Q as <-. auto.
        * rewrite partner_of_others in Q by exact N. left. exists v. exact Q.
      + intros [[v Q]| ->].
        * exists v. rewrite partner_of_others; congruence.
        * exists (right e). apply partner_of_itself. }
  induction turns as [|turns IH]; intros partner start M alone p;
    inversion p as [t u e E L F|t u e u1 E L _ P rest]; subst; clear p;
    try (eexists; apply ends; eauto; fail).
  (* The path turns at a right node. The rest of the path begins at u1, the partner of this right
     node. *)
  set (next := with_partner partner (right e) (left e)).
  assert (alone' : ~ matched next u1).
  { intros [v Q]. unfold next in Q. destruct (Nat.eq_dec v (right e)) as [->|N].
    - rewrite partner_of_itself in Q. injection Q as Q. apply alone. exists (right e). congruence.
    - rewrite partner_of_others in Q by exact N. apply N, (proj2 M v (right e) u1); auto. }
  destruct (IH next u1) as [flipped [M' [kept [[v [free taken]] left_]]]]; auto.
  { apply still_a_matching; auto. }
  { apply path_stays; [congruence|].
    destruct (path_around partner (right e) u1 P turns u1 rest); assumption. }
  assert (before : forall v, partner v <> None -> next v <> None).
  { intros x busy. unfold next. destruct (Nat.eq_dec x (right e)) as [->|N].
    - rewrite partner_of_itself. discriminate.
    - rewrite partner_of_others; auto. }
  exists flipped. split; [exact M'|]. split; [auto|]. split.
  - exists v. split; [|exact taken]. destruct (partner v) eqn:Q; [|reflexivity].
    exfalso. apply (before v); [congruence|exact free].
  - intro u. rewrite left_. split.
    + intros [[x Q]| ->]; [|left; exists (right e); exact P]. unfold next in Q.
      destruct (Nat.eq_dec x (right e)) as [->|N].
      * rewrite partner_of_itself in Q. injection Q as <-. auto.
      * rewrite partner_of_others in Q by exact N. left. exists x. exact Q.
    + intros [[x Q]| ->].
      * destruct (Nat.eq_dec x (right e)) as [->|N]; [right; congruence|].
        left. exists x. unfold next. rewrite partner_of_others; auto.
      * left. exists (right e). apply partner_of_itself.
Qed.

(* If a walk leads to a right node without a partner, there is a path. *)
Lemma walks_are_paths : forall partner start u e, reaches (walks left right m partner) start u ->
  e < m -> left e = u -> partner (right e) = None ->
  exists turns, path partner (fun _ => True) turns start.
Proof.
  intros partner start u e R E L F.
  assert (p : exists turns, path partner (fun _ => True) turns u).
  { exists 0. apply (path_ends _ _ _ u e); auto. }
  clear e E L F. induction R as [|x y R IH W]; [exact p|]. apply IH. destruct p as [turns p].
  apply walks_spec in W. destruct W as [e [E [L Q]]]. exists (S turns).
  apply (path_turns _ _ _ x e y); auto.
Qed.

Section Regular.
Variables nodes h : nat.
Hypothesis regular_left : regular left m nodes h.
Hypothesis regular_right : regular right m nodes h.
Hypothesis some_edges : 0 < h.

(* R4, R10. THS 4.3, figures 4.4 and 4.5. In a regular graph that has edges, for every matching,
   there is a path from each left node that is not matched. So a search that finds no path has a
   defect. *)
Theorem searches_find_a_path : forall partner start, matching partner -> start < nodes ->
  ~ matched partner start -> exists turns, path partner (fun _ => True) turns start.
Proof.
  intros partner start M below alone.
  destruct (some_walk_ends left right m partner nodes h regular_left regular_right some_edges)
    with (start := start) as [u [e [walk [E [L free]]]]]; [|apply M|exact below| |].
  - intros v u Q. destruct (proj1 M v u Q) as [e [E [<- _]]]. apply regular_left, E.
  - intros v Q. apply alone. exists v. exact Q.
  - apply (walks_are_paths partner start u e walk E L free).
Qed.

(* R4. THS 4.3. So left nodes can be matched one after another, until all of them are matched. *)
Theorem matchings_grow_to_perfect_ones : forall count, count <= nodes ->
  exists partner, matching partner /\ forall u, matched partner u <-> u < count.
Proof.
  induction count as [|count IH]; intro few.
  { exists (fun _ => None). split; [split; intros; discriminate|].
    intro u. split; [intros [v Q]; discriminate|lia]. }
  destruct IH as [partner [M all]]; [lia|].
  assert (alone : ~ matched partner count) by (rewrite all; lia).
  destruct (searches_find_a_path partner count M) as [turns p]; [lia|exact alone|].
  destruct (flipped_paths_match_one_more turns partner count M alone p) as [flipped [M' [_ [_ left_]]]].
  exists flipped. split; [exact M'|]. intro x. rewrite left_, all. lia.
Qed.
End Regular.
End Augmenting.
