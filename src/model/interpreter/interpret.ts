/** Runs generated code where none may be made of strings: each part of it becomes a closure once, and functions call those. */
import { expressionOf } from "./expressions.ts";
import type { Run } from "./operators.ts";
import { parseBody } from "./parser.ts";
import { type Frame, frameOf, innerFrame, Scope } from "./scope.ts";
import { blockOf, declare, Returned, type Step, targetOf } from "./statements.ts";
import type { ClassCode, Code, Expression } from "./syntax.ts";

// biome-ignore lint/suspicious/noExplicitAny: what is interpreted has no types
type AnyFunction = (...args: any[]) => any;
type AnyClass = new (...args: unknown[]) => object;

/** How a function begins: its frame, with the arguments in their places; and how it goes on. */
interface Compiled {
  readonly enter: (frame: Frame, args: readonly unknown[]) => void;
  readonly body: Step;
  readonly scope: Scope;
}

function compiled({ parameters, body }: Code, outer: Scope): Compiled {
  const scope = outer.function();
  for (const { pattern } of parameters) declare(pattern, scope);
  const writes = parameters.map((parameter) => ({
    write: targetOf(parameter, scope),
    isRest: parameter.isRest === true,
  }));
  const enter = (frame: Frame, args: readonly unknown[]): void => {
    for (let i = 0; i < writes.length; i++) {
      const { write, isRest } = writes[i]!;
      write(frame, isRest ? args.slice(i) : args[i]);
    }
  };
  return { enter, body: blockOf(body, scope.block()), scope };
}

/** What makes a function of a frame. @param own name by which the function knows itself */
export function functionOf(code: Code, outer: Scope, own?: string): (frame: Frame) => AnyFunction {
  const around = own === undefined ? outer : outer.block(true);
  const self = own === undefined ? undefined : around.declare(own);
  const { enter, body, scope } = compiled(code, around);
  const make = code.isArrow
    ? (parent: Frame): AnyFunction =>
        (...args) => {
          const frame = innerFrame(scope.size, parent);
          enter(frame, args);
          return (body(frame) as Returned | undefined)?.value;
        }
    : (parent: Frame): AnyFunction =>
        function (this: unknown, ...args: unknown[]) {
          const frame = frameOf(scope.size, parent, this, new.target, args);
          enter(frame, args);
          return (body(frame) as Returned | undefined)?.value;
        };
  const named = (made: AnyFunction): AnyFunction =>
    Object.defineProperty(made, "name", { value: code.name ?? "", configurable: true });
  if (self === undefined) return (f) => named(make(f));
  return (f) => {
    const own = innerFrame(around.size, f);
    const made = named(make(own));
    own[self] = made;
    return made;
  };
}

/** What makes a class. */
export function classOf({ name, parent, members }: ClassCode, outer: Scope): (frame: Frame) => AnyClass {
  const scope = outer.block(true);
  const self = name === undefined ? undefined : scope.declare(name);
  const base = parent && expressionOf(parent, outer);
  const member = members.find(({ kind }) => kind === "constructor");
  if (member !== undefined && parent !== undefined)
    throw new SyntaxError("cannot interpret: a class with a parent and a constructor");
  const constructed = member && compiled(member.value as Code, scope);
  const parts = members
    .filter(({ kind }) => kind !== "constructor")
    .map((part) => ({
      ...part,
      key: expressionOf(part.key, scope),
      // A field's value is found in a function of its own, whose `this` is the object.
      value:
        part.value && (part.kind === "field" ? fieldOf(part.value, scope) : expressionOf(part.value, scope)),
    }));
  const fields = parts.filter(({ kind, isStatic }) => kind === "field" && !isStatic);
  return (f) => {
    const around = innerFrame(scope.size, f);
    const parentClass = base?.(f) as AnyClass | undefined;
    const initialise = (object: object): void => {
      for (const { key, value } of fields) define(object, key(around), value?.(around).call(object), true);
    };
    function Made(this: object, ...args: unknown[]): object {
      if (new.target === undefined)
        throw new TypeError(`Class constructor ${name} cannot be invoked without 'new'`);
      const object = parentClass === undefined ? this : Reflect.construct(parentClass, args, new.target);
      initialise(object);
      if (constructed === undefined) return object;
      const frame = frameOf(constructed.scope.size, around, object, new.target, args);
      constructed.enter(frame, args);
      const end = constructed.body(frame);
      return end instanceof Returned && typeof end.value === "object" && end.value !== null
        ? end.value
        : object;
    }
    const made = Made as unknown as AnyClass;
    if (parentClass !== undefined) {
      Object.setPrototypeOf(made, parentClass);
      made.prototype = Object.create(parentClass.prototype, {
        constructor: { value: made, writable: true, configurable: true },
      });
    }
    Object.defineProperty(made, "name", { value: name ?? "", configurable: true });
    if (self !== undefined) around[self] = made;
    for (const { kind, key, isStatic, value } of parts) {
      const target = isStatic ? made : (made.prototype as object);
      if (kind === "get" || kind === "set")
        Object.defineProperty(target, key(around), { [kind]: value!(around), configurable: true });
      else if (kind === "method") define(target, key(around), value!(around), false);
      else if (isStatic) define(made, key(around), value?.(around).call(made), true);
    }
    return made;
  };
}

function fieldOf(value: Expression, scope: Scope): Run {
  const body = [{ type: "return", of: value }] as const;
  return functionOf({ type: "function", name: undefined, parameters: [], body, isArrow: false }, scope);
}

function define(object: object, key: PropertyKey, value: unknown, enumerable: boolean): void {
  Object.defineProperty(object, key, { value, enumerable, configurable: true, writable: true });
}

/**
 * Runs the body of a function with some values in scope, and gives what it returns. It knows strict code of functions, classes
 * that call no `super`, and all statements and operators but labels, generators, `async`, `var`, `with`, templates and regular
 * expressions. Throws SyntaxError for anything else.
 */
export function interpret(source: string, scope: Readonly<Record<string, unknown>>): unknown {
  const names = Object.keys(scope);
  const parameters = names.map((name) => ({ pattern: { type: "name", name } }) as const);
  const body = parseBody(source);
  const code = { type: "function", name: undefined, parameters, body, isArrow: false } as const;
  const make = functionOf(code, Scope.outermost({ function: functionOf, class: classOf }));
  return make([])(...names.map((name) => scope[name]));
}
