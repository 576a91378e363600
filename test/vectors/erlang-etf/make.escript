#!/usr/bin/env escript
%% Writes what Erlang makes of terms, as lines of "options <tab> term <tab> hex":
%%
%%   escript make.escript > terms.tsv        (made with Erlang/OTP 25, erts-13.1.5)
-mode(compile).

main([]) ->
    io:setopts([{encoding, unicode}]),
    [line(Text, Options) || Text <- texts(), Options <- [[], [{minor_version, 0}], [{minor_version, 2}]]],
    [line(Text, [{compressed, Level}]) || Text <- long(), Level <- [0, 1, 6, 9]],
    ok.

line(Text, Options) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, Expressions} = erl_parse:parse_exprs(Tokens),
    {value, Term, _} = erl_eval:exprs(Expressions, []),
    Bytes = term_to_binary(Term, [deterministic | Options]),
    io:format("~0p\t~ts\t~s~n", [Options, Text, [io_lib:format("~2.16.0b", [B]) || <<B>> <= Bytes]]).

texts() ->
    ["0", "255", "256", "-1", "2147483647", "2147483648", "-2147483648", "-2147483649", "9007199254740991",
     "9007199254740992", "-9007199254740992", "1 bsl 63", "-(1 bsl 63)", "1 bsl 64 - 1", "1 bsl 64",
     "1 bsl 2040 - 1", "1 bsl 2040", "-(1 bsl 4000)",
     "0.0", "-0.0", "1.0", "0.1", "-1.5e300", "5.0e-324", "1.7976931348623157e308", "0.00000095367431640625",
     "a", "true", "false", "null", "undefined", "''", "'\\x{e9}'", "'\\x{65e5}\\x{672c}'",
     "list_to_atom(lists:duplicate(255, $x))", "list_to_atom(lists:duplicate(255, 16#1f600))",
     "<<>>", "<<\"abc\">>", "<<\"\\x{65e5}\"/utf8>>", "<<255,254>>", "<<5:3>>", "<<1:17>>",
     "[]", "[1]", "\"abc\"", "[256]", "[1,2,a]", "[-1]", "[1.0]", "lists:seq(0, 255)", "[[]]", "[[], [1], [a]]",
     "[a|b]", "[1,2|3]", "[<<\"x\">>|<<\"y\">>]",
     "{}", "{a}", "{ok, {1, 2}}", "list_to_tuple(lists:seq(1, 255))", "list_to_tuple(lists:seq(1, 256))",
     "\#{}", "\#{<<\"a\">> => 1}", "\#{<<\"b\">> => 1, <<\"a\">> => 2, <<\"ab\">> => 3, <<>> => 4}",
     "\#{a => 1, <<\"a\">> => 2, \"a\" => 3, 1 => 4, 1.0 => 5, {} => 6, \#{} => 7, [] => 8, <<1:1>> => 9}",
     "\#{b => 1, a => 2, 2 => 3, -1 => 4, 1.5 => 5, 1 bsl 70 => 6}",
     "maps:from_list([{integer_to_binary(I), I} || I <- lists:seq(1, 40)])",
     "fun lists:map/2", "binary_to_term(<<131,88,100,0,3,\"a@b\",0,0,0,38,0,0,0,1,0,0,0,3>>)",
     "binary_to_term(<<131,89,100,0,3,\"a@b\",0,0,0,38,0,0,0,3>>)",
     "binary_to_term(<<131,120,100,0,3,\"a@b\",0,0,0,1,0,0,0,38,0,0,0,3>>)",
     "binary_to_term(<<131,90,0,3,100,0,3,\"a@b\",0,0,0,3,0,0,0,38,0,0,0,39,0,0,0,40>>)",
     tellist()].

tellist() ->
    "\#{<<\"info\">> => [\#{<<\"id\">> => I, <<\"name\">> => iolist_to_binary([\"name-\", integer_to_list(I)]),"
    " <<\"age\">> => 20 + I, <<\"gender\">> => I rem 3, <<\"phone_num\">> => 13800000000 + I}"
    " || I <- lists:seq(0, 36)]}".

long() -> ["[]", "<<\"abcabc\">>", "lists:duplicate(30, abcdef)", tellist()].
