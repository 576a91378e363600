%% The protocol of native/README.md for programs in Erlang: reads a job, measures it, proves what was measured.
%%
%% A program gives main/2 the versions of its libraries, and a function from a job to its system:
%% #{values => terms to encode, encode => fun, decode => fun}.
%%
%% Times are those of the clock: nothing tells an Erlang process for how long its thread was on a core. The machine has one
%% scheduler (+S 1:1), which runs nothing but the measuring process. That has a heap of its own, and collects among its calls
%% what they allocate, as any process does.
-module(protocol).
-export([main/2]).

-define(PROTOCOL, 1).
-define(MAX_CALLS, (1 bsl 20)).
-define(LONG_BATCH, 1000000000).
%% The clock's step is to be half a percent of a batch.
-define(LEAST_STEPS, 200).
%% Shares of the warm-up: finding how many calls make a batch, calling on, and calling on after the collection.
-define(CALIBRATE, 0.4).
-define(WARM, 0.3).
-define(SETTLE, 0.3).
%% Turns of the fixed work beside each batch: 2 microseconds.
-define(TURNS, 512).

%% batches: {Calls, Nanos}, the last one first; left: inputs until the ring begins anew.
-record(sampler, {port, name, call, fold, ring, left, reading = 0, batches = [], probes = [], calls = 0, sum = 0}).

main(Libraries, System) ->
    Port = open_port({fd, 0, 1}, [in, out, binary, eof, {line, 1 bsl 16}]),
    try
        Job = job_json:decode(line(Port, [])),
        say(Port, #{hello => #{protocol => ?PROTOCOL, language => <<"Erlang">>, compiler => compiler(),
                               libraries => Libraries}}),
        case Job of
            #{<<"protocol">> := ?PROTOCOL, <<"system">> := _} -> run(Port, Job, System(Job));
            _ -> done
        end,
        halt(0)
    catch
        Class:Reason:Stack ->
            io:format(standard_error, "~0p~n~p: ~0p~n", [Stack, Class, Reason]),
            halt(1)
    end.

line(Port, Parts) ->
    receive
        {Port, {data, {noeol, Part}}} -> line(Port, [Part | Parts]);
        {Port, {data, {eol, Part}}} -> iolist_to_binary(lists:reverse([Part | Parts]));
        {Port, eof} -> exit(no_job)
    end.

say(Port, Message) -> port_command(Port, [job_json:encode(Message), $\n]).

compiler() ->
    Words = [erlang:system_info(Name) || Name <- [otp_release, version, emu_flavor]],
    iolist_to_binary(io_lib:format("Erlang/OTP ~s, erts ~s, ~p", Words)).

