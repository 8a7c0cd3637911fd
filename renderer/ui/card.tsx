import { useId, type ReactNode } from 'react';

/** A panel with a heading and, at its right, a note or control. */
export function Card({ title, note, className, children }: { readonly title: string; readonly note?: ReactNode; readonly className?: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className={className === undefined ? 'hf-card' : `hf-card ${className}`} aria-labelledby={id}>
      <header className="hf-card-head">
        <h2 id={id}>{title}</h2>
        {note}
      </header>
      {children}
    </section>
  );
}

/** Heading and one line under it at the top of a page. */
export function PageHead({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <header className="hf-page-head">
      <h1>{title}</h1>
      {children !== undefined && <p>{children}</p>}
    </header>
  );
}
