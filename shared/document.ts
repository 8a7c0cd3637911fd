import { z } from 'zod';
import { routeSchema } from './route.ts';
import { upstreamDocumentSchema } from './upstream.ts';

/** Shape of the import document (SPEC 18.2); settings are validated key by key against `shared/settings.ts`. */
export const documentSchema = z.strictObject({
  holdfast: z.literal(1),
  settings: z.record(z.string(), z.unknown()).default({}),
  upstreams: z.array(upstreamDocumentSchema).max(200).default([]),
  routes: z.array(routeSchema).max(500).default([]),
  keys: z.array(z.strictObject({
    name: z.string().trim().min(1).max(100),
    key: z.string().regex(/^hf-[A-Za-z0-9_-]{1,200}$/),
  })).max(100).default([]),
});
export type HoldfastDocument = z.infer<typeof documentSchema>;

/** One fault of a document: where it is and what is allowed there. */
export interface DocumentFault {
  /** Dotted path, `upstreams[0].base_url`. */
  readonly path: string;
  /** English sentence without the path; never quotes a secret. */
  readonly message: string;
}
