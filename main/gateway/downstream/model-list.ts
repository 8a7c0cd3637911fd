import type { FormatName } from '../../../shared/format.ts';

/** A model that a client may ask for (SPEC 1.8). */
export interface ListedModel { readonly id: string; readonly upstreamName: string }

// Constant, so that lists compare equal; nobody told us the real ones.
const CREATED_SECS = 1_735_689_600;
const CREATED_AT = '2025-01-01T00:00:00Z';

/** All models in the shape that clients of this format read. */
export function modelList(shape: FormatName, models: readonly ListedModel[]): unknown {
  const data = models.map((model) => modelEntry(shape, model));
  switch (shape) {
    case 'anthropic': return { data, first_id: models[0]?.id ?? null, has_more: false, last_id: models.at(-1)?.id ?? null };
    case 'gemini': return { models: data };
    case 'chat':
    case 'responses': return { object: 'list', data };
  }
}

/** One model in that shape. Numbers that nobody told are left out. */
export function modelEntry(shape: FormatName, { id, upstreamName }: ListedModel): unknown {
  switch (shape) {
    case 'anthropic': return { type: 'model', id, display_name: id, created_at: CREATED_AT };
    case 'gemini': return { name: `models/${id}`, displayName: id, supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'] };
    case 'chat':
    case 'responses': return { id, object: 'model', created: CREATED_SECS, owned_by: upstreamName };
  }
}
