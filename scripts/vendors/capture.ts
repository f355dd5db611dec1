import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { differences } from '../../packages/server/test/providers/recorded-shapes.ts'
import type { NetworkVendor } from '../../packages/server/src/providers/accounts.ts'
import { type PageCursor, ProviderFailure } from '../../packages/server/src/providers/ports.ts'
import { costOf, type Exchange } from './proxy.ts'
import { scrub } from './scrub.ts'
import { dearestOf, vendorNamed } from './settings.ts'

export const recordedFolder = join(import.meta.dirname, '../../packages/server/test/providers/recorded')

/** Whom and what to look up: a person and a page that post, and a word in posts. */
export type Subject = { readonly handle: string; readonly company: string; readonly term: string }

export type Captured = {
  readonly operations: readonly string[]
  readonly leftOut: readonly string[]
  readonly dollars: number
  readonly balance: { readonly before: number | null; readonly after: number | null }
  readonly differences: Readonly<Record<string, readonly string[]>>
}

type Step = readonly [name: string, calls: number, work: () => Promise<unknown>]

/**
 * Records one answer of each operation within `dollars`, without people, to `folder` if given, and reports differences from our
 * recordings. `exchanges` are those of the proxy in front of the vendor.
 */
export async function capture(options: {
  readonly vendor: NetworkVendor
  readonly exchanges: readonly Exchange[]
  readonly priceOf: (path: string) => number
  readonly dollars: number
  readonly subject: Subject
  readonly folder: string | null
  readonly today: string
  readonly say: (line: string) => void
}): Promise<Captured> {
  const { vendor, exchanges, subject, say } = options
  const name = vendorNamed(vendor.account.vendor)
  const balanceOf = async () => (await vendor.account.report()).balance
  const before = await balanceOf()
  const from = exchanges.length
  const spent = () => exchanges.slice(from).reduce((sum, one) => sum + costOf(one, options.priceOf), 0)
  const leftOut: string[] = []
  for (const [what, calls, work] of stepsOf(vendor, subject)) {
    // A call may be tried three times.
    if (spent() + calls * 3 * dearestOf(name) > options.dollars) {
      leftOut.push(what)
      continue
    }
    await work().catch((error: unknown) => {
      if (!(error instanceof ProviderFailure)) throw error
      say(`${what}: ${error.message}`)
    })
  }
  const seen = new Map<string, Exchange>()
  for (const one of exchanges.slice(from))
    if (!/credits|users-/.test(one.operation) && (!seen.has(one.operation) || seen.get(one.operation)!.status !== 200))
      seen.set(one.operation, one)
  const found: Record<string, readonly string[]> = {}
  for (const [operation, exchange] of seen) {
    const answer = {
      name: 'captured',
      seen: 'taken with a key of its user',
      at: options.today,
      status: exchange.status,
    }
    const body = scrub(exchange.body)
    if (exchange.status === 200) found[operation] = differencesOf(name, operation, exchange.body)
    if (options.folder === null) continue
    mkdirSync(join(options.folder, name), { recursive: true })
    const file = { operation, answers: [{ ...answer, body }] }
    writeFileSync(join(options.folder, name, `${operation}.json`), `${JSON.stringify(file, null, 1)}\n`)
  }
  return {
    operations: [...seen.keys()].sort(),
    leftOut,
    dollars: spent(),
    balance: { before, after: await balanceOf() },
    differences: found,
  }
}

/** Operations with posts of the same shape: fields seen in one may appear in the others. */
const postLists: readonly (readonly string[])[] = [
  ['profile-posts', 'company-posts', 'post-search'],
  ['posts-all', 'companies-company-posts'],
]

type Body = Readonly<Record<string, unknown>>
const rowsOf = (body: Body): Body[] => (Array.isArray(body.elements) ? (body.elements as Body[]) : [])

/** How an answer differs from the operation's recorded successes; says so when there are none. */
export function differencesOf(vendor: string, operation: string, body: unknown): readonly string[] {
  const names = readdirSync(join(recordedFolder, vendor))
  if (!names.includes(`${operation}.json`)) return ['no recording of this operation']
  const alike = postLists.find((list) => list.includes(operation)) ?? [operation]
  const known = [...alike.flatMap((one) => successesOf(vendor, one)), ...singlePosts(vendor, operation)]
  if (alike.length === 1 || typeof body !== 'object' || body === null) return differences(body, known)
  // A reposted post is nested and has fewer fields than a top-level one.
  const inside = (row: Body): Body[] =>
    typeof row.repost === 'object' && row.repost !== null ? [row.repost as Body] : []
  const without = (one: Body): Body =>
    'elements' in one ? { ...one, elements: rowsOf(one).map((row) => ({ ...row, repost: null })) } : one
  const every = known.flatMap((one) => rowsOf(one).flatMap((row) => [row, ...inside(row)]))
  return [
    ...differences(without(body as Body), known.map(without)),
    ...differences({ elements: rowsOf(body as Body).flatMap(inside) }, [{ elements: every }]).filter(
      (line) => !line.endsWith('is missing'),
    ),
  ]
}

/** A single post may show anything that a row of a list has shown: a video, a poll, a reposter. */
function singlePosts(vendor: string, operation: string): Body[] {
  if (vendor !== 'harvestapi' || operation !== 'post') return []
  const [like] = successesOf(vendor, operation)
  const rows = postLists[0]!.flatMap((one) => successesOf(vendor, one).flatMap(rowsOf))
  return rows.map((element) => ({ ...like, element }))
}

function successesOf(vendor: string, operation: string): Body[] {
  const { answers } = JSON.parse(readFileSync(join(recordedFolder, vendor, `${operation}.json`), 'utf8')) as {
    answers: { status: number; body: Body }[]
  }
  return answers
    .filter(({ status, body }) => status === 200 && (body.success === true || body.error === null))
    .map(({ body }) => body)
}

function stepsOf(vendor: NetworkVendor, { handle, company, term }: Subject): Step[] {
  let urn: string | null = null
  let page: string | null = null
  let post: { urn: string; url: string } | null = null
  let more: { commentId: string; cursor: PageCursor } | undefined
  const ofPost =
    <T>(work: (post: { urn: string; url: string }) => Promise<T>) =>
    async () =>
      post === null ? null : work(post)
  return [
    ['the id of a person', 1, async () => (urn = (await vendor.resolveHandle(handle)).urn)],
    ['a profile', 1, () => vendor.profile(urn === null ? { handle } : { urn })],
    [
      'posts of a person',
      1,
      async () => (post = (await vendor.posts({ kind: 'person', handle, urn }, null)).items[0] ?? null),
    ],
    ['a company by its name', 1, async () => (page = (await vendor.company({ slug: company })).urn)],
    ['a company by its number', 1, async () => (page === null ? null : vendor.company({ urn: page }))],
    ['posts of a company', 2, () => vendor.posts({ kind: 'company', slug: company, urn: null }, null)],
    ['a post', 1, ofPost((one) => vendor.post(one.urn))],
    ['reactions', 1, ofPost((one) => vendor.reactions(one, null))],
    ['comments', 1, ofPost(async (one) => (more = (await vendor.comments(one, null)).moreReplies[0]))],
    ['replies', 1, ofPost(async (one) => (more === undefined ? null : vendor.replies(one, more)))],
    [
      'a search',
      1,
      () =>
        vendor.searchPosts(
          { term, sort: 'DATE_POSTED', datePosted: 'PAST_WEEK', contentType: null, filters: {} },
          null,
        ),
    ],
  ]
}
