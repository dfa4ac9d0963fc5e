(* Summed area tables by tiles, for all sizes and widths of tiles: 2R1W computes them in any
   commutative monoid, 1R1W in any commutative group (THS 6;
   algorithms/summed_area_table/two_passes.hpp, one_pass.hpp).

   A matrix is a function of row and column. It is zero beyond its edge, so tiles may stick out.
   box a r c is the sum of the first r rows and c columns of a. Entry (i, j) of the table is
   box a (i + 1) (j + 1). *)
From Coq Require Import Arith List Lia Bool.
Import ListNotations.

Section Table.
Variable V : Type.
Variable zero : V.
Variable op : V -> V -> V.
Hypothesis associative : forall a b c, op a (op b c) = op (op a b) c.
Hypothesis commutative : forall a b, op a b = op b a.
Hypothesis neutral : forall a, op zero a = a.

Fixpoint sum (f : nat -> V) (n : nat) : V := match n with 0 => zero | S n => op (sum f n) (f n) end.

Definition box (a : nat -> nat -> V) (r c : nat) : V := sum (fun i => sum (fun j => a i j) c) r.

Lemma neutral_right : forall a, op a zero = a.
Proof. intro a. rewrite commutative. apply neutral. Qed.

Lemma swap_middle : forall a b c d, op (op a b) (op c d) = op (op a c) (op b d).
Proof.
  intros. rewrite <- !associative. f_equal. rewrite !associative. f_equal. apply commutative.
Qed.

Lemma sum_same : forall f g n, (forall k, k < n -> f k = g k) -> sum f n = sum g n.
Proof.
  intros f g n same. induction n as [|n IH]; simpl; [reflexivity|]. rewrite IH, same; auto.
Qed.

Lemma sum_of_two : forall f g n, sum (fun k => op (f k) (g k)) n = op (sum f n) (sum g n).
Proof.
  intros f g n. induction n as [|n IH]; simpl; [symmetry; apply neutral|]. rewrite IH. apply swap_middle.
Qed.

Lemma sum_apart : forall f m n, sum f (m + n) = op (sum f m) (sum (fun k => f (m + k)) n).
Proof.
  intros f m n. induction n as [|n IH].
  - rewrite Nat.add_0_r. symmetry. apply neutral_right.
  - rewrite Nat.add_succ_r. simpl. rewrite IH. symmetry. apply associative.
Qed.

Lemma sum_of_zeros : forall n, sum (fun _ => zero) n = zero.
Proof. induction n as [|n IH]; simpl; [reflexivity|]. rewrite IH. apply neutral. Qed.

Lemma sum_of_sums : forall f r c, sum (fun i => sum (fun j => f i j) c) r =
  sum (fun j => sum (fun i => f i j) r) c.
Proof.
  intros f r c. induction r as [|r IH]; simpl; [symmetry; apply sum_of_zeros|]. rewrite IH.
  symmetry. apply (sum_of_two (fun j => sum (fun i => f i j) r)).
Qed.

(* If v is added to the first number, it is added to the sum. *)
Lemma sum_with_first : forall f v n,
  sum (fun k => if k =? 0 then op (f k) v else f k) (S n) = op (sum f (S n)) v.
Proof.
  intros f v n. change (S n) with (1 + n). rewrite (sum_apart _ 1 n), (sum_apart f 1 n). simpl.
  rewrite !neutral.
  rewrite <- !associative. f_equal. apply commutative.
Qed.

(* The sums of blocks of m numbers add up to the sum of all numbers. *)
Lemma sum_by_blocks : forall f m blocks, sum (fun y => sum (fun i => f (y * m + i)) m) blocks =
  sum f (blocks * m).
Proof.
  intros f m blocks. induction blocks as [|y IH]; [reflexivity|]. simpl sum at 1. rewrite IH.
  replace (S y * m) with (y * m + m) by (simpl; lia). symmetry. apply sum_apart.
Qed.

(* A box has four parts: above and to the left, above, to the left, within. *)
Lemma box_apart : forall a top left r c, box a (top + r) (left + c) =
  op (op (box a top left) (sum (fun j => sum (fun i => a i (left + j)) top) c))
     (op (sum (fun i => sum (fun j => a (top + i) j) left) r)
         (box (fun i j => a (top + i) (left + j)) r c)).
Proof.
  intros a top left r c. unfold box. rewrite (sum_apart _ top r). f_equal.
  - rewrite (sum_same _ (fun i => op (sum (fun j => a i j) left) (sum (fun j => a i (left + j)) c)))
      by (intros; apply sum_apart).
    rewrite sum_of_two. f_equal. apply sum_of_sums.
  - rewrite (sum_same _ (fun i => op (sum (fun j => a (top + i) j) left)
                                    (sum (fun j => a (top + i) (left + j)) c)))
      by (intros; apply sum_apart).
    apply sum_of_two.
