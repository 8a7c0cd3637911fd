/** Whether `*` globs match a name; every other character stands for itself. Linear in both lengths for each `*`. */
export function globMatches(glob: string, name: string): boolean {
  const parts = glob.split('*');
  const first = parts[0] ?? '';
  if (parts.length === 1) return glob === name;
  const last = parts.at(-1) ?? '';
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, from);
    if (found < 0 || found + part.length > name.length - last.length) return false;
    from = found + part.length;
  }
  return true;
}
