/** Sources whose names other sources have too are called by their handle as well: people of one name, a person and a company. */
export function toldApart<S extends { readonly label: string; readonly username: string }>(
  sources: readonly S[],
): readonly S[] {
  const shared = new Map<string, number>()
  for (const { label } of sources) shared.set(label, (shared.get(label) ?? 0) + 1)
  return sources.map((source) => {
    const { label, username } = source
    return (shared.get(label) ?? 0) > 1 && username !== label ? { ...source, label: `${label} · ${username}` } : source
  })
}
