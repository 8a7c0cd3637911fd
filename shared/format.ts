/** Wire formats that clients speak (SPEC 0). */
export const FORMAT_NAMES = ['anthropic', 'chat', 'responses', 'gemini'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];
