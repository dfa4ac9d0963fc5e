(* Answers each line of input with one line of output, computed by the definitions that Coq's
   theorems are about. ci/coq_compared.cpp answers the same lines by the C++ code. Numbers are
   separated by blanks. -1 is an idle lane; any other negative number stands for an element or a
   place that does not exist.

     stages W a...                          stages on the DMM and on the UMM
     layout W I J                           diagonal, padded by one, swizzled (0 where W is no power of two)
     plan W N LANES P... S... D...          right or wrong
     schedule W R C N P... (S... D...)x3    right or wrong
     time W L N Q LANES S... D...           lockstep time, by Q warps of threads
     coloring W N LANES color...            S of the plan that a coloring of all LANES elements gives *)
open Model

let beyond_all = 1 lsl 40
let lane_of x = if x = -1 then None else Some (if x < 0 then beyond_all else x)

(* The first k of a list, and the rest. *)
let rec take k xs =
  if k = 0 then ([], xs)
  else
    match xs with
    | [] -> failwith "a line is too short"
    | x :: xs ->
        let first, rest = take (k - 1) xs in
        (x :: first, rest)

let lanes k xs =
  let first, rest = take k xs in
  (List.map lane_of first, rest)

let rec rows count width xs =
  if count = 0 then []
  else
    let row, rest = lanes width xs in
    row :: rows (count - 1) width rest

let pass w count columns xs =
  let width = (columns + w - 1) / w * w in
  let s, xs = take (count * width) xs in
  let d, xs = take (count * width) xs in
  (List.combine (rows count width s) (rows count width d), xs)

let rec is_power_of_two w = w = 1 || (w > 1 && w mod 2 = 0 && is_power_of_two (w / 2))
let verdict right = if right then "right" else "wrong"
let numbers xs = String.concat " " (List.map string_of_int xs)

let answer question values =
  match (question, values) with
  | "stages", w :: addresses ->
      let access = List.map lane_of addresses in
      numbers [ dmm_stages w access; umm_stages w access ]
  | "layout", [ w; i; j ] ->
      numbers [ diagonal w i j; padded w i j; (if is_power_of_two w then swizzled w i j else 0) ]
  | "plan", w :: n :: count :: xs ->
      let p, xs = take n xs in
      let s, xs = lanes count xs in
      let d, _ = lanes count xs in
      verdict (is_permutation p && verify_plan w p s d)
  | "schedule", w :: r :: c :: n :: xs ->
      let p, xs = take n xs in
      let first, xs = pass w r c xs in
      let second, xs = pass w c r xs in
      let third, _ = pass w r c xs in
      verdict (is_permutation p && verify_schedule w r c p ((first, second), third))
  | "time", w :: l :: n :: q :: count :: xs ->
      let s, xs = lanes count xs in
      let d, _ = lanes count xs in
      string_of_int (permutation_time w l n q 0 0 s d)
  | "coloring", w :: n :: count :: colors ->
      let colors = Array.of_list colors in
      let plan = plan_of_coloring w n count (fun i -> colors.(i)) in
      numbers (List.map (function None -> -1 | Some x -> x) plan)
  | _ -> failwith ("no such question: " ^ question)

let () =
  try
    while true do
      match String.split_on_char ' ' (input_line stdin) with
      | question :: values -> print_endline (answer question (List.map int_of_string values))
      | [] -> ()
    done
  with End_of_file -> ()
