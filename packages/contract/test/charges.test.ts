import { describe, expect, it } from 'vitest'
import {
  createClient,
  errorTable,
  llmsText,
  openApi,
  registry,
  takesIdempotencyKey,
  type Operation,
  type OperationId,
} from '../src/index.ts'

/** Every operation that can cost credits, and how. A new operation must be listed here or as free. */
const charging: Readonly<Record<string, string>> = {
  enrichProfile: 'enriches leads that were given up on; tracks',
  enrichCompany: 'tracks',
  trackPost: 'tracks',
  trackKeyword: 'tracks, or resumes with a charging sweep',
  editKeyword: 'raises what a search may spend, or starts a stopped one again',
  editProfile: 'raises what a watch charges a day',
  editCompany: 'raises what a watch charges a day',
  startSourceSync: 'charged like any sync',
  readProfilePosts: 'one credit for each post returned',
  readCompanyPosts: 'one credit for each post returned',
  startDiscover: 'one credit for each person added',
  startAgent: 'starts searches, and a search for people',
}

/** Operations that never cost a credit, whatever is sent (specification «Billing rules»). */
const free: readonly string[] = `
  listSources getProfileSync getCompanySync getSourceSync getKeywordSync getProfileWebhook updateProfileWebhook
  getCompanyWebhook updateCompanyWebhook getSourceWebhook updateSourceWebhook getKeywordWebhook updateKeywordWebhook
  untrackProfile untrackCompany untrackPost untrackKeyword resolveProfileUrn getProfileIcp updateProfileIcp
  getCompanyIcp updateCompanyIcp getSourceIcp updateSourceIcp getKeywordIcp updateKeywordIcp pushProfile pushCompany
  pushSource pushKeyword getPush estimateKeyword listKeptPosts listSourcePosts fetchProfilePosts fetchCompanyPosts
  fetchPostReactions fetchPostComments fetchCompanyPostComments listLeads listRawLeads listEngagers listDiscoverRuns
  getDiscoverRun deleteDiscoverRun getOutreach listCampaigns sendLeads getSourceOutreach updateSourceOutreach getAgent
  updateAgent stopAgent listAgentLeads pushAgent getCredits createExport getExport createDestination listDestinations
  getDestination updateDestination deleteDestination testDestination checkDestination pushDestination
  listDestinationDeliveries retryDestinationDelivery listDestinationFields createHook listHooks deleteHook sampleHook
  getCreditsUsage listKeys createKey revokeKey getJobStatus addExclusions listExclusions removeExclusion recordResults
  getResultsSummary listResultSuggestions rotateResultsSecret getExclusionSettings updateExclusionSettings
  listWebhookDeliveries listLedgerEntries getLedgerSummary getCreditStatement disputeCharge getSourceOverlap
  getSourceCoverage getFreshness explainLead searchPeople exportPerson createErasure createObjection listErasures
  getErasure getRetention updateRetention
`
  .trim()
  .split(/\s+/)
const operations = registry as readonly Operation[]
const described = openApi() as {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        description: string
        'x-charges-credits'?: boolean
        parameters: { $ref?: string }[]
        responses: Record<string, { $ref?: string; headers?: object }>
      }
    >
  >
  components: {
    parameters: Record<string, { name: string; in: string; description: string }>
    responses: Record<string, { headers?: object }>
  }
}
const descriptionOf = (id: string) =>
  Object.values(described.paths)
    .flatMap((path) => Object.values(path))
    .find((each) => each.operationId === id)!

