/** What is handed out about the interface as JSON: its description, and the collection made from it. */
import { openApi, postmanCollection } from '@les/contract'
import type { Reply } from '../reply.ts'

/** Where the service is reached. */
export type Addresses = {
  /** From outside; null when nobody said. */
  readonly publicUrl: string | null
  /** The public one, else where it listens; asked when a document is read, for it is known only then. */
  readonly origin: () => string
}

/**
 * The documents by their address. The description names no address rather than a wrong one; a collection cannot go without. No
 * document takes it from the `Host` of a request: what is cached for everybody would then be what one caller wrote.
 */
export function documentsOf({ publicUrl, origin }: Addresses): readonly (readonly [url: string, make: () => Reply])[] {
  const once = (make: () => unknown): (() => Reply) => {
    let made: Reply | undefined
    const reply = (): Reply => {
      const body = make()
      const headers = { 'cache-control': 'public, max-age=300' }
      // Written out once: nobody needs a key to ask for it.
      return { status: 200, headers, body, text: JSON.stringify(body), revalidates: true, isDocument: true }
    }
    return () => (made ??= reply())
  }
  return [
    ['/openapi.json', once(() => openApi({ serverUrl: publicUrl ?? '/' }))],
    ['/collection.json', once(() => postmanCollection(origin()))],
  ]
}
