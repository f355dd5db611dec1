import { describe, expect, it } from 'vitest'
import { errorTable, llmsText, openApi, registry, type Operation } from '../src/index.ts'

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
