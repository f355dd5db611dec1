/** Paged reads of both vendors with row counts around all their page bounds: each row once, and no unnecessary page. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NetworkProvider } from '../../src/providers/ports.ts'
import { type Outside, openOutside } from './fixtures.ts'
import { vendorNames } from './quick.ts'
import { pagedReads, replyBounds, type PagedRead } from './paged-reads.ts'

let outside: Outside
beforeAll(async () => {
  outside = await openOutside()
  outside.sandbox.world.seedSearch({ generated: false })
})
afterAll(() => outside.close())
beforeEach(() => {
  const { world } = outside.sandbox
  world.clearFaults()
  world.clearCalls()
})

const sorted = (keys: readonly string[]): string[] => keys.toSorted()

describe.each(vendorNames)('%s', (name) => {
  let vendor: NetworkProvider
  beforeEach(() => {
    vendor = outside.vendor(name)
  })

  describe.each(pagedReads)('$title', (read) => {
    test('of 0, 1, a page, one less and one more: every row once, nobody missing, no empty page asked for [SYN-02, KRN-02]', async () => {
      for (const count of read.bounds) {
        const seeded = read.seed(outside.sandbox.world, count)
        outside.sandbox.world.clearCalls()
        const keys = await readKeys(read, vendor, seeded)
        expect([count, sorted(keys)]).toEqual([count, sorted(seeded.keys)])
        expect([count, askedFor(read)]).toEqual([count, read.pages[name](count)])
      }
    })
  })

  test('a comment with 0 to 31 replies: each reply once, under its comment, however many come nested [SYN-02, G117]', async () => {
    for (const count of replyBounds) {
      const handle = `talker-${name}-${count}`
      const { id } = outside.sandbox.world.seedPost({
        author: 'much-replied',
        postedAt: '2026-11-20T09:00:00.000Z',
        reactions: 0,
        comments: [
          {
            person: handle,
            text: 'First',
            replies: Array.from({ length: count }, (_, at) => ({ person: `${handle}-${at}`, text: `Reply ${at}` })),
          },
          { person: `${handle}-other`, text: 'Second', replies: [{ person: `${handle}-lone`, text: 'Alone' }] },
        ],
      })
      outside.sandbox.world.clearCalls()
      const seen = await readComments(vendor, `urn:li:activity:${id}`)
      const first = seen.find(({ text }) => text === 'First')!
      const texts = seen.filter(({ parentId }) => parentId === first.id).map(({ text }) => text ?? '')
      expect([count, sorted(texts)]).toEqual([count, sorted(Array.from({ length: count }, (_, at) => `Reply ${at}`))])
      expect([count, seen.length]).toEqual([count, count + 3])
      const asked = outside.sandbox.world.calls().length
      // Five replies come with their comment; a longer list is read from its start. Both vendors have pages of ten.
      expect([count, asked]).toEqual([
        count,
        name === 'harvestapi' ? 1 + (count > 5 ? Math.ceil(count / 10) : 0) : Math.ceil((count + 3) / 10),
      ])
    }
  })
})

const askedFor = (read: PagedRead): number =>
  outside.sandbox.world.calls().filter(({ operation }) => Object.values(read.operation).includes(operation)).length

async function readKeys(
  read: PagedRead,
  vendor: NetworkProvider,
  seeded: ReturnType<PagedRead['seed']>,
): Promise<string[]> {
  const keys: string[] = []
  let page = await read.page(vendor, seeded, null)
  for (keys.push(...page.keys); page.next !== null; keys.push(...page.keys))
    page = await read.page(vendor, seeded, page.next)
  return keys
}

/** Every comment and reply of a post by id, as the comment list and its lists of replies show them. */
async function readComments(vendor: NetworkProvider, urn: string) {
  const post = { urn, url: '' }
  const seen = new Map<string, Awaited<ReturnType<NetworkProvider['comments']>>['items'][number]>()
  let cursor: Parameters<NetworkProvider['comments']>[1] = null
  do {
    const page: Awaited<ReturnType<NetworkProvider['comments']>> = await vendor.comments(post, cursor)
    for (const comment of page.items) seen.set(comment.id, comment)
    for (const { commentId, cursor: from } of page.moreReplies) {
      let at: typeof from | null = from
      while (at !== null) {
        const more: Awaited<ReturnType<NetworkProvider['replies']>> = await vendor.replies(post, {
          commentId,
          cursor: at,
        })
        for (const reply of more.items) seen.set(reply.id, reply)
        at = more.next
      }
    }
    cursor = page.next
  } while (cursor !== null)
  return [...seen.values()]
}
