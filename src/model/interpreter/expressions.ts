/** Expressions as closures. */
import { BINARY, type Run, UNARY } from "./operators.ts";
import { ARGUMENTS, type Frame, PARENT, type Scope, TARGET, THIS } from "./scope.ts";
import type { Expression, Property } from "./syntax.ts";

/** Gives a value to something. */
export type Write = (frame: Frame, value: unknown) => void;

type Of<T extends Expression["type"]> = Extract<Expression, { readonly type: T }>;

/** Ends an optional chain. */
const NOTHING = Symbol("nothing");

/** @param name that a function without one gets */
export function expressionOf(expression: Expression, scope: Scope, name?: string): Run {
  switch (expression.type) {
    case "value": {
      const { value } = expression;
      return () => value;
    }
    case "name":
      return nameOf(expression.name, scope);
    case "this":
      return (f) => f[THIS];
    case "new.target":
      return (f) => f[TARGET];
    case "array":
      return listOf(expression.items, scope);
    case "object":
      return objectOf(expression.properties, scope);
    case "member": {
      const [object, key] = partsOf(expression, scope);
      if (expression.isOptional) {
        return (f) => {
          const of = object(f);
          if (of === undefined || of === null) throw NOTHING;
          return of[key(f)];
        };
      }
      if (expression.key.type !== "value") return (f) => object(f)[key(f)];
      const fixed = expression.key.value as string;
      return (f) => object(f)[fixed];
    }
    case "call":
      return callOf(expression, scope);
    case "chain": {
      const run = expressionOf(expression.of, scope);
      return (f) => {
        try {
          return run(f);
        } catch (error) {
          if (error === NOTHING) return undefined;
          throw error;
        }
      };
    }
    case "new": {
      const callee = expressionOf(expression.callee, scope);
      const args = listOf(expression.args, scope);
      return (f) => {
        const made = callee(f);
        return new made(...args(f));
      };
    }
    case "spread":
      throw new SyntaxError("cannot interpret: ... outside of a list");
    case "unary":
      return unaryOf(expression, scope);
    case "update":
      return updateOf(expression, scope);
    case "binary":
      return BINARY[expression.operator]!(
        expressionOf(expression.left, scope),
        expressionOf(expression.right, scope),
      );
    case "assign":
      return assignmentOf(expression, scope);
    case "either": {
      const [test, yes, no] = [expression.test, expression.yes, expression.no].map((part) =>
        expressionOf(part, scope),
      ) as [Run, Run, Run];
      return (f) => (test(f) ? yes(f) : no(f));
    }
    case "sequence": {
      const runs = expression.of.map((part) => expressionOf(part, scope));
      return (f) => {
        let value: unknown;
        for (const run of runs) value = run(f);
        return value;
      };
    }
    case "function":
      return scope.make.function(
        expression.name === undefined ? { ...expression, name } : expression,
        scope,
        expression.name,
      );
    case "class":
      return scope.make.class(expression.name === undefined ? { ...expression, name } : expression, scope);
  }
}

function nameOf(name: string, scope: Scope): Run {
  const place = scope.find(name);
  if (place === undefined && name === "arguments") return (f) => f[ARGUMENTS];
  if (place === undefined) {
    return () => {
      if (name in globalThis) return (globalThis as Record<string, unknown>)[name];
      throw new ReferenceError(`${name} is not defined`);
    };
  }
  const { hops, index } = place;
  if (hops === 0) return (f) => f[index];
  if (hops === 1) return (f) => (f[PARENT] as Frame)[index];
  if (hops === 2) return (f) => ((f[PARENT] as Frame)[PARENT] as Frame)[index];
  return (f) => up(f, hops)[index];
}

function up(frame: Frame, hops: number): Frame {
  let found = frame;
  for (let i = 0; i < hops; i++) found = found[PARENT] as Frame;
  return found;
}

function partsOf({ object, key }: Of<"member">, scope: Scope): [Run, Run] {
  return [expressionOf(object, scope), expressionOf(key, scope)];
}

/** Gives a value to a variable. Throws SyntaxError for one that is not declared. */
export function assignerOf(name: string, scope: Scope): Write {
  const place = scope.find(name);
  if (place === undefined) throw new SyntaxError(`cannot interpret: ${name} is not declared`);
  const { hops, index } = place;
  return (f, value) => {
    up(f, hops)[index] = value;
  };
}

/** How a variable or a property is read and written, each part of it evaluated once. */
interface Reference {
  readonly begin: (frame: Frame) => void;
  readonly read: Run;
  readonly write: Write;
}

function referenceOf(to: Expression, scope: Scope): Reference {
  if (to.type === "name")
    return { begin: () => {}, read: nameOf(to.name, scope), write: assignerOf(to.name, scope) };
  if (to.type !== "member") throw new SyntaxError("cannot interpret: nothing to assign to");
  const [object, key] = partsOf(to, scope);
  const [o, k] = [scope.declare(""), scope.declare("")];
  return {
    begin: (f) => {
      f[o] = object(f);
      f[k] = key(f);
    },
    read: (f) => (f[o] as Record<string, unknown>)[f[k] as string],
    write: (f, value) => {
      (f[o] as Record<string, unknown>)[f[k] as string] = value;
    },
  };
}

function updateOf({ operator, of, isPrefix }: Of<"update">, scope: Scope): Run {
  const { begin, read, write } = referenceOf(of, scope);
  const isUp = operator === "++";
  return (f) => {
    begin(f);
    let before = read(f);
    let after: number | bigint;
    if (typeof before === "bigint") after = isUp ? before + 1n : before - 1n;
    else {
      before = Number(before);
      after = isUp ? before + 1 : before - 1;
    }
    write(f, after);
    return isPrefix ? after : before;
  };
}

