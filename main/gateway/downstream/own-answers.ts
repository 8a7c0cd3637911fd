import type { DoorParts } from './door.ts';
import { modelEntry, modelList } from './model-list.ts';
import type { PathMeaning } from './paths.ts';
import { discardBody } from './read-body.ts';
import { answerJson, answerVisit, refuseVisit } from './visit.ts';
import type { Visit } from './visit.ts';

/** Answers what needs no upstream: health, warm-ups, model lists, metrics (SPEC 1.2). */
export async function answerOwn(parts: DoorParts, visit: Visit, meaning: Exclude<PathMeaning, { kind: 'exchange' }>): Promise<void> {
  await discardBody(visit.request, visit.clock);
  switch (meaning.kind) {
    case 'health': return answerJson(visit, { status: 'ok', version: parts.version });
    case 'warm_up': return answerVisit(visit, 200, [], new Uint8Array());
    case 'metrics': return answerVisit(visit, 200, [['content-type', 'text/plain; version=0.0.4; charset=utf-8']], Buffer.from(await parts.metrics()));
    case 'models': return answerModels(parts, visit, meaning.shape, meaning.id);
    // Refused at the door.
    case 'unknown': return;
  }
}

async function answerModels(parts: DoorParts, visit: Visit, path: 'gemini' | 'by_headers', id: string | null): Promise<void> {
  // By path and `anthropic-version` (SPEC 1.8); a key header says nothing about the shape.
  const shape = path === 'gemini' ? 'gemini' : visit.request.headers['anthropic-version'] === undefined ? 'chat' : 'anthropic';
  const models = parts.listModels(shape);
  if (id === null) return answerJson(visit, modelList(shape, models));
  const model = models.find((one) => one.id === id);
  if (model !== undefined) return answerJson(visit, modelEntry(shape, model));
  return refuseVisit(visit, { status: 404, code: 'model_not_found', message: `There is no model "${id.slice(0, 200)}" here.` });
}
