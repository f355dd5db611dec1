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

/** The rows asked for. */
export type Window = {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly source: 'primary' | 'fallback'
  readonly total: number | null
  /** Rows read from the start of the list. */
  readonly seen: number
  /** True when the list was read to its end. */
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
  const blocked = await blockList.findBlocked(
    tx.db,
    teamId,
    people.filter((person) => person !== undefined),
  )
  return items.filter((_item, place) => people[place] === undefined || !blocked.has(people[place]))
}

class Reading {
  private readonly deps: WindowDeps
  private readonly request: WindowRequest
  private readonly endMs: number
  private readonly pages: KeptPage<KeptRow>[]
  source: VendorId | undefined

  constructor(
    deps: WindowDeps,
    request: WindowRequest,
    { source, pages }: { source: VendorId | undefined; pages: KeptPage<KeptRow>[] },
  ) {
    this.deps = deps
    this.request = request
    this.source = source
    this.pages = pages
    this.endMs = deps.system.nowMs() + longestMs
  }

  get total(): number | null {
    return this.pages[0]?.total ?? null
  }

  /** Most rows this read can have, with all replies: what the vendor declares, or has served if that is more. */
  get maxRows(): number {
    const served = this.pages.reduce((sum, page) => sum + page.items.length, 0)
    const entries = Math.max(served, Math.min(this.total ?? Number.POSITIVE_INFINITY, maxPages * pageRows))
    return this.request.includeReplies ? entries * (1 + maxReplyPages * pageRows) : entries
  }

  private left(operation: string): CallOptions {
    const timeoutMs = this.endMs - this.deps.system.nowMs()
    if (timeoutMs <= 0)
      throw new ProviderFailure({
        provider: this.source ?? 'network',
        operation,
        kind: 'unavailable',
        message: `${operation}: took longer than ${longestMs} ms`,
      })
    return { timeoutMs }
  }

  async page(number: number): Promise<KeptPage<KeptRow> | undefined> {
    const kept = this.pages[number]
    if (kept) return this.request.includeReplies && kept.replies.length > 0 ? this.fillReplies(kept) : kept
    const before = this.pages.at(-1)
    if (number >= maxPages || (before && before.next === null)) return undefined
    const { kind, ask } = this.request
    const cursor = before ? before.next! : firstPage
    const { page, rows, replies } = await ask(
      this.source === undefined ? null : { from: this.source, cursor },
      this.left(kind),
    )
    this.source = page.source
    const made: KeptPage<KeptRow> = { number, items: rows, replies, next: page.next, total: page.total }
    this.pages[number] = await this.deps.unitOfWork(async (tx) => {
      const kept = { ...made, items: await this.withoutErased(tx, made.items) }
      await savePage(tx, { ...readOf(this.request), provider: page.source }, kept)
      return kept
    })
    return this.page(number)
  }

  private async fillReplies(page: KeptPage<KeptRow>): Promise<KeptPage<KeptRow>> {
    let filled = page
    try {
      for (const ref of page.replies) {
        const replies = await this.repliesOf(ref)
        filled = {
          ...filled,
          items: withReplies(filled.items, ref.commentId, replies),
          replies: filled.replies.slice(1),
        }
      }
    } finally {
      // Keeps what was read, also when the rest failed.
      this.pages[page.number] = filled
      const done = filled
      if (done !== page)
        await this.deps.unitOfWork(async (tx) => {
          const kept = { ...done, items: await this.withoutErased(tx, done.items) }
          await saveReplies(tx, { ...readOf(this.request), provider: this.source! }, kept)
        })
    }
    return filled
  }

  private withoutErased(tx: Tx, items: readonly KeptRow[]): Promise<KeptRow[]> {
    const { blockList } = this.deps
    return withoutErasedRows(tx, { blockList, teamId: this.request.teamId }, { items, rowOf: ({ row }) => row })
  }

  private async repliesOf(ref: RepliesRef): Promise<Comment[]> {
    const replies: Comment[] = []
    let at: RepliesRef | null = ref
    for (let asked = 0; at !== null && asked < maxReplyPages; asked += 1) {
      const page: Page<Comment> = await this.deps.network.replies(
        this.request.post,
        this.source!,
        at,
        this.left('replies'),
      )
      replies.push(...(await withoutBlocked(this.deps, this.request.teamId, page.items)))
      at = page.next === null ? null : { commentId: ref.commentId, cursor: page.next }
    }
    return replies
  }
}

/** Reads a window of a vendor's rows; a row that a shifted page repeats counts once. Throws `ProviderFailure`. */
export async function readWindow(deps: WindowDeps, request: WindowRequest): Promise<Window> {
  const { now, offset, count, includeReplies } = request
  const read = readOf(request)
  // The vendor of page 0 serves the rest: page sizes and order differ, and a mix would show some people twice and leave others
  // out.
  const source = (await findWhoServed(deps.db, read, now)) ?? request.from
  const pages = source === undefined ? [] : await listKeptPages<KeptRow>(deps.db, { ...read, provider: source }, now)
  const reading = new Reading(deps, request, { source, pages })
  const rows = new Map<string, KeptRow>()
  const wanted = offset + count
  let [hasMore, complete] = [false, false]
  for (let number = 0; !hasMore; number += 1) {
    const page = await reading.page(number).catch((error: unknown) => {
      // The window is full, and the vendor has said that the list goes on.
      if (error instanceof ProviderFailure && rows.size === wanted && number > 0) return 'unknown' as const
      throw error
    })
    // Beyond `maxRows`, nothing is fetched that could not be shown.
    complete = page === undefined
    if (page === undefined || offset >= reading.maxRows) break
    if (page !== 'unknown')
      for (const row of page.items)
        if ((includeReplies || row.parent === null) && !rows.has(row.key)) rows.set(row.key, row)
    hasMore = page === 'unknown' || rows.size > wanted
  }
  return {
    rows: [...rows.values()].slice(offset, wanted).map(({ row }) => row),
    source: deps.network.roleOf(reading.source ?? firstVendor),
    total: reading.total,
    seen: rows.size,
    complete,
    hasMore,
  }
}
