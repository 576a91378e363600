/** Statements as closures. */
import { assignerOf, expressionOf, type Write } from "./expressions.ts";
import { type Frame, innerFrame, type Scope } from "./scope.ts";
import type { Pattern, Statement, Target } from "./syntax.ts";

/** How a statement ends that does not just end: `return` with what it gives. */
export class Returned {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

const BREAK = Symbol("break");
const CONTINUE = Symbol("continue");

type End = undefined | Returned | typeof BREAK | typeof CONTINUE;

/** A statement; what it gives says how it ended. */
export type Step = (frame: Frame) => End;

/** Statements of a block or of a function's body, whose names are declared in its scope before any of them runs. */
export function blockOf(body: readonly Statement[], scope: Scope): Step {
  declareAll(body, scope);
  const steps: Step[] = [];
  // Functions are there before the first statement.
  for (const statement of body) {
    if (statement.type !== "declare function") continue;
    const make = scope.make.function(statement.code, scope);
    const { index } = scope.find(statement.code.name!)!;
    steps.push(setting(index, make));
  }
  for (const statement of body)
    if (statement.type !== "declare function") steps.push(stepOf(statement, scope));
  return inTurn(steps);
}

function declareAll(body: readonly Statement[], scope: Scope): void {
  for (const statement of body) {
    if (statement.type === "declare")
      for (const { target } of statement.targets) declare(target.pattern, scope);
    if (statement.type === "declare function" || statement.type === "declare class")
      scope.declare(statement.code.name!);
  }
}

function setting(index: number, make: (frame: Frame) => unknown): Step {
  return (f) => {
    f[index] = make(f);
    return undefined;
  };
}

function inTurn(steps: readonly Step[]): Step {
  const [first, second] = steps;
  if (first === undefined) return () => undefined;
  if (second === undefined) return first;
  if (steps.length === 2) return (f) => first(f) ?? second(f);
  return (f) => {
    for (const step of steps) {
      const end = step(f);
      if (end !== undefined) return end;
    }
    return undefined;
  };
}

function stepOf(statement: Statement, scope: Scope): Step {
  switch (statement.type) {
    case "declare": {
      const steps = statement.targets.map(({ target, value }): Step => {
        const write = patternOf(target.pattern, scope);
        const run = value === undefined ? () => undefined : expressionOf(value, scope, nameOf(target));
        return (f) => void write(f, run(f));
      });
      return inTurn(steps);
    }
    case "declare function":
      return blockOf([statement], scope.block());
    case "declare class": {
      const make = scope.make.class(statement.code, scope);
      const { index } = scope.find(statement.code.name!)!;
      return setting(index, make);
    }
    case "expression": {
      const run = expressionOf(statement.of, scope);
      return (f) => void run(f);
    }
    case "block":
      return blockOf(statement.body, scope.block());
    case "if": {
      const test = expressionOf(statement.test, scope);
      const yes = stepOf(statement.yes, scope);
      if (statement.no === undefined) return (f) => (test(f) ? yes(f) : undefined);
      const no = stepOf(statement.no, scope);
      return (f) => (test(f) ? yes(f) : no(f));
    }
    case "for":
    case "each":
    case "while":
      return loopOf(statement, scope);
    case "switch":
      return switchOf(statement, scope);
    case "try":
      return tryOf(statement, scope);
    case "return": {
      const run = statement.of && expressionOf(statement.of, scope);
      return run === undefined ? () => new Returned(undefined) : (f) => new Returned(run(f));
    }
    case "throw": {
      const run = expressionOf(statement.of!, scope);
      return (f) => {
        throw run(f);
      };
    }
    case "break":
      return () => BREAK;
    case "continue":
      return () => CONTINUE;
  }
}

function loopOf(loop: Statement & { readonly type: "for" | "each" | "while" }, scope: Scope): Step {
  if (loop.type === "each") {
    const { of } = loop;
    const over = expressionOf(loop.over, scope);
    const inner = scope.block(hasFunction(loop.body));
    declare(loop.target.pattern, inner);
    const write = patternOf(loop.target.pattern, inner);
    const body = stepOf(loop.body, inner);
    const turn = turnOf(inner, scope, (f, value) => {
      write(f, value);
      return body(f);
    });
    if (of === "in") {
      return (f) => {
        for (const key in over(f)) {
          const end = turn(f, key);
          if (end === BREAK) break;
          if (end instanceof Returned) return end;
        }
        return undefined;
      };
    }
    return (f) => {
      for (const item of over(f)) {
        const end = turn(f, item);
        if (end === BREAK) break;
        if (end instanceof Returned) return end;
      }
      return undefined;
    };
  }
  const outer = scope.block();
  const isFirst = loop.type === "for" || loop.isFirst;
  if (loop.type === "for" && loop.start?.type === "declare")
    for (const { target } of loop.start.targets) declare(target.pattern, outer, true);
  const start = loop.type === "for" && loop.start !== undefined ? stepOf(loop.start, outer) : undefined;
  const test = loop.test === undefined ? () => true : expressionOf(loop.test, outer);
  const step = loop.type === "for" && loop.step !== undefined ? expressionOf(loop.step, outer) : undefined;
  const inner = outer.block(hasFunction(loop.body));
  const body = stepOf(loop.body, inner);
  const turn = turnOf(inner, outer, body);
  return (f) => {
    start?.(f);
    for (let goes = !isFirst || test(f); goes; goes = test(f)) {
      const end = turn(f, undefined);
      if (end === BREAK) break;
      if (end instanceof Returned) return end;
      step?.(f);
    }
    return undefined;
  };
}

/** A turn of a loop: in a frame of its own, where its scope has one. */
function turnOf(
  inner: Scope,
  outer: Scope,
  body: (frame: Frame, value: unknown) => End,
): (frame: Frame, value: unknown) => End {
  if (!inner.hasOwnFrame(outer)) return body;
  return (f, value) => {
    return body(innerFrame(inner.size, f), value);
  };
}

function switchOf({ on, cases }: Statement & { readonly type: "switch" }, scope: Scope): Step {
  const value = expressionOf(on, scope);
  const inner = scope.block();
  // All cases share a block.
  for (const { body } of cases) declareAll(body, inner);
  const tests = cases.map(({ test }) => test && expressionOf(test, inner));
  const bodies = cases.map(({ body }) => inTurn(body.map((statement) => stepOf(statement, inner))));
  const otherwise = tests.indexOf(undefined);
  return (f) => {
    const given = value(f);
    let from = tests.findIndex((test) => test !== undefined && test(f) === given);
    if (from < 0) from = otherwise;
    if (from < 0) return undefined;
    for (let i = from; i < bodies.length; i++) {
      const end = bodies[i]!(f);
      if (end === BREAK) return undefined;
      if (end !== undefined) return end;
    }
    return undefined;
  };
}

function tryOf({ body, error, handler, last }: Statement & { readonly type: "try" }, scope: Scope): Step {
  const step = blockOf(body, scope.block());
  const inner = scope.block();
  if (error !== undefined) declare(error.pattern, inner);
  const write = error && patternOf(error.pattern, inner);
  const handle = handler && blockOf(handler, inner.block());
  const end = last && blockOf(last, scope.block());
  const caught: Step =
    handle === undefined
      ? step
      : (f) => {
          try {
            return step(f);
          } catch (problem) {
            write?.(f, problem);
            return handle(f);
          }
        };
  if (end === undefined) return caught;
  return (f) => {
    let how: End;
    let isOver = false;
    let ending: End;
    try {
      how = caught(f);
      isOver = true;
    } finally {
      ending = end(f);
      // biome-ignore lint/correctness/noUnsafeFinally: a `finally` that returns is what it returns
      if (!isOver && ending !== undefined) return ending;
    }
    return ending ?? how;
  };
}

const NO_NAME: Pattern = { type: "fields", items: [] };

/** Gives the names of a pattern places. */
export function declare(pattern: Pattern, scope: Scope, isShared = false): void {
  if (pattern.type === "name") scope.declare(pattern.name, isShared);
  else if (pattern.type === "list")
    for (const item of pattern.items) declare(item?.pattern ?? NO_NAME, scope, isShared);
  else for (const { target } of pattern.items) declare(target.pattern, scope, isShared);
}

/** What gives a value to the names of a target. */
export function targetOf(target: Target, scope: Scope): Write {
  const write = patternOf(target.pattern, scope);
  if (target.otherwise === undefined) return write;
  const otherwise = expressionOf(target.otherwise, scope, nameOf(target));
  return (f, value) => write(f, value === undefined ? otherwise(f) : value);
}

function nameOf({ pattern }: Target): string | undefined {
  return pattern.type === "name" ? pattern.name : undefined;
}

function patternOf(pattern: Pattern, scope: Scope): Write {
  if (pattern.type === "name") return assignerOf(pattern.name, scope);
  if (pattern.type === "fields") {
    const writes = pattern.items.map(({ key, target }) => [key, targetOf(target, scope)] as const);
    return (f, value) => {
      for (const [key, write] of writes) write(f, (value as Record<string, unknown>)[key]);
    };
  }
  const writes = pattern.items.map(
    (item) => item && { write: targetOf(item, scope), isRest: item.isRest === true },
  );
  return (f, value) => {
    const items = value as Iterable<unknown>;
    const iterator = items[Symbol.iterator]();
    for (const item of writes) {
      if (item?.isRest === true) item.write(f, [...{ [Symbol.iterator]: () => iterator }]);
      else {
        const { done, value: next } = iterator.next();
        item?.write(f, done === true ? undefined : next);
      }
    }
    iterator.return?.();
  };
}

const known = new WeakMap<object, boolean>();

/** Whether there is a function in a part of the source, which may keep the variables of a turn. */
function hasFunction(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  const found = known.get(part);
  if (found !== undefined) return found;
  const { type } = part as { readonly type?: unknown };
  const has = type === "function" || type === "class" || Object.values(part).some(hasFunction);
  known.set(part, has);
  return has;
}
