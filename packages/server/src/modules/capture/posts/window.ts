/** Cuts our pages out of a vendor's: reads the kept pages, fetches the missing ones, and keeps them. */
import type { WorkDeps } from '../../../platform/work/index.ts'
import {
  type Actor,
  firstVendor,
  ProviderFailure,
  type CallOptions,
  type Comment,
  type Network,
  type Page,
  type PageAt,
  type PageCursor,
  type VendorId,
  type RepliesRef,
} from '../../../providers/ports.ts'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { shareAccount } from '../../credits/index.ts'
import { handleInAddress, type BlockList } from '../../network/index.ts'
import { withReplies, type KeptRow } from './present.ts'
import {
  findWhoServed,
  listKeptPages,
  savePage,
  saveReplies,
  type HeldPost,
  type KeptPage,
  type VendorRead,
} from './store.ts'

export type WindowDeps = Pick<WorkDeps, 'db' | 'unitOfWork' | 'system'> & {
  readonly network: Network
  readonly blockList: BlockList
}

type WindowRequest = {
  readonly teamId: string
  readonly kind: 'reactions' | 'comments'
  readonly post: HeldPost
  readonly now: Date
  /** The vendor to ask when none has served page 0 within the hour; undefined: any. */
  readonly from: VendorId | undefined
  readonly offset: number
  readonly count: number
  readonly includeReplies: boolean
  readonly ask: (
    at: PageAt | null,
    options: CallOptions,
  ) => Promise<{
    readonly page: Page<unknown>
    readonly rows: readonly KeptRow[]
    readonly replies: readonly RepliesRef[]
  }>
}

export type Window = {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly source: 'primary' | 'fallback'
  readonly total: number | null
  /** Rows read from the start of the list. */
  readonly seen: number
  readonly complete: boolean
  readonly hasMore: boolean
}

/** Limit of one read; a longer one continues later, since its pages are kept. */
const longestMs = 25_000
const maxPages = 200
const maxReplyPages = 20
const pageRows = 100
const firstPage: PageCursor = {}

const readOf = ({ teamId, kind, post }: WindowRequest): VendorRead => ({ teamId, kind, subject: post.urn })

/** Leaves out the people whom the team has had erased. */
export async function withoutBlocked<T extends { readonly actor: Actor }>(
  { blockList, db }: Pick<WindowDeps, 'blockList' | 'db'>,
  teamId: string,
  items: readonly T[],
): Promise<T[]> {
  const people = items.flatMap(({ actor }) => (actor.kind === 'person' ? [actor] : []))
  const blocked = await blockList.findBlocked(db, teamId, people)
  return items.filter(({ actor }) => actor.kind !== 'person' || !blocked.has(actor))
}

function personIn(row: KeptRow['row']) {
  const { linkedinUrn: urn, linkedinUrl } = (row.author ?? row) as Readonly<Record<string, string | null>>
  return urn == null ? undefined : { urn, handle: handleInAddress(linkedinUrl ?? null) }
}

/** Leaves out people who were erased since the fetch, in the unit of work that keeps the rows; waits for an erasure under way. */
export async function withoutErasedRows<T>(
  tx: Tx,
  { blockList, teamId }: { readonly blockList: BlockList; readonly teamId: string },
  { items, rowOf }: { readonly items: readonly T[]; readonly rowOf: (item: T) => KeptRow['row'] },
): Promise<T[]> {
  await shareAccount(tx, teamId, 'team')
  const people = items.map((item) => personIn(rowOf(item)))
  const known = people.filter((person) => person !== undefined)
  const blocked = await blockList.findBlocked(tx.db, teamId, known)
  return items.filter((_item, place) => people[place] === undefined || !blocked.has(people[place]))
}

/** The time left for a call; throws when there is none. */
export function timeLeft(
  timeoutMs: number,
  { operation, provider, longestMs }: { operation: string; provider?: VendorId | undefined; longestMs: number },
): CallOptions {
  if (timeoutMs > 0) return { timeoutMs }
  const message = `${operation}: took longer than ${longestMs} ms`
  throw new ProviderFailure({ provider: provider ?? 'network', operation, kind: 'unavailable', message })
}

