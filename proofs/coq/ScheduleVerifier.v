(* The checks of the verifier of schedules, and a proof that every schedule that passes is right, no
   matter how it was made (THS 5.5; algorithms/permutation/verify_schedule.hpp).

   A schedule has a plan for each row of each of three passes. The second pass is over the rows of
   the transposed matrix. The verifier checks that each plan is right for the permutation that it
   makes of its row. It also checks that the three passes together take element i to P(i), or leave
   element i where it is, if i is beyond P. *)
From Coq Require Import Arith List Lia Permutation Bool.
From Bankproof Require Import Counting Access Plan PlansExist Verifier ThreePasses.
Import ListNotations.

(* S and D of a row. *)
Definition row_plan := (access * access)%type.

Definition reads (x : nat) (l : option nat * option nat) : bool :=
  match fst l with Some s => s =? x | None => false end.

(* The column to which a plan moves column x. If the plan does not move x, this is n, which is not a
   column. *)
Definition moves_to (n : nat) (r : row_plan) (x : nat) : nat :=
  match find (reads x) (combine (fst r) (snd r)) with
  | Some (_, Some d) => d
  | _ => n
  end.
Definition permutation_of_row (n : nat) (r : row_plan) : list nat := map (moves_to n r) (seq 0 n).

Definition row_is_right (w n : nat) (r : row_plan) : bool :=
  is_permutation (permutation_of_row n r) && verify_plan w (permutation_of_row n r) (fst r) (snd r).

Definition schedule := (list row_plan * list row_plan * list row_plan)%type.

Definition row_of_pass (pass : list row_plan) (r : nat) : row_plan := nth r pass ([], []).
Definition pass_is_right (w rows columns : nat) (pass : list row_plan) : bool :=
  (length pass =? rows) && forallb (row_is_right w columns) pass.

(* The position to which the three passes take element i. *)
Definition taken_to (R C : nat) (s : schedule) (i : nat) : nat :=
  let '(pass1, pass2, pass3) := s in
  let k := moves_to C (row_of_pass pass1 (i / C)) (i mod C) in
  let v := moves_to R (row_of_pass pass2 k) (i / C) in
  v * C + moves_to C (row_of_pass pass3 v) k.

Definition verify_schedule (w R C : nat) (P : list nat) (s : schedule) : bool :=
  let '(pass1, pass2, pass3) := s in
  pass_is_right w R C pass1 && pass_is_right w C R pass2 && pass_is_right w R C pass3 &&
  forallb (fun i => taken_to R C s i =? filled_up (length P) (target P) i) (seq 0 (R * C)).

Lemma length_of_row : forall n r, length (permutation_of_row n r) = n.
Proof. intros. unfold permutation_of_row. rewrite map_length. apply seq_length. Qed.

Lemma target_of_row : forall n r x, x < n -> target (permutation_of_row n r) x = moves_to n r x.
Proof.
  intros n r x X. unfold target, permutation_of_row.
  rewrite (nth_indep _ 0 (moves_to n r 0)) by (rewrite map_length, seq_length; exact X).
  rewrite (map_nth (moves_to n r)), seq_nth by exact X. reflexivity.
Qed.

Lemma plan_of_same_targets : forall w n P Q S D, (forall i, i < n -> P i = Q i) -> plan w n P S D ->
  plan w n Q S D.
Proof.
  intros w n P Q S D same [L -> once reads_ writes_]. constructor; auto.
  apply map_ext_in. intros [x|] X; [|reflexivity]. simpl. f_equal. apply same.
  apply in_requests in X. apply (Permutation_in _ once), in_seq in X. lia.
Qed.

Lemma permutes_same : forall n P Q, (forall i, i < n -> P i = Q i) -> permutes n P -> permutes n Q.
Proof.
  intros n P Q same [into inj]. split.
  - intros i I. rewrite <- same by exact I. auto.
  - intros i j I J. rewrite <- !same by assumption. auto.
Qed.

(* A row is right if and only if its plan is a plan of the permutation that the plan makes. *)
Lemma row_is_right_iff : forall w n r, 0 < w ->
  row_is_right w n r = true <-> permutes n (moves_to n r) /\ plan w n (moves_to n r) (fst r) (snd r).
