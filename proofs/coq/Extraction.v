(* Writes an OCaml module of definitions that the theorems are about: stages of an access, layouts,
   the verifiers of plans and schedules, the plan of a coloring, and the time of a permutation.
   ci/coq compares this module with the C++ code on random inputs (driver.ml). Coq's numbers become
   machine integers of 63 bits; the inputs are far smaller. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From Bankproof Require Import Access Layouts Plan PlansExist PlanTime Verifier ScheduleVerifier.

Extraction "model.ml" dmm_stages umm_stages diagonal padded swizzled is_permutation verify_plan
  plan_of_coloring permutation_time verify_schedule.