run(Port, #{<<"operations">> := Operations} = Job, #{values := Terms, encode := Encode, decode := Decode}) ->
    Encoded = [Encode(Term) || Term <- Terms],
    Decoded = [Decode(Bytes) || Bytes <- Encoded],
    Tasks = #{<<"encode">> => {Terms, Encode, Encoded, fun fold_bytes/1},
              <<"decode">> => {Encoded, Decode, Decoded, fun fold_term/1}},
    [say(Port, #{measured => apart(fun() -> measure(Port, Name, maps:get(Name, Tasks), Job) end)}) || Name <- Operations],
    Base64 = fun(Messages) -> [base64:encode(Bytes) || Bytes <- Messages] end,
    say(Port, #{proof => #{encoded => Base64(Encoded), again => Base64([Encode(Term) || Term <- Decoded])}}).

%% The result of a function in a process of its own, which has nothing but that on its heap.
apart(Function) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({result, Function()}) end),
    receive
        {'DOWN', Monitor, process, Pid, {result, Result}} -> Result;
        {'DOWN', Monitor, process, Pid, Reason} -> exit(Reason)
    end.

%% What `measured` has of one operation.
measure(Port, Name, {Inputs, Call, Outputs, Fold}, Job) ->
    [Input | Others] = Inputs,
    {First, Result} = timed(fun() -> Call(Input) end),
    Folds = [int32(Fold(One)) || One <- [Result | [Call(Other) || Other <- Others]]],
    Step = clock_step(),
    New = #sampler{port = Port, name = Name, call = Call, fold = Fold, ring = Inputs, left = Inputs, reading = reading()},
    {Calls, Spent, Least, Settled} = warm_up(New, Job, Step),
    Before = probe(),
    Measured = spend(Settled#sampler{batches = [], probes = [Before]}, Calls, Spent, Least),
    Warming = lists:reverse(Settled#sampler.batches),
    Times = [Time || {_, Time} <- lists:reverse(Measured#sampler.batches)],
    #{operation => Name, batchCalls => Calls, core => Times, wall => Times,
      probes => lists:reverse(Measured#sampler.probes), turns => ?TURNS,
      loop => loop_cost(Outputs, Fold), first => First,
      warmUp => #{calls => [Count || {Count, _} <- Warming], core => [Time || {_, Time} <- Warming]},
      folds => Folds, calls => Measured#sampler.calls, sum => int32(Measured#sampler.sum),
      clock => <<"wall">>, clockStep => Step}.

%% Calls of a batch that counts, the time that those spend together, and how many there are at least.
warm_up(Sampler, #{<<"calls">> := Calls}, _) -> {Calls, 0, 1, Sampler};
warm_up(New, #{<<"warmupMs">> := WarmUpMs, <<"measureMs">> := MeasureMs} = Job, Step) ->
    WarmUp = WarmUpMs * 1000000,
    {Calls, Nanos, Calibrated} = calibrate(New, Job, Step),
    Least = min(max(4 * MeasureMs * 1000000 div Nanos, 3), 16),
    IsLong = Nanos > ?LONG_BATCH,
    Warm = case IsLong of true -> Calibrated; false -> spend(Calibrated, Calls, ?WARM * WarmUp, Least div 2) end,
    erlang:garbage_collect(),
    Settled = case IsLong of true -> Warm; false -> spend(Warm, Calls, ?SETTLE * WarmUp, 0) end,
    {Calls, MeasureMs * 1000000, Least, Settled}.

%% Batches until they have spent that time; a phase ends after twice its length by the clock, which is all that is known.
spend(Sampler, Calls, Nanos, Least) when Nanos > 0; Least > 0 ->
    #sampler{batches = [{_, Spent} | _], probes = Probes} = Next = batch(Sampler, Calls),
    spend(Next#sampler{probes = [probe() | Probes]}, Calls, Nanos - Spent, Least - 1);
spend(Sampler, _, _, _) -> Sampler.

%% How many calls make a batch of the aimed length, and the nanoseconds of one.
calibrate(Sampler, #{<<"batchMicros">> := Micros, <<"warmupMs">> := WarmUpMs}, Step) ->
    Least = ?LEAST_STEPS * Step,
    Aims = {Least, max(Micros * 1000, 2 * Least), ?CALIBRATE * WarmUpMs * 1000000},
    #sampler{batches = [{_, First} | _]} = Next = batch(Sampler, 1),
    calibrate(Next, 1, First, 0, Aims).

calibrate(Sampler, Calls, Nanos, Spent, {Least, Aimed, Budget} = Aims) ->
    IsTooShort = Nanos < max(Least, Aimed / 4) andalso Calls < ?MAX_CALLS,
    case Spent >= Budget andalso not IsTooShort of
        true -> {Calls, Nanos, Sampler};
        false ->
            Aim = if Nanos < 0.5 * Aimed, Calls < ?MAX_CALLS -> 2 * Calls;
                     Nanos > 1.5 * Aimed, Calls > 1 -> Calls div 2;
                     true -> Calls
                  end,
            Count = case Nanos > ?LONG_BATCH of true -> 1; false -> 5 end,
            Next = lists:foldl(fun(_, One) -> batch(One, Aim) end, Sampler, lists:seq(1, Count)),
            Times = [Time || {_, Time} <- lists:sublist(Next#sampler.batches, Count)],
            calibrate(Next, Aim, median(Times), Spent + lists:sum(Times), Aims)
    end.

batch(#sampler{call = Call, fold = Fold, ring = Ring, left = Left} = Sampler, Calls) ->
    {Nanos, {Rest, Sum}} = timed(fun() -> loop(Calls, Left, Ring, Call, Fold, 0) end),
    if Nanos > ?LONG_BATCH ->
           Text = <<"a call of ", (Sampler#sampler.name)/binary, " had ended">>,
           say(Sampler#sampler.port, #{'after' => Text});
       true -> ok
    end,
    Sampler#sampler{left = Rest, batches = [{Calls, max(Nanos - Sampler#sampler.reading, 1)} | Sampler#sampler.batches],
                    calls = Sampler#sampler.calls + Calls, sum = Sampler#sampler.sum + Sum}.

%% The timed loop. Its own cost, with two calls of functions, is that of the same loop round one that gives back its input.
loop(0, Left, _, _, _, Sum) -> {Left, Sum};
loop(Calls, [], Ring, Call, Fold, Sum) -> loop(Calls, Ring, Ring, Call, Fold, Sum);
loop(Calls, [Input | Left], Ring, Call, Fold, Sum) ->
    loop(Calls - 1, Left, Ring, Call, Fold, Sum + Fold(Call(Input))).

loop_cost(Outputs, Fold) ->
    Calls = 1 bsl 14,
    Same = fun(Output) -> Output end,
    Times = [element(1, timed(fun() -> loop(Calls, Outputs, Outputs, Same, Fold, 0) end)) || _ <- lists:seq(1, 12)],
    median(lists:nthtail(6, Times)) / Calls.

fold_bytes(<<>>) -> 0;
fold_bytes(Bytes) ->
    Size = byte_size(Bytes),
    Size + binary:at(Bytes, Size - 1) + binary:at(Bytes, Size bsr 1).

fold_term(Term) when is_map(Term) -> map_size(Term);
fold_term(Term) when is_tuple(Term) -> tuple_size(Term).

timed(Function) ->
    From = erlang:monotonic_time(),
    Result = Function(),
    {erlang:convert_time_unit(erlang:monotonic_time() - From, native, nanosecond), Result}.

%% What the readings of a batch take, without interruptions.
reading() -> median([element(1, timed(fun() -> ok end)) || _ <- lists:seq(1, 250)]).

clock_step() ->
    Readings = [erlang:monotonic_time() || _ <- lists:seq(1, 2000)],
    Steps = lists:zipwith(fun erlang:'-'/2, tl(Readings), lists:droplast(Readings)),
    max(1, erlang:convert_time_unit(lists:min([Step || Step <- Steps, Step > 0]), native, nanosecond)).

%% Nanoseconds of the fixed work that says how fast the core is. Done once before, it does not depend on what a codec has left in caches.
probe() ->
    work(?TURNS, 1, 2),
    element(1, timed(fun() -> work(?TURNS, 1, 2) end)).

work(0, A, B) -> A + B;
work(Turn, A, B) -> work(Turn - 1, (A + (B bsr 3)) band 16#FFFF, (B bxor (Turn + A)) band 16#FFFF).

median(Values) -> lists:nth(length(Values) div 2 + 1, lists:sort(Values)).

int32(Number) ->
    <<Signed:32/signed>> = <<Number:32>>,
    Signed.
