/** What stopped, each reason once. */

type Warning = { readonly kind: string; readonly text: string; readonly advice: string }

/** Warnings of sources, those of the same words together, in the order in which they first come. */
export function byReason<S, W extends Warning>(
  wrong: readonly { readonly source: S; readonly warning: W }[],
): { readonly warning: W; readonly sources: readonly S[] }[] {
  const groups = new Map<string, { warning: W; sources: S[] }>()
  for (const { source, warning } of wrong) {
    const key = `${warning.text} ${warning.advice}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { warning, sources: [source] })
    else group.sources.push(source)
  }
  return [...groups.values()]
}