describe('what can charge', () => {
  it('is said by every operation in its own data, and every operation is on one of the two lists [G143]', () => {
    expect(operations.map(({ id }) => id).sort()).toEqual([...Object.keys(charging), ...free].sort())
    expect(
      operations
        .filter(({ charges }) => charges)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(Object.keys(charging).sort())
  })

  it('includes all that can be refused for want of a yes or of credits', () => {
    const asking = operations.filter(({ errors }) =>
      errors.some((key) => errorTable[key].code === 'spend_confirmation_required' || errorTable[key].status === 402),
    )
    expect(asking.map(({ id }) => id).filter((id) => !(id in charging))).toEqual([])
  })

  it.each(Object.keys(charging))(
    '%s is described with its key: parameter, note, marker, replay header, both refusals, and no 304 [G143]',
    (id) => {
      const description = descriptionOf(id)
      expect(description.parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' })
      expect(description.description).toMatch(/Can charge credits: send an Idempotency-Key/)
      expect(description['x-charges-credits']).toBe(true)
      expect(Object.keys(description.responses)).toEqual(expect.arrayContaining(['409', '422']))
      expect(Object.keys(description.responses)).not.toContain('304')
      for (const status of ['200', '201']) {
        const response = description.responses[status]
        if (!response) continue
        const { headers } = response.$ref ? described.components.responses[response.$ref.split('/').at(-1)!]! : response
        expect(headers).toHaveProperty('Idempotency-Replayed')
      }
    },
  )

  it('a free read is described without a key, and the texts say who takes one', () => {
    const reads = operations.filter(({ id, method }) => method === 'GET' && free.includes(id))
    for (const { id } of reads)
      expect([
        id,
        descriptionOf(id).parameters.some(({ $ref }) => $ref?.endsWith('IdempotencyKey')),
        descriptionOf(id)['x-charges-credits'],
      ]).toEqual([id, false, undefined])
    expect(described.components.parameters.IdempotencyKey).toMatchObject({
      name: 'Idempotency-Key',
      in: 'header',
      description: expect.stringContaining('every read that charges credits'),
    })
    expect(llmsText()).toContain('every read that charges, takes an Idempotency-Key')
  })
})

describe('the typed client', () => {
  const values: Readonly<Record<string, string>> = {
    username: 'jane',
    id: '0190a1b2-0000-7000-8000-000000000001',
    urn: 'urn:li:activity:7395000000000000001',
    pushId: 'p',
    leadId: '0190a1b2-0000-7000-8000-000000000004',
    jobId: 'j',
    deliveryId: '0190a1b2-0000-7000-8000-000000000003',
    personId: '0190a1b2-0000-7000-8000-000000000002',
  }
  const inputOf = ({ path }: Operation) =>
    Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, values[name!]!]))

  /** Calls an operation through a broken connection, a proxy timeout and a success; returns each try's key and the outcome. */
  async function tried(
    operation: Operation,
    idempotencyKey?: string,
  ): Promise<{ keys: (string | null)[]; answered: boolean }> {
    const keys: (string | null)[] = []
    const answers = [
      () => Promise.reject(new TypeError('fetch failed')),
      async () => Response.json({ error: 'late' }, { status: 504 }),
      async () => Response.json({}),
    ]
    const client = createClient({
      baseUrl: 'http://service.example',
      apiKey: 'k',
      retry: { sleep: async () => {} },
      fetch: async (_input, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'))
        return await answers[keys.length - 1]!()
      },
    }) as unknown as Record<OperationId, (input: object, settings?: object) => Promise<unknown>>
    const answered = await client[operation.id as OperationId](
      inputOf(operation),
      idempotencyKey === undefined ? {} : { idempotencyKey },
    ).then(
      () => true,
      () => false,
    )
    return { keys, answered }
  }

  it.each(Object.keys(charging))(
    'repeats %s under one key that nobody could guess, a new one for every call, and under the one it is given [G143]',
    async (id) => {
      const operation = operations.find((each) => each.id === id)!
      const [first, second, given] = [await tried(operation), await tried(operation), await tried(operation, 'given')]
      expect(first.answered).toBe(true)
      expect(first.keys).toHaveLength(3)
      expect(first.keys[0]).toMatch(/^[0-9a-f]{32}$/)
      expect(new Set(first.keys).size).toBe(1)
      expect(second.keys[0]).not.toBe(first.keys[0])
      expect(given).toEqual({ keys: ['given', 'given', 'given'], answered: true })
    },
  )

  it('sends no key of its own with what is free: reads are repeated, writes are not', async () => {
    for (const operation of operations.filter(({ id }) => free.includes(id))) {
      const isRead = operation.method === 'GET'
      expect([operation.id, await tried(operation)]).toEqual([
        operation.id,
        { keys: isRead ? [null, null, null] : [null], answered: isRead },
      ])
      expect([operation.id, takesIdempotencyKey(operation)]).toEqual([operation.id, !isRead])
    }
  })
})
