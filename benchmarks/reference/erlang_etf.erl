%% Times Erlang's own term_to_binary and binary_to_term on the address book. It reads lines of an operation and a count
%% from its input, and answers each with the nanoseconds of one call; `size` is answered with the bytes of the term. The first
%% line is the garden, as hex of its external term.
-module(erlang_etf).
-export([main/0]).

%% As many lists as the other side goes round, the same ages and numbers given to other people.
-define(RING, 4).

main() ->
    Terms = list_to_tuple([book(I) || I <- lists:seq(0, ?RING - 1)]),
    Bytes = list_to_tuple([term_to_binary(T) || T <- tuple_to_list(Terms)]),
    Mixed = list_to_tuple([mixed(I) || I <- lists:seq(0, ?RING - 1)]),
    MixedBytes = list_to_tuple([term_to_binary(T) || T <- tuple_to_list(Mixed)]),
    Garden = binary:decode_hex(list_to_binary(string:trim(io:get_line("")))),
    io:format("~p~n", [byte_size(Garden)]),
    Gardens = list_to_tuple([binary_to_term(Garden) || _ <- lists:seq(1, ?RING)]),
    GardenBytes = list_to_tuple([Garden || _ <- lists:seq(1, ?RING)]),
    loop(#{"encode" => {encode, Terms}, "decode" => {decode, Bytes},
           "encode-garden" => {encode, Gardens}, "decode-garden" => {decode, GardenBytes},
           "encode-mixed" => {encode, Mixed}, "decode-mixed" => {decode, MixedBytes}}, byte_size(element(1, Bytes))).

loop(Rounds, Size) ->
    case io:get_line("") of
        "size\n" -> io:format("~p~n", [Size]), loop(Rounds, Size);
        eof -> halt();
        Line ->
            [Name, Count] = string:tokens(string:trim(Line), " "),
            {Operation, Ring} = maps:get(Name, Rounds),
            io:format("~p~n", [timed(Operation, Ring, list_to_integer(Count))]),
            loop(Rounds, Size)
    end.

%% Each round has a process of its own, and with it a heap of its own: what it allocates, it also collects.
timed(Operation, Ring, Count) ->
    Parent = self(),
    spawn_link(fun() ->
        From = erlang:monotonic_time(nanosecond),
        Last = repeat(Operation, Ring, Count, none),
        Parent ! {time, erlang:monotonic_time(nanosecond) - From, Last =/= none}
    end),
    receive {time, Nanos, true} -> Nanos / Count end.

%% The result of each call is kept until the next, so that no call can be left out.
repeat(_, _, 0, Last) -> Last;
repeat(encode, Ring, Count, _) -> repeat(encode, Ring, Count - 1, term_to_binary(element(Count rem ?RING + 1, Ring)));
repeat(decode, Ring, Count, _) -> repeat(decode, Ring, Count - 1, binary_to_term(element(Count rem ?RING + 1, Ring))).

book(Index) -> #{<<"info">> => [person(I, (I + Index) rem 37) || I <- lists:seq(0, 36)]}.

person(I, Other) ->
    #{<<"id">> => I, <<"name">> => iolist_to_binary(["name-", integer_to_list(I)]), <<"age">> => 20 + Other,
      <<"gender">> => I rem 3, <<"phone_num">> => 13800000000 + Other}.

%% Each person without one of its fields, or with one more.
mixed(Index) ->
    Keys = [<<"id">>, <<"name">>, <<"age">>, <<"gender">>, <<"phone_num">>],
    #{<<"info">> => [case I rem 6 of
                         5 -> (person(I, (I + Index) rem 37))#{<<"extra">> => true};
                         N -> maps:remove(lists:nth(N + 1, Keys), person(I, (I + Index) rem 37))
                     end || I <- lists:seq(0, 36)]}.
