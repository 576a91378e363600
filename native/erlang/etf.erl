%% Erlang's own external term format: term_to_binary and binary_to_term.
%%
%% A message is a map with binaries as keys and text, or with the system `…:record` what gpb, Erlang's library of protobuf, decodes
%% it to: a tuple of its simple name and every field in the order of the schema. There an absent field is `undefined`, text is a list
%% of code points, an enum's value its name, and a oneof a tuple of the name of its member and that.
-module(etf).
-export([main/0]).

main() -> protocol:main(#{otp => version()}, fun system/1).

version() ->
    Release = erlang:system_info(otp_release),
    case file:read_file(filename:join([code:root_dir(), "releases", Release, "OTP_VERSION"])) of
        {ok, Version} -> string:trim(Version);
        {error, _} -> list_to_binary(Release)
    end.

system(#{<<"system">> := System, <<"schema">> := Schema, <<"values">> := Values}) ->
    {Form, Encode} = form(System),
    #{<<"root">> := Root, <<"messages">> := Messages, <<"enums">> := Enums} = Schema,
    Types = maps:from_list([{Name, Type} || [Name, Type] <- Messages ++ Enums]),
    #{values => [message(Form, Root, Value, Types) || Value <- Values],
      encode => Encode,
      decode => fun(Bytes) -> binary_to_term(Bytes) end}.

%% What messages are, and the call that is timed.
form(<<"term_to_binary">>) -> {map, fun(Term) -> term_to_binary(Term) end};
form(<<"term_to_binary:z6">>) -> {map, fun(Term) -> term_to_binary(Term, [{compressed, 6}]) end};
form(<<"term_to_binary:z9">>) -> {map, fun(Term) -> term_to_binary(Term, [{compressed, 9}]) end};
form(<<"term_to_binary:record">>) -> {record, fun(Term) -> term_to_binary(Term) end};
form(<<"term_to_binary:record-z6">>) -> {record, fun(Term) -> term_to_binary(Term, [{compressed, 6}]) end};
form(<<"term_to_binary:record-z9">>) -> {record, fun(Term) -> term_to_binary(Term, [{compressed, 9}]) end};
form(Other) -> exit({no_system, Other}).

message(map, Name, Value, Types) ->
    maps:from_list([{Key, field(map, Field, maps:get(Key, Value), Types)}
                    || #{<<"name">> := Key} = Field <- fields(Name, Types), is_map_key(Key, Value)]);
message(record, Name, Value, Types) ->
    Simple = lists:last(binary:split(Name, <<".">>, [global])),
    list_to_tuple([binary_to_atom(Simple) | elements(fields(Name, Types), Value, Types)]).

fields(Name, Types) ->
    #{Name := #{<<"fields">> := Fields}} = Types,
    Fields.

elements([], _, _) -> [];
elements([#{<<"oneof">> := Oneof} | _] = Fields, Value, Types) ->
    {Members, Others} = lists:partition(fun(Field) -> maps:get(<<"oneof">>, Field, none) =:= Oneof end, Fields),
    Set = [{binary_to_atom(Key), field(record, Field, maps:get(Key, Value), Types)}
           || #{<<"name">> := Key} = Field <- Members, is_map_key(Key, Value)],
    [case Set of [] -> undefined; [Member] -> Member end | elements(Others, Value, Types)];
elements([#{<<"name">> := Key} = Field | Fields], Value, Types) ->
    Element = case Value of #{Key := Given} -> field(record, Field, Given, Types); _ -> undefined end,
    [Element | elements(Fields, Value, Types)].

field(Form, #{<<"type">> := Type, <<"repetition">> := Repetition}, Value, Types) ->
    case Repetition of
        #{<<"kind">> := <<"one">>} -> one(Form, Type, Value, Types);
        #{<<"kind">> := <<"list">>} -> [one(Form, Type, Item, Types) || Item <- Value];
        #{<<"kind">> := <<"map">>} when Form =:= map -> maps:map(fun(_, Item) -> one(map, Type, Item, Types) end, Value);
        #{<<"kind">> := <<"map">>, <<"key">> := Kind} ->
            [{key(Kind, Key), one(record, Type, Item, Types)} || {Key, Item} <- maps:to_list(Value)]
    end.

%% The key of a map's entry, which is text in JSON.
key(<<"string">>, Key) -> unicode:characters_to_list(Key);
key(<<"bool">>, Key) -> binary_to_existing_atom(Key);
key(_, Key) -> binary_to_integer(Key).

one(Form, #{<<"kind">> := <<"message">>, <<"name">> := Name}, Value, Types) -> message(Form, Name, Value, Types);
one(record, #{<<"kind">> := <<"enum">>, <<"name">> := Name}, Number, Types) ->
    #{Name := #{<<"values">> := Values}} = Types,
    hd([binary_to_atom(One) || #{<<"name">> := One, <<"number">> := N} <- Values, N =:= Number] ++ [Number]);
one(Form, #{<<"scalar">> := Scalar}, Value, _) -> scalar(Form, Scalar, Value);
one(map, _, Number, _) -> Number.

scalar(record, <<"string">>, Text) -> unicode:characters_to_list(Text);
scalar(map, <<"string">>, Text) -> Text;
scalar(_, <<"bytes">>, Base64) -> base64:decode(Base64);
scalar(_, <<"bool">>, Bool) -> Bool;
scalar(_, Scalar, Number) when Scalar =:= <<"float">>; Scalar =:= <<"double">> -> float_of(Number);
scalar(_, _, Integer) when is_integer(Integer) -> Integer;
scalar(_, _, Digits) -> binary_to_integer(Digits).

%% Erlang has no other floats; gpb names them.
float_of(<<"-0">>) -> -0.0;
float_of(<<"NaN">>) -> nan;
float_of(<<"Infinity">>) -> infinity;
float_of(<<"-Infinity">>) -> '-infinity';
float_of(Number) -> float(Number).
