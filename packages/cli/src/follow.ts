import type { OperationOf, Result } from '@les/contract'
import type { Entry } from './catalogue/entry.ts'
import { entryOf } from './catalogue/load.ts'
import type { Json } from './output/rows.ts'

export type Follow = {
  readonly entry: Entry
  readonly input: Json
  readonly isDone: (value: Json) => boolean
  readonly failure: (value: Json) => string | undefined
  readonly progress: (value: Json) => string
}

type Kind = Pick<Follow, 'isDone' | 'failure' | 'progress'>

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const errorOf = (value: unknown): string =>
  textOf((value as { error?: unknown } | null | undefined)?.error) ?? 'no reason was given'

type SyncStatus = Result<OperationOf<'getSourceSync'>>

const barWidth = 20

function bar(done: number, all: number): string {
  const filled = !(all > 0) ? 0 : Math.max(0, Math.min(barWidth, Math.round((done / all) * barWidth)))
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`
}

/** The bar shows posts while a sync captures, then leads while it enriches. */
function progressLine({ state, progress, capture, enrichment }: SyncStatus): string {
  const open = state === 'enriching' ? progress.leadsEnriched + enrichment.pending : progress.postsTotal
  const done = state === 'enriching' ? progress.leadsEnriched : progress.postsProcessed
  const credits = capture.creditsSpent === null ? '' : ` · ${capture.creditsSpent} credits`
  return `${state.padEnd(10)} ${bar(done, open)} ${progress.leadsCaptured} captured · ${progress.leadsEnriched} enriched${credits}`
}

const job: Kind = {
  isDone: ({ status }) => status === 'completed' || status === 'failed',
  failure: ({ status, error }) => (status === 'failed' ? `the job failed: ${errorOf(error)}` : undefined),
  progress: ({ jobId }) => `waiting for job ${String(jobId)}`,
}

const sync: Kind = {
  isDone: ({ isFinal, state }) => isFinal === true || state === 'idle',
  failure: ({ state, error, errorCode }) => {
    if (state === 'failed') return `the sync failed: ${textOf(error) ?? textOf(errorCode) ?? 'no reason was given'}`
    return state === 'untracked' ? 'the source was untracked while it synced' : undefined
  },
  progress: (value) => progressLine(value as unknown as SyncStatus),
}

const push: Kind = {
  isDone: ({ finished }) => finished === true,
  failure: () => undefined,
  progress: ({ counts, total }) => {
    const { delivered = 0, failed = 0, held = 0 } = (counts ?? {}) as Record<string, number>
    return `pushing    ${bar(delivered + failed, Number(total))} ${delivered} delivered · ${failed} failed · ${held} held`
  },
}

const discover: Kind = {
  isDone: ({ state }) => state !== 'running',
  failure: ({ state, error }) => (state === 'failed' ? `the search failed: ${errorOf(error)}` : undefined),
  progress: ({ found, maxInfluencers }) =>
    `searching  ${bar(Number(found), Number(maxInfluencers))} ${String(found)} people added`,
}

const agent: Kind = {
  isDone: ({ firstRun }) => (firstRun as { done?: unknown } | undefined)?.done === true,
  failure: () => undefined,
  progress: ({ firstRun, checked }) => {
    const { sourcesDone = 0, sourcesTotal = 0 } = (firstRun ?? {}) as Record<string, number>
    return `first run  ${bar(sourcesDone, sourcesTotal)} ${sourcesDone} of ${sourcesTotal} sources · ${String(checked)} people`
  },
}

/** Reads that `--wait` repeats until the work is done. */
const reads: Readonly<Record<string, Kind>> = {
  getJobStatus: job,
  getProfileSync: sync,
  getCompanySync: sync,
  getKeywordSync: sync,
  getSourceSync: sync,
  getPush: push,
  getDiscoverRun: discover,
}

const follow = (id: string, kind: Kind, input: Json): Follow => ({ entry: entryOf(id), input, ...kind })

/** True for operations that start background work or read its progress. */
export function canWait(entry: Entry): boolean {
  return entry.method === 'GET' ? entry.id in reads : endingsOf(entry).length > 0
}

/** Other reads whose answer `--wait` may print at the end. */
export function endingsOf({ id, method, answer }: Entry): Entry[] {
  if (method === 'GET') return []
  const byField = [
    ['jobId', 'getJobStatus'],
    ['syncId', 'getSourceSync'],
    ['pushId', 'getPush'],
  ]
    .filter(([field]) => answer.fields.includes(field!))
    .map(([, read]) => read!)
  return [
    ...byField,
    ...(id === 'startDiscover' ? ['getDiscoverRun'] : []),
    ...(id === 'startAgent' ? ['listAgentLeads'] : []),
  ].map(entryOf)
}

/** The work that a read reports. */
export function followOf(entry: Entry, input: Json): Follow | undefined {
  const kind = reads[entry.id]
  return kind && entry.method === 'GET' ? { entry, input, ...kind } : undefined
}

function syncOf({ path }: Entry, input: Json, { sourceId, syncId }: Json): Follow | undefined {
  if (typeof syncId !== 'string') return undefined
  if (typeof sourceId === 'string') return follow('getSourceSync', sync, { id: sourceId })
  const company = path.startsWith('/company') || path === '/enrich/company'
  return typeof input.username === 'string'
    ? follow(company ? 'getCompanySync' : 'getProfileSync', sync, { username: input.username })
    : undefined
}

/** The work that an answer starts, in the order it happens. */
export function workOf(entry: Entry, input: Json, answer: Json): Follow[] {
  const { jobId, pushId, id } = answer
  const agentId = (answer.agent as { id?: unknown } | undefined)?.id
  return [
    typeof jobId === 'string' ? follow('getJobStatus', job, { jobId }) : undefined,
    syncOf(entry, input, answer),
    typeof pushId === 'string' ? follow('getPush', push, { pushId }) : undefined,
    entry.id === 'startDiscover' && typeof id === 'string' ? follow('getDiscoverRun', discover, { id }) : undefined,
    entry.id === 'startAgent' && typeof agentId === 'string'
      ? follow('listAgentLeads', agent, { agentId, limit: 1 })
      : undefined,
  ].filter((each) => each !== undefined)
}

/** The command that waits for the same work later. */
export function resumeCommand({ entry, input }: Follow): string {
  const wait = entry.id in reads ? ' --wait' : ''
  return ['les', ...entry.words, ...entry.positionals.map((name) => String(input[name]))].join(' ') + wait
}
