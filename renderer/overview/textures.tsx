import type { FigurePart } from './figure-parts.ts';

/** The fills of the parts: each has a texture besides its colour. `id` makes their names unique; use them by `fillOf`. */
export function Textures({ id }: { readonly id: string }) {
  return (
    <defs>
      <pattern id={`${id}-rescuedByRetry`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" className="hf-fill-amber" /><rect width="2" height="6" className="hf-fill-gap" /></pattern>
      <pattern id={`${id}-rescuedByFailover`} width="5" height="5" patternUnits="userSpaceOnUse"><rect width="5" height="5" className="hf-fill-blue" /><circle cx="2.5" cy="2.5" r="1.1" className="hf-fill-gap" /></pattern>
      <pattern id={`${id}-failed`} width="4" height="4" patternUnits="userSpaceOnUse"><rect width="4" height="4" className="hf-fill-red" /><rect width="1" height="4" className="hf-fill-gap" /></pattern>
      <pattern id={`${id}-cancelled`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect width="5" height="5" className="hf-fill-soft" /><rect width="1.5" height="5" className="hf-fill-grey" /></pattern>
    </defs>
  );
}

/** The fill of a part, from the `Textures` of that id. */
export function fillOf(id: string, part: FigurePart): string {
  return part === 'firstTry' ? 'var(--accent)' : part === 'refused' ? 'var(--faint)' : `url(#${id}-${part})`;
}

/** A little square in the looks of a part. */
export function Swatch({ id, part }: { readonly id: string; readonly part: FigurePart }) {
  return <svg className="hf-swatch" width="12" height="12" aria-hidden="true"><rect x="0.5" y="0.5" width="11" height="11" rx="2.5" fill={fillOf(id, part)} className={part === 'cancelled' ? 'hf-swatch-edge' : undefined} /></svg>;
}
