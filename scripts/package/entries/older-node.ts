/** Adds what Node 20 lacks and our programs use. */
// biome-ignore lint/suspicious/noExplicitAny: these objects are completed, whatever their types say they have.
const anywhere = globalThis as any

anywhere.URL.parse ??= (text: string, base?: string): URL | null =>
  URL.canParse(text, base) ? new URL(text, base) : null

anywhere.Promise.withResolvers ??= () => {
  const made: { promise?: unknown; resolve?: unknown; reject?: unknown } = {}
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
  return made
}

anywhere.Map.groupBy ??= (items: Iterable<unknown>, keyOf: (item: unknown, index: number) => unknown) => {
  const groups = new Map<unknown, unknown[]>()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index++)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