/** Reads the pages of a list: those of `kept`, then further ones, which it keeps. */
function openPages(deps: WindowDeps, request: WindowRequest, source: VendorId | undefined, kept: KeptPage<KeptRow>[]) {
  const { teamId, post, kind, includeReplies } = request
  const pages = [...kept]
  let provider = source
  const endMs = deps.system.nowMs() + longestMs

  const left = (operation: string) => timeLeft(endMs - deps.system.nowMs(), { operation, provider, longestMs })
  const withoutErased = async (tx: Tx, page: KeptPage<KeptRow>): Promise<KeptPage<KeptRow>> => ({
    ...page,
    items: await withoutErasedRows(
      tx,
      { blockList: deps.blockList, teamId },
      { items: page.items, rowOf: ({ row }) => row },
    ),
  })
  const repliesOf = async (ref: RepliesRef): Promise<Comment[]> => {
    const replies: Comment[] = []
    let at: RepliesRef | null = ref
    for (let asked = 0; at !== null && asked < maxReplyPages; asked += 1) {
      const page: Page<Comment> = await deps.network.replies(post, provider!, at, left('replies'))
      replies.push(...(await withoutBlocked(deps, teamId, page.items)))
      at = page.next === null ? null : { commentId: ref.commentId, cursor: page.next }
    }
    return replies
  }
  const fillReplies = async (page: KeptPage<KeptRow>): Promise<KeptPage<KeptRow>> => {
    let filled = page
    try {
      for (const ref of page.replies) {
        const items = withReplies(filled.items, ref.commentId, await repliesOf(ref))
        filled = { ...filled, items, replies: filled.replies.slice(1) }
      }
    } finally {
      // Keeps what was read, also when the rest failed.
      pages[page.number] = filled
      const done = filled
      if (done !== page)
        await deps.unitOfWork(async (tx) =>
          saveReplies(tx, { ...readOf(request), provider: provider! }, await withoutErased(tx, done)),
        )
    }
    return filled
  }
  const readPage = async (number: number): Promise<KeptPage<KeptRow> | undefined> => {
    const known = pages[number]
    if (known) return includeReplies && known.replies.length > 0 ? fillReplies(known) : known
    const before = pages.at(-1)
    if (number >= maxPages || (before && before.next === null)) return undefined
    const cursor = before ? before.next! : firstPage
    const asked = await request.ask(provider === undefined ? null : { from: provider, cursor }, left(kind))
    const { next, total, source: servedBy } = asked.page
    provider = servedBy
    pages[number] = await deps.unitOfWork(async (tx) => {
      const page = await withoutErased(tx, { number, items: asked.rows, replies: asked.replies, next, total })
      await savePage(tx, { ...readOf(request), provider: servedBy }, page)
      return page
    })
    return readPage(number)
  }
  const total = (): number | null => pages[0]?.total ?? null
  return {
    readPage,
    total,
    source: () => provider ?? firstVendor,
    /** Most rows this read can have, with all replies: what the vendor declares, or has served if that is more. */
    maxRows: () => {
      const served = pages.reduce((sum, page) => sum + page.items.length, 0)
      const entries = Math.max(served, Math.min(total() ?? Number.POSITIVE_INFINITY, maxPages * pageRows))
      return includeReplies ? entries * (1 + maxReplyPages * pageRows) : entries
    },
  }
}

/** Reads a window of a vendor's rows; a row that a shifted page repeats counts once. Throws `ProviderFailure`. */
export async function readWindow(deps: WindowDeps, request: WindowRequest): Promise<Window> {
  const { now, offset, count, includeReplies } = request
  const read = readOf(request)
  // The vendor of page 0 serves the rest: page sizes and order differ, and a mix would show some people twice and leave others
  // out.
  const source = (await findWhoServed(deps.db, read, now)) ?? request.from
  const kept = source === undefined ? [] : await listKeptPages<KeptRow>(deps.db, { ...read, provider: source }, now)
  const pages = openPages(deps, request, source, kept)
  const rows = new Map<string, KeptRow>()
  const wanted = offset + count
  let [hasMore, complete] = [false, false]
  for (let number = 0; !hasMore; number += 1) {
    const page = await pages.readPage(number).catch((error: unknown) => {
      // The window is full, and the vendor has said that the list goes on.
      if (error instanceof ProviderFailure && rows.size === wanted && number > 0) return 'unknown' as const
      throw error
    })
    // Beyond `maxRows`, nothing is fetched that could not be shown.
    complete = page === undefined
    if (page === undefined || offset >= pages.maxRows()) break
    if (page !== 'unknown')
      for (const row of page.items)
        if ((includeReplies || row.parent === null) && !rows.has(row.key)) rows.set(row.key, row)
    hasMore = page === 'unknown' || rows.size > wanted
  }
  return {
    rows: [...rows.values()].slice(offset, wanted).map(({ row }) => row),
    source: deps.network.roleOf(pages.source()),
    total: pages.total(),
    seen: rows.size,
    complete,
    hasMore,
  }
}
