/** Interpreted code does what compiled code does: each snippet is run by both. */
import { describe, expect, it } from "vitest";
import { interpret } from "../../src/model/interpreter/interpret.ts";

const scope = {
  given: [1, 2, 3],
  log: [] as unknown[],
  Base: class Base {
    base = 1;
    hello() {
      return "base";
    }
  },
};

/** What a source returns or throws, with what it logged. */
function outcome(
  run: (source: string, scope: Readonly<Record<string, unknown>>) => unknown,
  source: string,
): unknown {
  const own = { ...scope, log: [] as unknown[] };
  try {
    return { value: run(source, own), log: own.log };
  } catch (error) {
    return {
      threw: (error as Error).constructor.name,
      message: String((error as Error).message),
      log: own.log,
    };
  }
}

function compiled(source: string, given: Readonly<Record<string, unknown>>): unknown {
  return new Function(...Object.keys(given), `"use strict";\n${source}`)(...Object.values(given));
}

const SNIPPETS = [
  "return 1 + 2 * 3 ** 2 ** 0 - 7 % 4 / 2;",
  "return [1 << 5, -9 >> 1, -9 >>> 28, 6 & 3, 6 | 3, 6 ^ 3, ~6, +'7', -'7', !0];",
  "return [0x1f, 0b11, 0o17, 1e3, .5, 1.5e-7, 12n, 0xffn, 5e-324];",
  `return ["a\\u0062\\x63\\n\\t\\"\\\\\\u{1f600}\\0", 'it\\'s', "\\ud800"];`,
  "return [null ?? 1, 0 ?? 1, 0 || 2, 1 && 3, typeof undefinedName, typeof given, void 0];",
  "return ['a' in { a: 1 }, [] instanceof Array, 1 == '1', 1 != '2', 1 === 1, NaN !== NaN];",
  "let a = 1, b; a += 2; a *= 3; b = a++ + ++a; a **= 2; a >>>= 1; return [a, b, --a, a--];",
  "let n = null, z = 0, o = { x: 1 }; n ??= 5; z ||= 6; z &&= 7; o.x ??= 8; o.y ??= 9; return [n, z, o];",
  "let i = 0; const a = [1, 2, 3]; a[i++] += 10; a[i++]++; a[i] <<= 2; return [a, i];",
  "let x = 5n; x++; x -= 2n; return [x, -x, x * 3n];",
  "let o = { toString() { return '4'; } }; let b = o; b++; return b;",
  "const { a, b: c = 4, ...[] } = {}; return 1;",
  "const { a, b: c = 4 } = { a: 1 }; const [d, , e = 5, ...f] = [1, 2, undefined, 4, 5]; return [a, c, d, e, f];",
  "const [] = given; const [a] = given; return a;",
  "return [...given, 0, ...[4], , 5].length;",
  "return Math.max(...given, 7) + given.concat(4, 5, 6).length;",
  "return { a: 1, 'b c': 2, 3: 3, ['x' === 'x' ? 'y' : 'z']: 1 };",
  "return { a: 1, 'b c': 2, 3: 3, ['x' + 1]: 4, given, ...{ q: 1 }, get g() { return 8; }, m(x) { return x; } }.m(9);",
  `const o = { "__proto__": { inherited: 1 }, a: 1 }; return [o.inherited, Object.keys(o)];`,
  `const o = { ["__proto__"]: 5 }; return [Object.keys(o), o["__proto__"]];`,
  "return [given?.length, null?.x, undefined?.x.y.z, given.none?.(), given.at?.(0), null?.[log.push(1)]];",
  "function f(a, b = a + 1, ...rest) { return [a, b, rest, arguments.length]; } return [f(1), f(1, 2, 3, 4), f(1, undefined)];",
  "const fact = function me(n) { return n < 2 ? 1 : n * me(n - 1); }; return [fact(6), fact.name];",
  "const add = (a) => (b) => a + b; return [add(1)(2), (() => ({}))(), (({ a }, [b]) => a + b)({ a: 1 }, [2])];",
  "return [later(2), typeof later]; function later(x) { return x * 2; }",
  "const fs = []; for (const x of given) fs.push(() => x); for (const k in { a: 1, b: 2 }) { const y = k; fs.push(() => y); } return fs.map((f) => f());",
  "const fs = []; let i = 0; while (i < 3) { const j = i++; fs.push(() => j); } return fs.map((f) => f());",
  "let s = 0; for (let i = 0; i < 10; i++) { if (i === 3) continue; if (i === 7) break; s += i; } return s;",
  "let s = ''; do { s += s.length; } while (s.length < 4); return s;",
  "for (const a of given) for (const b of given) if (a * b === 6) return [a, b];",
  "for (const _ in {}) return 1; return 2;",
  "const r = []; for (const x of [0, 1, 2, 3, 9]) { switch (x) { case 0: r.push('zero'); case 1: r.push('one'); break; case 2: { continue; } default: r.push('other'); case 3: r.push('three'); } r.push(x); } return r;",
  "switch (1) { case 1: let a = 5; return a; } return 0;",
  "try { throw new TypeError('x'); } catch (error) { return [error instanceof TypeError, error.message]; }",
  "try { null.x; } catch { log.push('caught'); } finally { log.push('last'); } return 1;",
  "function f() { try { return 1; } finally { log.push(1); } } return f();",
  "function f() { try { throw 1; } finally { return 2; } } return f();",
  "for (const x of given) { try { if (x === 2) continue; log.push(x); } finally { log.push('end'); } } return 0;",
  "try { throw 1; } catch ({ length = 7 }) { return length; }",
  "throw new RangeError('no');",
  "return missing;",
  "given.none();",
  "null.x = 1;",
  "const f = 3; f();",
  "function P(x) { this.x = x; } P.prototype.get = function () { return this.x; }; return new P(4).get() + new P(1).x;",
  "function P() { return [new.target === P]; } return [new P()[0], (() => P())()[0]];",
  "class A { x = 1; y = this.x + 1; static s = 5; static make() { return new A(); } get z() { return this.y * 2; } set z(v) { this.y = v; } m(a = 2) { return a + this.x; } ['k' + 1]() { return 3; } } const a = A.make(); a.z = 10; return [a.z, a.m(), a.k1(), A.s, Object.keys(a), a.constructor.name, a instanceof A];",
  "class A { constructor(x = 3, y = x) { this.x = x; this.y = y; } } return [new A(), new A(1, 2)];",
  "class A { constructor() { return { other: 1 }; } } return new A();",
  "class A extends Base {} A.tag = 1; const a = new A(); return [a.base, a.hello(), a instanceof Base, A.name, Object.getPrototypeOf(A) === Base];",
  "class A extends Base { extra = this.base + 1; hello() { return 'own'; } static s() { return this; } } class B extends A {} return [new B().extra, new B().hello(), B.s() === B];",
  "class A {} A();",
  "const o = { f() { return [1].map(() => this.x)[0]; }, x: 6 }; return o.f();",
  "let a = (log.push(1), 2); return a;",
  "const o = { a: 1 }; delete o.a; return Object.keys(o);",
  "return new Date(0).getTime() + new (class { v = 1; })().v + new Map([[1, 2]]).get(1);",
  "const x = 1; { const x = 2; log.push(x); { const x = 3; log.push(x); } } log.push(x); return log.length;",
  "let x = 1; const f = () => x; x = 2; return f();",
  "for (let i = 0; i < 2; i++) { let x; log.push(x); x = i; } return 0;",
  "const a = 1\nconst b = 2\nreturn a + b",
  "return /* a comment */ 1; // and another",
  "let get = 1, set = 2, of = 3, let_ = 4; return { get, set, of: of + let_, get static() { return 1; } };",
  "return given.map((x) => { if (x > 1) return x; else return -x; });",
  "const view = new DataView(new ArrayBuffer(8)); view.setFloat64(0, 1.5, true); return view.getInt32(4, true) | 0;",
  "let a = 1; a = a + (a = 5); const o = { v: 1 }; o.v += (o.v = 10); return [a, o.v];",
  "return -(2 ** 2) + (1, 2) + (true ? 1 : false ? 2 : 3);",
];

