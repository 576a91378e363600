#!/usr/bin/env escript
%% What Erlang/OTP makes of terms, many in one run:
%%
%%   escript otp.escript recode IN OUT          each of IN, read and written again
%%   escript otp.escript random COUNT SEED OUT  as many random terms
%%
%% IN holds frames of <<Size:32, Minor, Level, Bytes>>, where Size counts the rest and Level is 255 for none; OUT
%% holds <<Size:32, Verdict, Bytes>>. The verdict is 0 for what binary_to_term refuses, 2 for a term that is written
%% the same without the option deterministic, and else 1.
-mode(compile).

main(["recode", In, Out]) ->
    {ok, Bytes} = file:read_file(In),
    ok = file:write_file(Out, [frame(recode(F)) || F <- frames(Bytes)]);
main(["random", Count, Seed, Out]) ->
    rand:seed(exsss, list_to_integer(Seed)),
    Terms = [term(4) || _ <- lists:seq(1, list_to_integer(Count))],
    ok = file:write_file(Out, [frame([1, written(T, 1, 255)]) || T <- Terms]).

frames(<<Size:32, Frame:Size/binary, Rest/binary>>) -> [Frame | frames(Rest)];
frames(<<>>) -> [].

frame(Data) -> [<<(iolist_size(Data)):32>>, Data].

recode(<<Minor, Level, Bytes/binary>>) ->
    case catch {ok, binary_to_term(Bytes)} of
        {ok, Term} ->
            Canonical = written(Term, Minor, Level),
            Plain = term_to_binary(Term, options(Minor, Level)),
            [case Plain of Canonical -> 2; _ -> 1 end, Canonical];
        _ -> [0]
    end.

written(Term, Minor, Level) -> term_to_binary(Term, [deterministic | options(Minor, Level)]).

options(Minor, 255) -> [{minor_version, Minor}];
options(Minor, Level) -> [{minor_version, Minor}, {compressed, Level}].

one(List) -> lists:nth(rand:uniform(length(List)), List).

term(0) -> leaf();
term(Depth) ->
    case rand:uniform(9) of
        1 -> list_to_tuple(many(Depth));
        2 -> many(Depth);
        3 -> many(Depth) ++ leaf();
        4 -> maps:from_list([{leaf(), term(Depth - 1)} || _ <- many(1)]);
        5 -> maps:from_list([{term(Depth - 1), leaf()} || _ <- many(1)]);
        6 -> maps:from_list([{integer_to_binary(rand:uniform(1000)), I} || I <- lists:seq(1, rand:uniform(50))]);
        7 -> one([fun(X) -> {X, Depth} end, fun lists:map/2, fun one/1]);
        _ -> leaf()
    end.

many(Depth) -> [term(Depth - 1) || _ <- lists:seq(1, rand:uniform(5) - 1)].

leaf() ->
    case rand:uniform(12) of
        1 -> rand:uniform(1000) - 500;
        2 -> one([1, -1]) * (rand:uniform(1 bsl 70) bsr rand:uniform(70));
        3 -> one([1, -1]) * (1 bsl rand:uniform(3000)) + rand:uniform(3) - 2;
        4 -> rand:uniform();
        5 -> one([0.0, -0.0, 1.0, -1.0, 5.0e-324, 1.7976931348623157e308, 0.1, 1.0e22, 4294967296.0]);
        6 -> one([a, b, true, false, null, '', undefined, 'with space', list_to_atom([233]), list_to_atom([26085]),
                  list_to_atom(lists:duplicate(255, 128512)), list_to_atom(lists:duplicate(200, $x))]);
        7 -> rand:bytes(rand:uniform(8) - 1);
        8 -> Bits = rand:uniform(40), <<(rand:uniform(1 bsl Bits) - 1):Bits>>;
        9 -> one([make_ref(), self(), hd(erlang:ports())]);
        10 -> list_to_binary(io_lib:format("~p", [rand:uniform(100)]));
        11 -> [rand:uniform(300) - 20 || _ <- lists:seq(1, rand:uniform(6))];
        12 -> one([[], {}, #{}, <<>>, "text"])
    end.
