/** What a source of generated code is made of. */

/** What a declaration or a parameter gives a value to. */
export type Pattern =
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "list"; readonly items: readonly (Target | undefined)[] }
  | { readonly type: "fields"; readonly items: readonly { readonly key: string; readonly target: Target }[] };

/** A pattern, with what stands in for undefined. */
export interface Target {
  readonly pattern: Pattern;
  readonly otherwise?: Expression;
  readonly isRest?: boolean;
}

/** A function of any kind. */
export interface Code {
  readonly type: "function";
  readonly name: string | undefined;
  readonly parameters: readonly Target[];
  readonly body: readonly Statement[];
  /** An arrow has no `this` of its own. */
  readonly isArrow: boolean;
  readonly kind?: "constructor" | "method";
}

export interface Member {
  readonly kind: "method" | "get" | "set" | "field" | "constructor";
  readonly key: Expression;
  readonly isStatic: boolean;
  readonly value: Expression | undefined;
}

export interface ClassCode {
  readonly type: "class";
  readonly name: string | undefined;
  readonly parent: Expression | undefined;
  readonly members: readonly Member[];
}

export type Property =
  | {
      readonly kind: "value" | "get" | "set";
      readonly key: Expression;
      readonly value: Expression;
      readonly isLiteral: boolean;
    }
  | { readonly kind: "spread"; readonly value: Expression };

export type Expression =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "this" | "new.target" }
  | { readonly type: "array"; readonly items: readonly (Expression | undefined)[] }
  | { readonly type: "object"; readonly properties: readonly Property[] }
  | {
      readonly type: "member";
      readonly object: Expression;
      readonly key: Expression;
      readonly isOptional: boolean;
    }
  | {
      readonly type: "call";
      readonly callee: Expression;
      readonly args: readonly Expression[];
      readonly isOptional: boolean;
    }
  | { readonly type: "chain"; readonly of: Expression }
  | { readonly type: "new"; readonly callee: Expression; readonly args: readonly Expression[] }
  | { readonly type: "spread"; readonly of: Expression }
  | { readonly type: "unary"; readonly operator: string; readonly of: Expression }
  | {
      readonly type: "update";
      readonly operator: "++" | "--";
      readonly of: Expression;
      readonly isPrefix: boolean;
    }
  | {
      readonly type: "binary";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly type: "assign";
      readonly operator: string;
      readonly to: Expression;
      readonly value: Expression;
    }
  | { readonly type: "either"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly type: "sequence"; readonly of: readonly Expression[] }
  | Code
  | ClassCode;

export type Statement =
  | {
      readonly type: "declare";
      readonly targets: readonly { readonly target: Target; readonly value: Expression | undefined }[];
    }
  | { readonly type: "declare function"; readonly code: Code }
  | { readonly type: "declare class"; readonly code: ClassCode }
  | { readonly type: "expression"; readonly of: Expression }
  | { readonly type: "block"; readonly body: readonly Statement[] }
  | {
      readonly type: "if";
      readonly test: Expression;
      readonly yes: Statement;
      readonly no: Statement | undefined;
    }
  | {
      readonly type: "for";
      readonly start: Statement | undefined;
      readonly test: Expression | undefined;
      readonly step: Expression | undefined;
      readonly body: Statement;
    }
  | {
      readonly type: "each";
      readonly of: "of" | "in";
      readonly target: Target;
      readonly over: Expression;
      readonly body: Statement;
    }
  | { readonly type: "while"; readonly test: Expression; readonly body: Statement; readonly isFirst: boolean }
  | {
      readonly type: "switch";
      readonly on: Expression;
      readonly cases: readonly {
        readonly test: Expression | undefined;
        readonly body: readonly Statement[];
      }[];
    }
  | {
      readonly type: "try";
      readonly body: readonly Statement[];
      readonly error: Target | undefined;
      readonly handler: readonly Statement[] | undefined;
      readonly last: readonly Statement[] | undefined;
    }
  | { readonly type: "return" | "throw"; readonly of: Expression | undefined }
  | { readonly type: "break" | "continue" };