/** What generated code has not. */
const REFUSED = [
  "var x = 1;",
  "function* f() {}",
  "const f = async () => 1;",
  "return `x`;",
  "return /x/.test('x');",
  "a: for (;;) break a;",
  "class A extends Base { constructor() { super(); } }",
  "const fs = []; for (let i = 0; i < 2; i++) fs.push(() => i); return fs;",
  "undeclared = 1;",
  "return 1 +;",
  "if (1 { }",
  "#",
  "delete given;",
];

describe("interpreted code", () => {
  it.each(SNIPPETS)("%s", (source) => {
    const [own, real] = [outcome(interpret, source), outcome(compiled, source)] as [
      Record<string, unknown>,
      Record<string, unknown>,
    ];
    // A source that compiled code does not know either.
    if (real["threw"] === "SyntaxError") expect(own["threw"]).toBe("SyntaxError");
    else if ("threw" in real) expect(own["threw"]).toBe(real["threw"]);
    else expect(own).toEqual(real);
  });

  it.each(REFUSED)("refuses %s", (source) => {
    expect(() => interpret(source, scope)).toThrow(SyntaxError);
  });

  it("runs twice with variables of its own", () => {
    const count = interpret("let n = 0; return () => ++n;", {}) as () => number;
    const other = interpret("let n = 0; return () => ++n;", {}) as () => number;
    expect([count(), count(), other()]).toEqual([1, 2, 1]);
  });

  it("calls itself with a frame for each call", () => {
    const fib = interpret(
      "function fib(n) { const a = n < 2 ? n : fib(n - 1); return n < 2 ? n : a + fib(n - 2); } return fib;",
      {},
    );
    expect((fib as (n: number) => number)(15)).toBe(610);
  });
});
