/** The product's mark, drawn like `assets/icon.svg`. */
export function Logo({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="64 64 896 896" aria-hidden="true">
      <rect x="64" y="64" width="896" height="896" rx="208" fill="#0f766e" />
      <g fill="none" stroke="#ffffff" strokeLinecap="round" strokeLinejoin="round">
        <path strokeWidth="88" d="M272 304V720M752 304V720" />
        <path strokeWidth="76" d="M398 548C422 466 478 452 512 512S602 558 626 476" />
      </g>
    </svg>
  );
}
