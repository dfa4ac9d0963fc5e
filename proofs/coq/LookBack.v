(* Decoupled look-back: prefix sums in one pass over tiles, for any associative operation, all
   numbers of tiles and all interleavings (Merrill and Garland 2016; cuda/kernels/prefix_sums/look_back.cuh).

   A tile publishes its sum. Then it looks at the earlier tiles, the nearest first, and adds up
   their sums until it finds a tile that has published its prefix sum. Then it publishes its own
   prefix sum. When a tile looks at another tile, it sees the last value that the other tile has
   published by then. Inductive rules define what tiles can publish in any run. The rules say
   nothing about times, so the theorems hold for all interleavings. *)
From Coq Require Import Arith List Lia Bool.
From Bankproof Require Import PrefixSums.
Import ListNotations.

Section LookBack.
Variable V : Type.
Variable op : V -> V -> V.
Hypothesis associative : forall a b c, op a (op b c) = op (op a b) c.

Variable tile_sum : nat -> V.

Inductive publication := Summed (v : V) | Prefixed (v : V).

Inductive published : nat -> publication -> Prop :=
| its_sum : forall tile, published tile (Summed (tile_sum tile))
| first_prefix : published 0 (Prefixed (tile_sum 0))
| next_prefix : forall tile before, looked_back tile before ->
    published (S tile) (Prefixed (op before (tile_sum (S tile))))
(* Tile number `tile` + 1 has looked at `tile` and at earlier tiles, and knows the sum of all tiles
   up to `tile`. *)
with looked_back : nat -> V -> Prop :=
| meets_at_once : forall tile v, published tile (Prefixed v) -> looked_back tile v
| meets_further : forall tile k u v, looking_back tile (S k) v -> published k (Prefixed u) ->
    looked_back tile (op u v)
(* Tile number `tile` + 1 has seen the sums of tiles k ... `tile`, and no prefix sum yet. *)
with looking_back : nat -> nat -> V -> Prop :=
| sees_nearest : forall tile v, published tile (Summed v) -> looking_back tile tile v
| sees_further : forall tile k u v, looking_back tile (S k) v -> published k (Summed u) ->
    looking_back tile k (op u v).

Scheme published_induction := Induction for published Sort Prop
with looked_back_induction := Induction for looked_back Sort Prop
with looking_back_induction := Induction for looking_back Sort Prop.

Combined Scheme look_back_induction from
  published_induction, looked_back_induction, looking_back_induction.

Definition as_it_should_be (tile : nat) (p : publication) : Prop :=
  match p with
  | Summed v => v = tile_sum tile
  | Prefixed v => v = range V op tile_sum 0 tile
  end.

Lemma all_that_is_seen :
  (forall tile p, published tile p -> as_it_should_be tile p) /\
  (forall tile v, looked_back tile v -> v = range V op tile_sum 0 tile) /\
  (forall tile k v, looking_back tile k v -> k <= tile /\ v = range V op tile_sum k (tile - k)).
Proof.
  apply (look_back_induction
    (fun tile p _ => as_it_should_be tile p)
    (fun tile v _ => v = range V op tile_sum 0 tile)
    (fun tile k v _ => k <= tile /\ v = range V op tile_sum k (tile - k))); simpl.
  - reflexivity.
  - reflexivity.
  - intros tile before _ ->. reflexivity.
  - intros tile v _ ->. reflexivity.
  - intros tile k u v _ [L ->] _ ->. rewrite (ranges_join V op associative tile_sum 0 k).
    f_equal. lia.
  - intros tile v _ ->. rewrite Nat.sub_diag. auto.
  - intros tile k u v _ [L ->] _ ->. split; [lia|].
    change (tile_sum k) with (range V op tile_sum k 0).
    replace (S k) with (k + 1) by lia. rewrite (ranges_join V op associative tile_sum k 0). f_equal. lia.
Qed.

(* P1. Merrill and Garland 2016. A tile publishes the sum of its own numbers, and then the sum, in
   order, of all tiles up to it. These two values do not depend on the values that the tile has seen
   of other tiles, or on the time when it has seen them. *)
