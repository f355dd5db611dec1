const asText = (value: unknown): string =>
  value instanceof Date
    ? value.toISOString()
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value)

/** Method, path with parameters in braces, names of the query fields if there is a body, and whether it needs no team. */
export type Call = readonly [method: string, path: string, queryNames?: readonly string[] | null, isTeamless?: true]

/** Distributes the fields of a call over path, query and body, as the contract's own client does. */
export function layOut(
  call: Call,
  input: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly body: Readonly<Record<string, unknown>> | undefined } {
  const [, template, queryNames] = call
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name)
    if (value === undefined || value === null || value === '') throw new TypeError(`${template} needs ${name}`)
    left.delete(name)
    return encodeURIComponent(asText(value))
  })
  const inQuery = (name: string) => !queryNames || queryNames.includes(name)
  const query = new URLSearchParams(
    [...left].filter(([name]) => inQuery(name)).map(([name, value]) => [name, asText(value)]),
  )
  const search = query.size > 0 ? `?${query}` : ''
  return {
    path: `${path}${search}`,
    body: queryNames ? Object.fromEntries([...left].filter(([name]) => !inQuery(name))) : undefined,
  }
}
