/** The value of a JSON text, or undefined (which no JSON text means) when it is not JSON. Never throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