function assignmentOf({ operator, to, value }: Of<"assign">, scope: Scope): Run {
  const run = expressionOf(value, scope, to.type === "name" ? to.name : undefined);
  if (operator === "=" && to.type === "name") {
    const write = assignerOf(to.name, scope);
    return (f) => {
      const given = run(f);
      write(f, given);
      return given;
    };
  }
  if (operator === "=" && to.type === "member") {
    const [object, key] = partsOf(to, scope);
    return (f) => {
      const target = object(f);
      const property = key(f);
      const given = run(f);
      target[property] = given;
      return given;
    };
  }
  const { begin, read, write } = referenceOf(to, scope);
  const base = operator.slice(0, -1);
  const isLeft = KEEPS[base];
  if (isLeft !== undefined) {
    return (f) => {
      begin(f);
      const before = read(f);
      if (isLeft(before)) return before;
      const given = run(f);
      write(f, given);
      return given;
    };
  }
  const combine = BINARY[base]!(read, run);
  return (f) => {
    begin(f);
    const combined = combine(f);
    write(f, combined);
    return combined;
  };
}

/** Whether an assignment leaves what is there. */
const KEEPS: Readonly<Record<string, (before: unknown) => boolean>> = {
  "&&": (before) => !before,
  "||": (before) => Boolean(before),
  "??": (before) => before !== undefined && before !== null,
};

function unaryOf({ operator, of }: Of<"unary">, scope: Scope): Run {
  if (operator === "delete") {
    if (of.type !== "member") throw new SyntaxError("cannot interpret: delete of no property");
    const [object, key] = partsOf(of, scope);
    return (f) => delete object(f)[key(f)];
  }
  if (operator === "typeof" && of.type === "name" && scope.find(of.name) === undefined) {
    const { name } = of;
    return () => typeof (globalThis as Record<string, unknown>)[name];
  }
  return UNARY[operator]!(expressionOf(of, scope));
}

/** The elements of a list or the arguments of a call. */
function listOf(items: readonly (Expression | undefined)[], scope: Scope): Run {
  const runs = items.map((item) => item && expressionOf(item.type === "spread" ? item.of : item, scope));
  const isSpread = items.map((item) => item?.type === "spread");
  if (!isSpread.includes(true) && !runs.includes(undefined)) {
    const all = runs as Run[];
    return (f) => {
      const list: unknown[] = new Array(all.length);
      for (let i = 0; i < all.length; i++) list[i] = all[i]!(f);
      return list;
    };
  }
  return (f) => {
    const list: unknown[] = [];
    for (const [i, run] of runs.entries()) {
      if (run === undefined) list.length += 1;
      else if (isSpread[i] === true) list.push(...run(f));
      else list.push(run(f));
    }
    return list;
  };
}

function callOf({ callee, args, isOptional }: Of<"call">, scope: Scope): Run {
  const member = callee.type === "member" ? callee : undefined;
  const isSimple = args.length <= 2 && args.every(({ type }) => type !== "spread");
  if (isSimple && !isOptional && member?.isOptional !== true) {
    const [first, second] = args.map((arg) => expressionOf(arg, scope));
    if (member === undefined) {
      const run = expressionOf(callee, scope);
      if (first === undefined) return (f) => run(f)();
      if (second === undefined) return (f) => run(f)(first(f));
      return (f) => run(f)(first(f), second(f));
    }
    const [object, key] = partsOf(member, scope);
    if (first === undefined) return (f) => object(f)[key(f)]();
    if (second === undefined) return (f) => object(f)[key(f)](first(f));
    return (f) => object(f)[key(f)](first(f), second(f));
  }
  const list = listOf(args, scope);
  if (member === undefined) {
    const run = expressionOf(callee, scope);
    return (f) => {
      const called = run(f);
      if (isOptional && (called === undefined || called === null)) throw NOTHING;
      return called(...list(f));
    };
  }
  const [object, key] = partsOf(member, scope);
  return (f) => {
    const of = object(f);
    if (member.isOptional && (of === undefined || of === null)) throw NOTHING;
    const property = key(f);
    if (isOptional && (of[property] === undefined || of[property] === null)) throw NOTHING;
    return of[property](...list(f));
  };
}

function objectOf(properties: readonly Property[], scope: Scope): Run {
  const puts = properties.map((property): ((f: Frame, object: object) => void) => {
    if (property.kind === "spread") {
      const run = expressionOf(property.value, scope);
      return (f, object) => void Object.assign(object, run(f));
    }
    const { kind, isLiteral } = property;
    const key = expressionOf(property.key, scope);
    const fixed = property.key.type === "value" ? (property.key.value as string) : undefined;
    const run = expressionOf(property.value, scope, fixed);
    if (kind !== "value") {
      return (f, object) =>
        void Object.defineProperty(object, key(f), { [kind]: run(f), enumerable: true, configurable: true });
    }
    // Written as it is, this key sets the prototype; in brackets it is a property.
    if (fixed === "__proto__" && isLiteral) return (f, object) => void Object.setPrototypeOf(object, run(f));
    if (fixed !== undefined && fixed !== "__proto__")
      return (f, object) => {
        (object as Record<string, unknown>)[fixed] = run(f);
      };
    return (f, object) =>
      void Object.defineProperty(object, key(f), {
        value: run(f),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  });
  return (f) => {
    const object = {};
    for (const put of puts) put(f, object);
    return object;
  };
}
