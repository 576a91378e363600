/** Whether an object is one of its properties alone: not of a class, such as Date, and not made of another object. */
export function isPlain(object: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(object);
  return prototype === OBJECT || prototype === null || isObjectPrototype(prototype);
}

const OBJECT = Object.prototype;

/** Whether an object is the Object.prototype of a realm, such as that of a vm's context. */
function isObjectPrototype(object: object): boolean {
  if (Object.getPrototypeOf(object) !== null || !Object.hasOwn(object, "constructor")) return false;
  const maker: unknown = object.constructor;
  return typeof maker === "function" && maker.name === "Object" && maker.prototype === object;
}