Proof.
  intros w n r W. unfold row_is_right. rewrite andb_true_iff. pose proof (target_of_row n r) as T.
  assert (T' : forall x, x < n -> moves_to n r x = target (permutation_of_row n r) x).
  { intros x X. symmetry. auto. }
  split.
  - intros [perm ok]. apply verifier_accepts_just_the_plans in ok; auto.
    apply is_permutation_spec in perm. rewrite length_of_row in *. split.
    + apply (permutes_same _ _ _ T perm).
    + apply (plan_of_same_targets _ _ _ _ _ _ T ok).
  - intros [perm ok]. assert (P : is_permutation (permutation_of_row n r) = true).
    { apply is_permutation_spec. rewrite length_of_row. apply (permutes_same _ _ _ T' perm). }
    split; [exact P|]. apply verifier_accepts_just_the_plans; auto. rewrite length_of_row.
    apply (plan_of_same_targets _ _ _ _ _ _ T' ok).
Qed.

(* A plan moves each column to the position that the plan's permutation gives it. *)
Lemma plans_move_to_targets : forall w n P S D x, plan w n P S D -> x < n -> moves_to n (S, D) x = P x.
Proof.
  intros w n P S D x [_ -> once _ _] X. unfold moves_to. simpl. rewrite lanes_with_destinations.
  destruct (find _ _) as [[s d]|] eqn:F.
  - apply find_some in F. destruct F as [I R]. apply in_map_iff in I. destruct I as [s' [E _]].
    injection E as -> <-. unfold reads in R. simpl in R. destruct s as [s|]; [|discriminate].
    apply Nat.eqb_eq in R. subst s. reflexivity.
  - exfalso. assert (I : In (Some x, Some (P x)) (map (fun s => (s, option_map P s)) S)).
    { apply in_map_iff. exists (Some x). split; [reflexivity|]. apply in_requests.
      apply (Permutation_in _ (Permutation_sym once)), in_seq. lia. }
    apply (find_none _ _ F) in I. unfold reads in I. simpl in I. rewrite Nat.eqb_refl in I. discriminate.
Qed.

Lemma pass_is_right_iff : forall w rows columns pass,
  pass_is_right w rows columns pass = true <->
  length pass = rows /\ forall r, r < rows -> row_is_right w columns (row_of_pass pass r) = true.
Proof.
  intros w rows columns pass. unfold pass_is_right, row_of_pass.
  rewrite andb_true_iff, Nat.eqb_eq, forallb_forall. split; intros [L H]; split; auto.
  - intros r R. apply H, nth_In. lia.
  - intros p I. apply In_nth with (d := ([], [])) in I. destruct I as [r [R <-]]. apply H. lia.
Qed.

Section Schedule.
Variables w R C : nat.
Variable P : list nat.
Variables pass1 pass2 pass3 : list row_plan.
Hypothesis W : 0 < w.

Let along_rows u := moves_to C (row_of_pass pass1 u).
Let along_columns k := moves_to R (row_of_pass pass2 k).
Let back_along_rows v := moves_to C (row_of_pass pass3 v).

(* H6. THS 5.5. A schedule that passes the check consists of three passes that permute by P and
   leave elements beyond P where they are. Each row of each pass has a conflict-free plan. *)
Theorem verified_schedules_are_right : verify_schedule w R C P (pass1, pass2, pass3) = true ->
  passes R C (filled_up (length P) (target P)) along_rows along_columns back_along_rows /\
  (forall u, u < R ->
     plan w C (along_rows u) (fst (row_of_pass pass1 u)) (snd (row_of_pass pass1 u))) /\
  (forall k, k < C ->
     plan w R (along_columns k) (fst (row_of_pass pass2 k)) (snd (row_of_pass pass2 k))) /\
  (forall v, v < R ->
     plan w C (back_along_rows v) (fst (row_of_pass pass3 v)) (snd (row_of_pass pass3 v))).
Proof.
  unfold verify_schedule. rewrite !andb_true_iff, !pass_is_right_iff, forallb_forall.
  intros [[[[_ first] [_ second]] [_ third]] all].
  assert (first' : forall u, u < R -> permutes C (along_rows u) /\
            plan w C (along_rows u) (fst (row_of_pass pass1 u)) (snd (row_of_pass pass1 u))).
  { intros u U. apply row_is_right_iff; auto. }
  assert (second' : forall k, k < C -> permutes R (along_columns k) /\
            plan w R (along_columns k) (fst (row_of_pass pass2 k)) (snd (row_of_pass pass2 k))).
  { intros k K. apply row_is_right_iff; auto. }
  assert (third' : forall v, v < R -> permutes C (back_along_rows v) /\
            plan w C (back_along_rows v) (fst (row_of_pass pass3 v)) (snd (row_of_pass pass3 v))).
  { intros v V. apply row_is_right_iff; auto. }
  split; [|split; [|split]]; [constructor|..].
  - intros u U. apply first', U.
  - intros k K. apply second', K.
  - intros v V. apply third', V.
  - intros i I u k v. assert (U : u < R) by (apply row_below, I).
    assert (K : k < C) by (apply (first' u U), Nat.mod_upper_bound; lia).
    assert (V : v < R) by (apply (second' k K), U). repeat (split; [assumption|]).
    specialize (all i). rewrite in_seq, Nat.eqb_eq in all. symmetry. apply all. lia.
  - intros u U. apply first', U.
  - intros k K. apply second', K.
  - intros v V. apply third', V.
Qed.
End Schedule.

(* H6. THS 5.5. So a schedule that passes takes each element to its place. If its passes move matrix
   a to b1, b1 to b2, and b2 to b, then b[P(i)] is a[i]. *)
Theorem verified_schedules_move_every_element : forall V w R C P pass1 pass2 pass3
  (a b1 b2 b : nat -> V),
  0 < w -> is_permutation P = true -> length P <= R * C ->
  verify_schedule w R C P (pass1, pass2, pass3) = true ->
  (forall u x, u < R -> x < C -> b1 (u * C + moves_to C (row_of_pass pass1 u) x) = a (u * C + x)) ->
  (forall k u, k < C -> u < R ->
     b2 (moves_to R (row_of_pass pass2 k) u * C + k) = b1 (u * C + k)) ->
  (forall v k, v < R -> k < C -> b (v * C + moves_to C (row_of_pass pass3 v) k) = b2 (v * C + k)) ->
  forall i, i < length P -> b (target P i) = a i.
Proof.
  intros V w R C P pass1 pass2 pass3 a b1 b2 b W perm room ok first second third i I.
  destruct (verified_schedules_are_right w R C P pass1 pass2 pass3 W ok) as [p _].
  rewrite <- (three_passes_move_every_element V R C _ _ _ _ a b1 b2 b p first second third i) by lia.
  unfold filled_up. rewrite (proj2 (Nat.ltb_lt i (length P)) I). reflexivity.
Qed.

(* The plans of all rows are a list that is right. *)
Lemma plans_of_all_rows : forall w columns f rows, 0 < w ->
  (forall r, r < rows -> permutes columns (f r)) ->
  exists pass, pass_is_right w rows columns pass = true /\
    forall r x, r < rows -> x < columns -> moves_to columns (row_of_pass pass r) x = f r x.
Proof.
  intros w columns f rows W perm. induction rows as [|rows IH].
  { exists []. split; [reflexivity|]. intros r x R. lia. }
  destruct IH as [pass [ok to]]; [intros r R; apply perm; lia|].
  destruct (plans_exist w columns (f rows) W) as [S [D [p _]]]; [apply perm; lia|].
  exists (pass ++ [(S, D)]). apply pass_is_right_iff in ok. destruct ok as [L right].
  assert (last : row_of_pass (pass ++ [(S, D)]) rows = (S, D)).
  { unfold row_of_pass. rewrite app_nth2, L, Nat.sub_diag by lia. reflexivity. }
  assert (before : forall r, r < rows -> row_of_pass (pass ++ [(S, D)]) r = row_of_pass pass r).
  { intros r R. apply app_nth1. lia. }
  assert (moved : forall x, x < columns -> f rows x = moves_to columns (S, D) x).
  { intros x X. symmetry. apply (plans_move_to_targets w columns (f rows)); auto. }
  split.
  - apply pass_is_right_iff. rewrite app_length, L. split; [simpl; lia|]. intros r R.
    destruct (Nat.eq_dec r rows) as [->|N]; [|rewrite before by lia; apply right; lia].
    rewrite last. apply row_is_right_iff; [exact W|]. split.
    + apply (permutes_same _ _ _ moved), perm. lia.
    + apply (plan_of_same_targets _ _ _ _ _ _ moved p).
  - intros r x R X. destruct (Nat.eq_dec r rows) as [->|N]; [rewrite last; symmetry; auto|].
    rewrite before by lia. apply to; lia.
Qed.

(* H6. THS 5.5. For every permutation, every width and every matrix with room for it there is a
   schedule that passes. *)
Theorem some_schedule_passes : forall w R C P, 0 < w -> is_permutation P = true -> length P <= R * C ->
  exists s, verify_schedule w R C P s = true.
Proof.
  intros w R C P W perm room. apply is_permutation_spec in perm.
  pose proof (filled_up_permutes _ _ _ room perm) as filled.
  destruct (every_permutation_is_three_passes R C _ filled) as [color [_ [_ p]]].
  destruct (plans_of_all_rows w C _ R W (of_rows _ _ _ _ _ _ p)) as [pass1 [ok1 to1]].
  destruct (plans_of_all_rows w R _ C W (of_columns _ _ _ _ _ _ p)) as [pass2 [ok2 to2]].
  destruct (plans_of_all_rows w C _ R W (of_rows_again _ _ _ _ _ _ p)) as [pass3 [ok3 to3]].
  exists (pass1, pass2, pass3). unfold verify_schedule. rewrite ok1, ok2, ok3. simpl.
  apply forallb_forall. intros i I. apply in_seq in I. apply Nat.eqb_eq.
  destruct (to_its_place _ _ _ _ _ _ p i ltac:(lia)) as [U [K [V ->]]]. unfold taken_to.
  rewrite to1 by (auto; apply Nat.mod_upper_bound; nia). rewrite to2, to3 by assumption. reflexivity.
Qed.
