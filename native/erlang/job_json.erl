%% JSON, of which OTP has none before 27: objects are maps with binaries as keys, text is binaries, null is an atom.
-module(job_json).
-export([decode/1, encode/1]).

%% The term of a text. It ends in badarg for what is no JSON.
decode(Text) ->
    {Value, Rest} = value(Text),
    <<>> = space(Rest),
    Value.

value(Text) ->
    case space(Text) of
        <<"{", Rest/binary>> -> first_member(space(Rest));
        <<"[", Rest/binary>> -> first_item(space(Rest));
        <<$", Rest/binary>> -> string(Rest, <<>>);
        <<"true", Rest/binary>> -> {true, Rest};
        <<"false", Rest/binary>> -> {false, Rest};
        <<"null", Rest/binary>> -> {null, Rest};
        Rest -> number(Rest, 0)
    end.

space(<<C, Rest/binary>>) when C =:= $\s; C =:= $\t; C =:= $\r; C =:= $\n -> space(Rest);
space(Rest) -> Rest.

first_member(<<"}", Rest/binary>>) -> {#{}, Rest};
first_member(Rest) -> members(Rest, []).

members(<<$", Text/binary>>, Members) ->
    {Key, AfterKey} = string(Text, <<>>),
    <<":", Rest/binary>> = space(AfterKey),
    {Value, AfterValue} = value(Rest),
    case space(AfterValue) of
        <<",", More/binary>> -> members(space(More), [{Key, Value} | Members]);
        <<"}", More/binary>> -> {maps:from_list([{Key, Value} | Members]), More}
    end.

first_item(<<"]", Rest/binary>>) -> {[], Rest};
first_item(Rest) -> items(Rest, []).

items(Text, Items) ->
    {Value, AfterValue} = value(Text),
    case space(AfterValue) of
        <<",", More/binary>> -> items(More, [Value | Items]);
        <<"]", More/binary>> -> {lists:reverse([Value | Items]), More}
    end.

%% Copied at its end: a binary that was appended to has room for more, and is none on the heap however short it is.
string(<<$", Rest/binary>>, Done) -> {binary:copy(Done), Rest};
string(<<"\\u", High:4/binary, "\\u", Low:4/binary, Rest/binary>>, Done) when High >= <<"d800">>, High < <<"dc00">> ->
    Point = 16#10000 + ((hex(High) - 16#D800) bsl 10) + hex(Low) - 16#DC00,
    string(Rest, <<Done/binary, Point/utf8>>);
string(<<"\\u", Digits:4/binary, Rest/binary>>, Done) -> string(Rest, <<Done/binary, (hex(Digits))/utf8>>);
string(<<"\\", C, Rest/binary>>, Done) -> string(Rest, <<Done/binary, (escaped(C))>>);
string(<<C, Rest/binary>>, Done) -> string(Rest, <<Done/binary, C>>).

hex(Digits) -> binary_to_integer(Digits, 16).

escaped($b) -> $\b;
escaped($f) -> $\f;
escaped($n) -> $\n;
escaped($r) -> $\r;
escaped($t) -> $\t;
escaped(C) -> C.

number(Text, Length) ->
    case Text of
        <<_:Length/binary, C, _/binary>> when C >= $0, C =< $9; C =:= $-; C =:= $+; C =:= $.; C =:= $e; C =:= $E ->
            number(Text, Length + 1);
        <<Digits:Length/binary, Rest/binary>> -> {numeric(Digits), Rest}
    end.

%% Erlang reads no exponent without a fraction.
numeric(Digits) ->
    case binary:split(string:lowercase(Digits), <<"e">>) of
        [Whole, Exponent] ->
            Fraction = case binary:match(Whole, <<".">>) of nomatch -> <<".0">>; _ -> <<>> end,
            binary_to_float(<<Whole/binary, Fraction/binary, "e", Exponent/binary>>);
        [Whole] ->
            case binary:match(Whole, <<".">>) of
                nomatch -> binary_to_integer(Whole);
                _ -> binary_to_float(Whole)
            end
    end.

%% The text of maps whose keys are atoms, of lists, numbers and binaries.
encode(Value) when is_map(Value) ->
    Members = [[$", atom_to_list(Key), $", $:, encode(Item)] || {Key, Item} <- maps:to_list(Value)],
    [${, lists:join($,, Members), $}];
encode(Value) when is_list(Value) -> [$[, lists:join($,, [encode(Item) || Item <- Value]), $]];
encode(Value) when is_binary(Value) ->
    [$", string:replace(string:replace(Value, "\\", "\\\\", all), "\"", "\\\"", all), $"];
encode(Value) -> io_lib:format("~w", [Value]).
