/** An id made from a name, so that logs and exports can be read; with a number where it is taken. */
export function freeId(name: unknown, fallback: string, isTaken: (id: string) => boolean): string {
  const slug = String(name).toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '').slice(0, 48) || fallback;
  for (let n = 1; ; n++) {
    const id = n === 1 ? slug : `${slug}-${n}`;
    if (!isTaken(id)) return id;
  }
}
