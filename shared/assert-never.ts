/** Closes a union: the compiler complains when a case is missing; throws if one comes in from outside the types. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