Qed.

(* The tile at (top, left) with three additions. Its top row gets the sums of the columns above the
   tile. Its leftmost column gets the sums of the rows to the left of the tile. Its corner gets the
   sum of all elements that are both above and to the left of the tile. *)
Definition with_edges (a : nat -> nat -> V) (top left : nat) (above beside : nat -> V) (corner : V)
    (i j : nat) : V :=
  let inner := a (top + i) (left + j) in
  let with_above := if i =? 0 then op inner (above j) else inner in
  let with_beside := if j =? 0 then op with_above (beside i) else with_above in
  if (i =? 0) && (j =? 0) then op with_beside corner else with_beside.

(* A4, A6. THS 6.3, 6.4. The table of the tile with these additions is the tile's part of the table
   of the matrix. *)
Theorem tile_with_edges_has_the_table : forall a top left above beside corner i j,
  (forall j', j' <= j -> above j' = sum (fun i' => a i' (left + j')) top) ->
  (forall i', i' <= i -> beside i' = sum (fun j' => a (top + i') j') left) ->
  corner = box a top left ->
  box (with_edges a top left above beside corner) (S i) (S j) = box a (top + S i) (left + S j).
Proof.
  intros a top left above beside corner i j A B C. unfold box at 1.
  set (row := fun i' => sum (fun j' => a (top + i') (left + j')) (S j)).
  (* A row of the tile, and the values that are added to it. *)
  assert (rows : forall i', i' < S i ->
            sum (fun j' => with_edges a top left above beside corner i' j') (S j) =
            (fun i' => if i' =? 0 then op (op (row i') (beside i')) (op (sum above (S j)) corner)
                       else op (row i') (beside i')) i').
  { intros i' _. unfold with_edges. destruct (Nat.eqb_spec i' 0) as [->|N]; simpl andb.
    - rewrite (sum_same _ (fun j' => if j' =? 0
                                     then op (op (a (top + 0) (left + j')) (above j')) (op (beside 0) corner)
                                     else op (a (top + 0) (left + j')) (above j'))).
      + rewrite (sum_with_first (fun j' => op (a (top + 0) (left + j')) (above j'))).
        rewrite (sum_of_two (fun j' => a (top + 0) (left + j'))).
        apply swap_middle.
      + intros k _. destruct (k =? 0); [|reflexivity]. symmetry. apply associative.
    - apply (sum_with_first (fun j' => a (top + i') (left + j'))). }
  rewrite (sum_same _ _ (S i) rows).
  rewrite (sum_with_first (fun i' => op (row i') (beside i'))), (sum_of_two row).
  rewrite (sum_same above (fun j' => sum (fun i' => a i' (left + j')) top) (S j))
    by (intros; apply A; lia).
  rewrite (sum_same beside (fun i' => sum (fun j' => a (top + i') j') left) (S i))
    by (intros; apply B; lia).
  rewrite C, box_apart. unfold row, box at 3. rewrite (commutative (op _ (sum _ (S i)))).
  f_equal; apply commutative.
Qed.

(* ---- 2R1W ---- *)

Section TwoPasses.
Variable a : nat -> nat -> V.
Variable m : nat.
Hypothesis tiles : 0 < m.

(* Step 1 computes the sums of the columns of tile (y, x), the sums of its rows, and its own sum. *)
Definition sums_of_columns (y j : nat) : V := sum (fun i => a (y * m + i) j) m.
Definition sums_of_rows (x i : nat) : V := sum (fun j => a i (x * m + j)) m.
Definition sums_of_tiles (y x : nat) : V := box (fun i j => a (y * m + i) (x * m + j)) m m.

(* Step 2 adds up the sums of columns downwards and the sums of rows to the right, and computes the
   table of the tiles' sums. Step 3 adds these results to the edges of each tile, and computes the
   table of the tile. *)
Definition table_by_2R1W (y x i j : nat) : V :=
  box (with_edges a (y * m) (x * m)
         (fun j' => sum (fun y' => sums_of_columns y' (x * m + j')) y)
         (fun i' => sum (fun x' => sums_of_rows x' (y * m + i')) x)
         (box sums_of_tiles y x)) (S i) (S j).

Lemma table_of_tile_sums : forall y x, box sums_of_tiles y x = box a (y * m) (x * m).
Proof.
  intros y x. unfold box at 1, sums_of_tiles, box.
  rewrite (sum_same _ (fun y' => sum (fun i => sum (fun j => a (y' * m + i) j) (x * m)) m)).
  - apply (sum_by_blocks (fun i => sum (fun j => a i j) (x * m))).
  - intros y' _. rewrite sum_of_sums. apply sum_same. intros i _.
    apply (sum_by_blocks (fun j => a (y' * m + i) j)).
Qed.

(* A4. THS lemma 6.3.1. 2R1W computes the summed area table. *)
Theorem table_by_2R1W_is_right : forall y x i j,
  table_by_2R1W y x i j = box a (y * m + S i) (x * m + S j).
Proof.
  intros y x i j. apply tile_with_edges_has_the_table.
  - intros j' _. apply (sum_by_blocks (fun i' => a i' (x * m + j'))).
  - intros i' _. apply (sum_by_blocks (fun j' => a (y * m + i') j')).
  - apply table_of_tile_sums.
