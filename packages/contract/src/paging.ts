/** Pages and rows of lists, one after the other, as far as somebody reads on. */

/** What a list takes and answers. */
type PageInput = { readonly limit?: string | number | undefined; readonly offset?: string | number | undefined }
type Page = { readonly hasMore: boolean; readonly limit: number; readonly offset: number }

/**
 * Calls a list until there is no more, for example `pages(client.listLeads, { isIcp: true })`; 100 rows a page by default.
 */
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
    // What the service says it used counts: it may allow fewer rows than were asked for.
    offset = page.offset + page.limit
  }
}

/** The rows of a list one by one, by the name under which its pages carry them: `rows(client.listLeads, 'leads', {})`. */
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