Theorem look_back_publishes_prefix_sums : forall tile p, published tile p -> as_it_should_be tile p.
Proof. apply all_that_is_seen. Qed.

(* P1. Merrill and Garland 2016. A look-back ends at tile 0 at the latest, if tile 0 has published
   its prefix sum by then. The tiles between may have published sums or prefix sums. The theorem
   does not say that the blocks that a tile waits for are ever scheduled. *)
Theorem look_back_ends : forall tile seen v, (forall k, k <= tile -> published k (seen k)) ->
  seen 0 = Prefixed v -> exists before, looked_back tile before.
Proof.
  intros tile seen v shown zero.
  assert (back : forall d, (exists before, looked_back tile before) \/
            exists u, looking_back tile (tile - d) u).
  { induction d as [|d IH].
    - rewrite Nat.sub_0_r. pose proof (shown tile (Nat.le_refl _)) as p.
      destruct (seen tile) as [u|u]; [right|left]; eexists; [apply sees_nearest|apply meets_at_once];
        exact p.
    - destruct IH as [done|[u IH]]; [left; exact done|].
      destruct (Nat.le_gt_cases tile d) as [all|more].
      { right. replace (tile - S d) with (tile - d) by lia. eauto. }
      replace (tile - d) with (S (tile - S d)) in IH by lia.
      pose proof (shown (tile - S d) ltac:(lia)) as p.
      destruct (seen (tile - S d)) as [u'|u']; [right|left]; eexists.
      + apply (sees_further _ _ _ _ IH p).
      + apply (meets_further _ _ _ _ IH p). }
  assert (first : published 0 (Prefixed v)) by (rewrite <- zero; apply shown; lia).
  destruct tile as [|tile]; [exists v; apply meets_at_once, first|].
  destruct (back tile) as [done|[u L]]; [exact done|]. replace (S tile - tile) with 1 in L by lia.
  eexists. apply (meets_further _ _ _ _ L first).
Qed.
End LookBack.

(* ---- From tiles to numbers ---- *)

(* Each tile has m numbers. If the sums of tiles are added up in order, the result is the sum of the
   numbers. *)
Lemma range_of_tiles : forall V op, (forall a b c : V, op a (op b c) = op (op a b) c) ->
  forall m x tiles, 0 < m ->
  range V op (fun tile => range V op x (tile * m) (m - 1)) 0 tiles =
    range V op x 0 (tiles * m + (m - 1)).
Proof.
  intros V op assoc m x tiles M. induction tiles as [|tiles IH]; [reflexivity|].
  change (range V op (fun tile => range V op x (tile * m) (m - 1)) 0 (S tiles)) with
    (op (range V op (fun tile => range V op x (tile * m) (m - 1)) 0 tiles)
        (range V op x (S tiles * m) (m - 1))).
  rewrite IH. replace (S tiles * m) with (0 + S (tiles * m + (m - 1))) at 1 by (simpl; lia).
  rewrite (ranges_join V op assoc x 0). f_equal. simpl. lia.
Qed.

(* P1. Merrill and Garland 2016. Take number j of tile number `tile` + 1. The look-back has found
   the sum of all earlier tiles. This sum, followed by the numbers of tile `tile` + 1 up to number
   j, gives the sum, in order, of all numbers up to this number. In tile 0 there are only the
   numbers of the tile itself. *)
Theorem prefix_sums_in_one_pass_are_right : forall V op,
  (forall a b c : V, op a (op b c) = op (op a b) c) ->
  forall m x tile before j, 0 < m -> j < m ->
  looked_back V op (fun tile => range V op x (tile * m) (m - 1)) tile before ->
  op before (range V op x (S tile * m) j) = range V op x 0 (S tile * m + j).
Proof.
  intros V op assoc m x tile before j M J L.
  set (sums := fun tile => range V op x (tile * m) (m - 1)) in *.
  rewrite (proj1 (proj2 (all_that_is_seen V op assoc sums)) tile before L). unfold sums.
  rewrite range_of_tiles by assumption.
  replace (S tile * m) with (0 + S (tile * m + (m - 1))) at 1 by (simpl; lia).
  rewrite (ranges_join V op assoc x 0). f_equal. simpl. lia.
Qed.
