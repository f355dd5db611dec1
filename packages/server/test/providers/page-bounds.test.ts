/** Paged reads of both vendors with row counts around all their page bounds: each row once, and no unnecessary page. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type NetworkProvider, ProviderFailure } from '../../src/providers/ports.ts'
import { type Outside, openOutside } from './fixtures.ts'
import { failureOf, vendorNames } from './quick.ts'
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

  /** Temporary failures: a read that continues afterwards loses nothing. */
  const failing = [
    'status_500',
    'status_503',
    'status_429',
    'error_in_200',
    'html_200',
    'truncated_json',
    'reset',
  ] as const

  describe.each(pagedReads)('$title of four pages, the second and the third of which fail and come back', (read) => {
    test.each(failing)(
      '%s: the page is asked for again, and every row is there once [SYN-02, SYN-22]',
      async (kind) => {
        const seeded = read.seed(outside.sandbox.world, read.fourPages[name])
        outside.sandbox.world.clearCalls()
        const [second, third] = read.laterPages[name]
        for (const match of [second, third])
          outside.sandbox.world.fault({ kind, vendor: name, operation: read.operation[name], match, times: 4 })
        const { keys, failures } = await readThrough(read, vendor, seeded)
        const played = [second, third].map(
          (match) => outside.sandbox.world.calls({ vendor: name, match }).filter((call) => call.fault === kind).length,
        )
        expect(played).toEqual([4, 4])
        expect(failures).toBeGreaterThanOrEqual(2)
        expect(sorted(keys)).toEqual(sorted(seeded.keys))
      },
    )

    test.each(['duplicate_page', 'shift_page', 'short_page'] as const)(
      '%s: the read goes on to its end, and nobody it was shown is lost [SYN-02]',
      async (kind) => {
        const seeded = read.seed(outside.sandbox.world, read.fourPages[name])
        outside.sandbox.world.clearCalls()
        const [second] = read.laterPages[name]
        outside.sandbox.world.fault({ kind, vendor: name, operation: read.operation[name], match: second, times: 1 })
        const { keys, failures } = await readThrough(read, vendor, seeded)
        const rows = new Set(keys)
        const hidden = read.fourPages[name] - rows.size
        expect([failures, [...rows].filter((key) => !seeded.keys.includes(key))]).toEqual([0, []])
        // At most the rows of one page are missing; all before and after are there.
        expect(hidden).toBeLessThanOrEqual(read.pageSize[name])
        expect(outside.sandbox.world.calls({ vendor: name }).filter((call) => call.fault === kind)).toHaveLength(1)
        expect(askedFor(read)).toBeGreaterThanOrEqual(4)
      },
    )

    test('an empty second page that claims more is no end: the read says it was cut short, where that is told [SYN-17]', async () => {
      const toldOfMore = !(read.endsByEmptyPage && name === 'linkdapi')
      const seeded = read.seed(outside.sandbox.world, read.fourPages[name])
      const first = await read.page(vendor, seeded, null)
      outside.sandbox.world.fault({ kind: 'empty_more', vendor: name, times: 1, operation: read.operation[name] })
      expect(await read.page(vendor, seeded, first.next)).toMatchObject({ keys: [], next: null, cutShort: toldOfMore })
      expect((await read.page(vendor, seeded, first.next)).keys.length).toBeGreaterThan(0)
    })
  })

  test('a page that fails for good tells its failure, and gives no rows [SYN-22]', async () => {
    for (const read of pagedReads) {
      const seeded = read.seed(outside.sandbox.world, read.fourPages[name])
      const first = await read.page(vendor, seeded, null)
      outside.sandbox.world.fault({ kind: 'status_500', vendor: name })
      expect([read.title, (await failureOf(read.page(vendor, seeded, first.next))).kind]).toEqual([
        read.title,
        'unavailable',
      ])
      outside.sandbox.world.clearFaults()
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
  const { keys, failures } = await readThrough(read, vendor, seeded)
  expect(failures).toBe(0)
  return keys
}

/** Reads to the end as a run does, repeating a failed page with the same cursor. */
async function readThrough(
  read: PagedRead,
  vendor: NetworkProvider,
  seeded: ReturnType<PagedRead['seed']>,
): Promise<{ keys: string[]; failures: number }> {
  const keys: string[] = []
  let [next, failures, ended] = [null as Parameters<PagedRead['page']>[2], 0, false]
  for (let turns = 0; turns < 60 && !ended; turns += 1) {
    const page = await read.page(vendor, seeded, next).catch((error: unknown) => {
      if (error instanceof ProviderFailure && error.kind !== 'not_found') return undefined
      throw error
    })
    if (page === undefined) failures += 1
    else {
      keys.push(...page.keys)
      next = page.next
      ended = next === null
    }
  }
  expect(ended).toBe(true)
  return { keys, failures }
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
