/** The main job on real keys for a while: track, capture, enrich; then what happened, and what of it nothing explains. */
import { differencesOf } from './capture.ts'
import { costOf, type Exchange } from './proxy.ts'

/** An answer of the service. */
export type Reply = { readonly status: number; readonly body: ReplyBody }

/** What of an answer's body is looked at. */
export type ReplyBody = {
  readonly code?: string
  readonly apiKey?: string
  readonly total?: number
  readonly leads?: readonly { readonly id: string; readonly enrichmentStatus: string; readonly linkedinUrl: string }[]
  readonly sources?: readonly { readonly id: string; readonly username: string; readonly type: string }[]
  readonly state?: string
  readonly isFinal?: boolean
  readonly error?: string | null
}

/** What a soak came to. */
export type Soaked = {
  readonly ended: 'done' | 'dollars' | 'minutes'
  readonly dollars: number
  readonly leads: number
  readonly enriched: number
  /** By vendor and operation: calls by status. */
  readonly calls: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Runs and leads that failed for a reason that the vendors' answers give. */
  readonly explained: readonly string[]
  readonly unexplained: readonly string[]
}

/** Who is followed. */
export type Followed = { readonly people: readonly string[]; readonly companies: readonly string[] }

type Vendor = {
  readonly name: string
  readonly exchanges: readonly Exchange[]
  readonly priceOf: (path: string) => number
}

/** Runs it through the service's own interface; `turn` lets some time pass and answers how many minutes have gone since the start. */
export async function soak(options: {
  readonly call: (method: string, path: string, body?: unknown) => Promise<Reply>
  readonly vendors: readonly Vendor[]
  readonly followed: Followed
  readonly dollars: number
  readonly minutes: number
  readonly turn: () => Promise<number>
}): Promise<Soaked> {
  const { call, vendors, followed } = options
  const unexplained: string[] = []
  const asked = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const answer = await call(method, path, body)
    if (answer.status >= 500 && answer.status !== 502) unexplained.push(`${method} ${path} answered ${answer.status}`)
    return answer
  }
  const spent = () =>
    vendors.reduce(
      (sum, { exchanges, priceOf }) => sum + exchanges.reduce((total, one) => total + costOf(one, priceOf), 0),
      0,
    )
  const families = [
    ['profile', followed.people],
    ['company', followed.companies],
  ] as const
  for (const [family, names] of families)
    for (const username of names) {
      const { status, body } = await asked('POST', `/enrich/${family}`, { username, saveTrackedProfile: true })
      if (status >= 400 && status < 500) unexplained.push(`${family} ${username} was refused: ${body.code ?? status}`)
    }
  let ended: Soaked['ended'] = 'done'
  for (;;) {
    const minutes = await options.turn()
    if (spent() >= options.dollars) ended = 'dollars'
    else if (minutes >= options.minutes) ended = 'minutes'
    else if (!(await isDone(asked))) continue
    break
  }
  // What is still under way must not go on spending.
  if (ended !== 'done')
    for (const [family, names] of families)
      for (const username of names) await asked('DELETE', `/${family}/${encodeURIComponent(username)}`)
  const refusals = vendors.flatMap(({ exchanges }) => exchanges.filter(isRefusal))
  const explained: string[] = []
  const tell = (what: string): void => void (refusals.length > 0 ? explained : unexplained).push(what)
  for (const { username, lastError } of await sourcesOf(asked))
    if (lastError) tell(`the run of ${username}: ${lastError}`)
  const all = await asked('GET', '/leads?limit=100&includeSyncing=true&includeInactive=true')
  const leads = all.body.leads ?? []
  for (const lead of leads) {
    if (lead.enrichmentStatus === 'failed') tell(`the look-up of lead ${lead.id}`)
    if (!lead.linkedinUrl) unexplained.push(`lead ${lead.id} has no address`)
  }
  for (const { name, exchanges } of vendors) unexplained.push(...shapesOf(name, exchanges))
  return {
    ended,
    dollars: spent(),
    leads: all.body.total ?? leads.length,
    enriched: leads.filter((lead) => lead.enrichmentStatus === 'completed').length,
    calls: Object.fromEntries(vendors.flatMap(({ name, exchanges }) => countsOf(name, exchanges))),
    explained,
    unexplained: [...new Set(unexplained)],
  }
}

type Asked = (method: string, path: string, body?: unknown) => Promise<Reply>
type SourceLine = { username: string; isSyncing: boolean; lastError: string | null }

async function sourcesOf(asked: Asked): Promise<SourceLine[]> {
  const { body } = await asked('GET', '/sources?includeInactive=true')
  const lines: SourceLine[] = []
  for (const { id, username, type } of body.sources ?? []) {
    const family = type === 'company' ? 'company' : 'profile'
    const sync = await asked('GET', `/${family}/${encodeURIComponent(username)}/sync`)
    const { state, isFinal, error } = sync.body
    lines.push({
      username: username ?? id,
      isSyncing: isFinal === false,
      lastError: state === 'failed' || error ? (error ?? 'it failed without a word') : null,
    })
  }
  return lines
}

async function isDone(asked: Asked): Promise<boolean> {
  const sources = await sourcesOf(asked)
  if (sources.some(({ isSyncing }) => isSyncing)) return false
  const { body } = await asked('GET', '/leads?limit=100&includeSyncing=true')
  return !(body.leads ?? []).some((lead) => ['pending', 'processing'].includes(lead.enrichmentStatus))
}

/** An answer that says no, in its status or in its body. */
function isRefusal({ status, body }: Exchange): boolean {
  if (status !== 200) return true
  const { success, error } = (typeof body === 'object' && body !== null ? body : {}) as {
    success?: unknown
    error?: unknown
  }
  return success === false || (error !== undefined && error !== null)
}

function countsOf(name: string, exchanges: readonly Exchange[]): [string, Record<string, number>][] {
  const counts = new Map<string, Record<string, number>>()
  for (const { operation, status } of exchanges) {
    const of = counts.get(`${name} ${operation}`) ?? {}
    of[String(status)] = (of[String(status)] ?? 0) + 1
    counts.set(`${name} ${operation}`, of)
  }
  return [...counts]
}

/** How successes differ from what is recorded of them, each difference once. */
function shapesOf(name: string, exchanges: readonly Exchange[]): string[] {
  const found = new Set<string>()
  for (const one of exchanges)
    if (!isRefusal(one) && !/^users-|credits/.test(one.operation))
      for (const difference of differencesOf(name, one.operation, one.body))
        found.add(`${name} ${one.operation}: ${difference}`)
  return [...found].slice(0, 50)
}