Qed.
End TwoPasses.

(* ---- 1R1W ---- *)

Section OnePass.
Variable opposite : V -> V.
Hypothesis inverse : forall a, op a (opposite a) = zero.

Variable a : nat -> nat -> V.
Variable m : nat.

(* `edge` is a row or a column of a table. The difference at k is number k + 1 of the edge less
   number k. *)
Definition differences (edge : nat -> V) (k : nat) : V := op (edge (S k)) (opposite (edge k)).

(* `table r c` is the entry of row r - 1 and column c - 1, and zero where r or c is 0. The
   differences along the bottom row of the tile above are the sums of the columns above a tile. The
   differences along the rightmost column of the tile to the left are the sums of the rows to the
   left. *)
Definition tile_by_1R1W (table : nat -> nat -> V) (y x i j : nat) : V :=
  box (with_edges a (y * m) (x * m)
         (differences (fun k => table (y * m) (x * m + k)))
         (differences (fun k => table (y * m + k) (x * m)))
         (table (y * m) (x * m))) (S i) (S j).

Lemma difference_is_the_last : forall s v, op (op s v) (opposite s) = v.
Proof. intros. rewrite (commutative s), <- associative, inverse. apply neutral_right. Qed.

(* A6. THS theorem 6.4.2, figure 6.8. In the part of the table above a tile, the differences along
   the bottom row are sums of columns. In the part to the left of the tile, the differences along
   the rightmost column are sums of rows. *)
Lemma differences_are_sums : forall top left k,
  differences (fun k => box a top (left + k)) k = sum (fun i => a i (left + k)) top /\
  differences (fun k => box a (top + k) left) k = sum (fun j => a (top + k) j) left.
Proof.
  intros top left k. unfold differences. rewrite !Nat.add_succ_r. split.
  - unfold box.
    rewrite (sum_of_two (fun i => sum (fun j => a i j) (left + k)) (fun i => a i (left + k))).
    apply difference_is_the_last.
  - apply difference_is_the_last.
Qed.

(* A6. THS theorem 6.4.2. If each tile is computed by 1R1W from the entries of tiles above and to
   the left, the result is the table of the matrix, for all numbers of tiles. *)
Theorem table_by_1R1W_is_right : forall table, 0 < m ->
  (forall k, table 0 k = zero /\ table k 0 = zero) ->
  (forall y x i j, i < m -> j < m -> table (y * m + S i) (x * m + S j) = tile_by_1R1W table y x i j) ->
  forall r c, table r c = box a r c.
Proof.
  intros table M edges computed.
  assert (by_size : forall size r c, r + c <= size -> table r c = box a r c).
  { induction size as [|size IH]; intros r c L.
    - replace r with 0 by lia. apply edges.
    - destruct r as [|r]; [apply edges|]. destruct c as [|c].
      { rewrite (proj2 (edges (S r))). symmetry. apply (sum_of_zeros (S r)). }
      pose proof (Nat.div_mod r m ltac:(lia)) as R. pose proof (Nat.mod_upper_bound r m ltac:(lia)).
      pose proof (Nat.div_mod c m ltac:(lia)) as C. pose proof (Nat.mod_upper_bound c m ltac:(lia)).
      set (y := r / m) in *. set (i := r mod m) in *. set (x := c / m) in *. set (j := c mod m) in *.
      replace (S r) with (y * m + S i) by lia. replace (S c) with (x * m + S j) by lia.
      rewrite computed by assumption. apply tile_with_edges_has_the_table.
      + intros j' J. unfold differences. rewrite !IH by lia.
        apply (differences_are_sums (y * m) (x * m) j').
      + intros i' I. unfold differences. rewrite !IH by lia.
        apply (differences_are_sums (y * m) (x * m) i').
      + apply IH. lia. }
  intros r c. apply (by_size (r + c)). lia.
Qed.
End OnePass.
End Table.
