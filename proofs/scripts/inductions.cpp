// Writes the inductions; see inductions.hpp.
#include "inductions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace bankproof::proofs {
namespace {

/// Up to 8 sums that are compared side by side (programs/same.cpp), and the 11 numbers of a cost.
constexpr std::array<std::size_t, 9> parts_of_sums = {1, 2, 3, 4, 5, 6, 7, 8, 11};

constexpr const char* head =
    R"((* Inductions for sums that are added up together, written by `bankproof prove --coq`. *)
From Coq Require Import ZArith Lia.
From Bankproof Require Import Written.
Open Scope Z_scope.

Lemma powers_below : forall k ending, 0 <= k -> k < Z.log2_up ending -> 1 <= ending -> 2 ^ k < ending.
Proof.
  intros k ending count low some. apply Z.nle_gt. intro high.
  apply Z.log2_up_le_pow2 in high; lia.
Qed.
)";

constexpr const char* over_numbers = R"(
Lemma sums_over_numbers_[[n]] : forall ([[f#~ ]] : Z -> Z) (holds : Z -> [[Z -> ]]Prop) count,
  0 <= count -> holds 0 [[0~ ]] ->
  (forall k [[s#~ ]], 0 <= k -> k < count -> holds k [[s#~ ]] ->
    holds (k + 1) [[(s# + f# k)~ ]]) ->
  holds count [[(sum_over count f#)~ ]].
Proof.
  intros [[f#~ ]] holds count some base step.
  apply (count_up (fun k => holds k [[(sum_over k f#)~ ]]) count some).
  - rewrite !sum_over_none by apply Z.le_refl. exact base.
  - intros k [low high] so_far. rewrite !sum_over_one_more by exact low.
    exact (step k [[_~ ]] low high so_far).
Qed.
)";

constexpr const char* over_powers = R"(
Lemma sums_over_powers_[[n]] : forall ([[f#~ ]] : Z -> Z) (holds : Z -> Z -> [[Z -> ]]Prop) ending,
  1 <= ending -> holds 0 1 [[0~ ]] ->
  (forall k power [[s#~ ]], 0 <= k -> 1 <= power -> power < ending -> holds k power [[s#~ ]] ->
    holds (k + 1) (2 * power) [[(s# + f# power)~ ]]) ->
  holds (Z.log2_up ending) (2 ^ Z.log2_up ending) [[(sum_over_powers ending f#)~ ]].
Proof.
  intros [[f#~ ]] holds ending some base step. unfold sum_over_powers.
  apply (count_up (fun k => holds k (2 ^ k) [[(sum_over k (fun k => f# (2 ^ k)))~ ]]));
    [apply Z.log2_up_nonneg| |].
  - rewrite !sum_over_none by apply Z.le_refl. exact base.
  - intros k [low high] so_far. rewrite !sum_over_one_more by exact low.
    replace (2 ^ (k + 1)) with (2 * 2 ^ k) by (rewrite Z.pow_add_r; lia).
    assert (1 <= 2 ^ k) as positive by (pose proof (Z.pow_pos_nonneg 2 k); lia).
    exact (step k (2 ^ k) [[_~ ]] low positive (powers_below k ending low high some) so_far).
Qed.
)";

constexpr const char* over_chain = R"(
Lemma sums_along_[[n]] : forall (next [[f#~ ]] : Z -> Z) (holds : Z -> [[Z -> ]]Prop),
  (forall number [[s#~ ]], 2 <= number -> holds number [[s#~ ]] ->
    next number < number /\ holds (next number) [[(s# + f# number)~ ]]) ->
  forall most number [[s#~ ]], number <= Z.of_nat most -> holds number [[s#~ ]] ->
  exists last, last <= 1 /\ holds last [[(s# + sum_along most number next f#)~ ]].
Proof.
  intros next [[f#~ ]] holds step. induction most as [|most IH]; intros number [[s#~ ]] few so_far.
  - exists number. simpl in *. rewrite !Z.add_0_r. split; [lia|exact so_far].
  - simpl. destruct (Z.leb_spec number 1) as [low|high].
    + exists number. rewrite !Z.add_0_r. split; [exact low|exact so_far].
    + assert (2 <= number) as enough by lia.
      destruct (step number [[_~ ]] enough so_far) as (descends & further).
      rewrite !Z.add_assoc. apply IH; [lia|exact further].
Qed.
Lemma sums_over_chain_[[n]] : forall (next [[f#~ ]] : Z -> Z) (holds : Z -> [[Z -> ]]Prop) start,
  holds start [[0~ ]] ->
  (forall number [[s#~ ]], 2 <= number -> holds number [[s#~ ]] ->
    next number < number /\ holds (next number) [[(s# + f# number)~ ]]) ->
  exists last, last <= 1 /\ holds last [[(sum_over_chain start next f#)~ ]].
Proof.
  intros next [[f#~ ]] holds start base step. unfold sum_over_chain.
  apply (sums_along_[[n]] next [[f#~ ]] holds step (Z.to_nat start) start [[0~ ]]);
    [lia|exact base].
Qed.
)";

/// `[[n]]` is the number of parts, and `[[text~separator]]` is the text for each part, where `#` is
/// the part's number.
std::string for_parts(std::string text, std::size_t n) {
  for (std::size_t at = 0; (at = text.find("[[", at)) != std::string::npos;) {
    const std::size_t end = text.find("]]", at);
    const std::string inside = text.substr(at + 2, end - at - 2);
    const std::size_t mark = std::min(inside.find('~'), inside.size());
    std::string all;
    for (std::size_t k = 1; k <= n; ++k) {
      if (k > 1 && mark < inside.size()) all += inside.substr(mark + 1);
      for (const char one : inside.substr(0, mark)) {
        all += one == '#' ? std::to_string(k) : std::string(1, one);
      }
    }
    if (inside == "n") all = std::to_string(n);
    text.replace(at, end + 2 - at, all);
    at += all.size();
  }
  return text;
}

}  // namespace

std::string inductions_in_coq() {
  std::string text = head;
  for (const std::size_t n : parts_of_sums) {
    for (const char* const each : {over_numbers, over_powers, over_chain}) {
      text += for_parts(each, n);
    }
  }
  return text;
}

}  // namespace bankproof::proofs
