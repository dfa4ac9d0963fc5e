(* The numbers that steps reach from a first number. There are finitely many of these numbers, so a
   list can hold them, and it can be decided whether a number is in the list. Koenig.v and
   Matching.v follow paths of graphs by such steps. *)
From Coq Require Import Arith List Lia Bool.
From Bankproof Require Import Counting.
Import ListNotations.

Section Reach.
Variable steps : nat -> nat -> bool.
Variable first : nat.

Inductive reaches : nat -> Prop :=
| reaches_first : reaches first
| reaches_next : forall x y, reaches x -> steps x y = true -> reaches y.

Variable universe : list nat.
Hypothesis bounded : forall x y, steps x y = true -> In y universe.

(* A number that is not in a list, and to which a step leads from a number in the list. *)
Definition leads_out (reached : list nat) (y : nat) : bool :=
  negb (member y reached) && existsb (fun x => steps x y) reached.

Lemma closed_lists_are_all : forall reached, In first reached -> (forall y, In y reached -> reaches y) ->
  find (leads_out reached) universe = None -> forall y, In y reached <-> reaches y.
Proof.
  intros reached start sound closed y. split; [apply sound|].
  induction 1 as [|x y _ X step]; [exact start|]. apply member_spec.
  pose proof (find_none _ _ closed y (bounded x y step)) as none. unfold leads_out in none.
  destruct (member y reached); [reflexivity|]. simpl in none. rewrite <- none.
  apply existsb_exists. eauto.
Qed.

Lemma closed_or_longer : forall reached, NoDup reached -> incl reached (first :: universe) ->
  (forall y, In y reached -> reaches y) ->
  find (leads_out reached) universe = None \/
  exists y, NoDup (y :: reached) /\ incl (y :: reached) (first :: universe) /\ reaches y.
Proof.
  intros reached once within sound.
  destruct (find (leads_out reached) universe) as [y|] eqn:new; [right|left; reflexivity].
  apply find_some in new. destruct new as [_ new]. apply andb_prop in new. destruct new as [out new].
  apply existsb_exists in new. destruct new as [x [X step]]. exists y. split; [|split].
  - constructor; [|exact once]. rewrite <- member_spec. destruct (member y reached); discriminate.
  - intros z [<-|Z]; [right; apply (bounded x), step|apply within, Z].
  - apply (reaches_next x); auto.
Qed.

Lemma grow : forall more reached, NoDup reached -> incl reached (first :: universe) ->
  In first reached -> (forall y, In y reached -> reaches y) ->
  S (length universe) <= length reached + more ->
  exists all, NoDup all /\ forall y, In y all <-> reaches y.
Proof.
  induction more as [|more IH]; intros reached once within start sound enough;
    destruct (closed_or_longer reached once within sound) as [closed|[y [once' [within' new]]]].
  - exists reached. split; [exact once|apply closed_lists_are_all; auto].
  - exfalso. apply NoDup_incl_length in within'; [|exact once']. simpl in within'. lia.
  - exists reached. split; [exact once|apply closed_lists_are_all; auto].
  - apply (IH (y :: reached)); auto.
    + right. exact start.
    + intros z [<-|Z]; auto.
    + simpl. lia.
Qed.

Lemma reached_numbers : exists all, NoDup all /\ forall y, In y all <-> reaches y.
Proof.
  apply (grow (S (length universe)) [first]).
  - repeat constructor. intros [].
  - intros y [<-|[]]. simpl. auto.
  - simpl. auto.
  - intros y [<-|[]]. apply reaches_first.
  - simpl. lia.
Qed.
End Reach.
