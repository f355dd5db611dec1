/** What every list of HeyReach's API has in common: pages by offset, whole numbers as ids, one shape around the rows. */
import { z } from 'zod'
import type { createHeyReachClient } from './heyreach-client.ts'
import { OutreachFailure } from './port.ts'

/** The client that the lists are read with. */
export type HeyReachClient = ReturnType<typeof createHeyReachClient>

const pageSize = 100
/** A team with more campaigns than this sees the first ones; a campaign with more leads is not searched to its end. */
const maxPages = 100

const rows = z.looseObject({ totalCount: z.number().int(), items: z.array(z.unknown()) })

/** The failure of an answer that cannot be read; after one that adds people, they may have been added. */
export const unreadable = (operation: string) =>
  new OutreachFailure({
    kind: 'unreadable',
    message: `heyreach ${operation}: the answer has not the promised shape`,
    done: operation === 'AddLeadsToCampaignV2' ? 'maybe' : 'no',
  })

/** Ids are whole numbers there; no other text names a campaign. */
export const idOf = (id: string): number | undefined => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined)

/** A list to be read: with whose key, by which operation, and what is asked beside the page. */
export type ListAsked = {
  readonly key: string
  readonly operation: string
  readonly path: string
  readonly asked: object
  readonly options: Parameters<HeyReachClient>[2]
}

/** One page; `more` says that the list goes on behind it, also where the next one turns out to be empty. */
export type Page = { readonly items: readonly unknown[]; readonly more: boolean }

/** Reads lists page by page, a hundred pages at most. */
export type Pages = (list: ListAsked) => AsyncGenerator<Page, void, undefined>

/** Makes the reader of lists. */
export const openPages = (client: HeyReachClient): Pages =>
  async function* ({ key, operation, path, asked, options }) {
    let offset = 0
    for (let page = 0; page < maxPages; page += 1) {
      const body = { ...asked, offset, limit: pageSize }
      const read = rows.safeParse(await client(key, { operation, method: 'POST', path, body }, options))
      if (!read.success) throw unreadable(operation)
      const { items, totalCount } = read.data
      // By what was served: a platform that serves fewer than were asked for would otherwise be read with gaps.
      offset += items.length
      const more = offset < totalCount
      yield { items, more }
      if (!more || items.length === 0) return
    }
  }
