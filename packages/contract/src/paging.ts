type PageInput = { readonly limit?: string | number | undefined; readonly offset?: string | number | undefined }
type Page = { readonly hasMore: boolean; readonly limit: number; readonly offset: number }

/** Yields the pages of a list, 100 rows each by default: `pages(client.listLeads, { isIcp: true })`. */
export async function* pages<I extends object, P extends Page, S>(
  list: (input: I, settings?: S) => Promise<P>,
  input: I,
  settings?: S,
): AsyncGenerator<P, void, void> {
  const asked = { limit: 100, ...input } as PageInput
  let offset = Number(asked.offset ?? 0)
  for (;;) {
    const page = await list({ ...asked, offset } as unknown as I, settings)
    yield page
    if (!page.hasMore) return
    // Advances by the limit that was used: the service may allow fewer rows than were asked for.
    offset = page.offset + page.limit
  }
}

/** Yields the rows of a list; `key` names them in a page: `rows(client.listLeads, 'leads', {})`. */
export async function* rows<
  I extends object,
  K extends string,
  R,
  P extends Page & { readonly [Name in K]: readonly R[] },
  S,
>(
  list: (input: I, settings?: S) => Promise<P>,
  name: K,
  input: I,
  settings?: S,
): AsyncGenerator<P[K][number], void, void> {
  for await (const page of pages(list, input, settings)) yield* page[name]
}
