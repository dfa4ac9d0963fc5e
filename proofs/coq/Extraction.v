(* The definitions that the theorems are about, as an OCaml module: what an access takes, plans and
   their verifiers, layouts, times. ci/coq compares it with the C++ program on random inputs
   (driver.ml). Numbers become machine integers of 63 bits, which the inputs stay far below. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From Bankproof Require Import Access Layouts Plan PlansExist PlanTime Verifier ScheduleVerifier.

Extraction "model.ml" dmm_stages umm_stages diagonal padded swizzled is_permutation verify_plan
  plan_of_coloring permutation_time verify_schedule.
