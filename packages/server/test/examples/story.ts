/** One team's first days on the sandbox network: a success of every operation, and every refusal that the sandbox can produce. */
import type { Team, World } from '../world/world.ts'
import { exampleReceiver, makeRecorder, type Sending } from './recorder.ts'

const searchFor = (keywords: readonly string[]): Sending => ({
  body: {
    keywords,
    creditCap: 100,
    captureMode: 'depth',
    datePosted: 'PAST_WEEK',
    confirmSpend: true,
    contractVersion: '2026-11-01',
  },
})

function seed(world: World): { readonly activity: string } {
  const network = world.network
  network.seedPerson({ handle: 'ada-example', name: 'Ada Example', title: 'Head of Growth', country: 'DE' })
  network.seedPerson({ handle: 'ben-example', name: 'Ben Example', title: 'Revenue Operations Manager', country: 'GB' })
  network.seedPerson({ handle: 'quiet-example', posts: [] })
  network.seedCompany({ slug: 'acme', name: 'Acme', posts: [] })
  network.seedPost({
    author: 'jane-doe',
    text: 'What we learnt about growth marketing this year',
    reactions: [{ person: 'ada-example' }],
    comments: [{ person: 'ben-example', text: 'Great read' }],
  })
  network.seedPost({ author: { company: 'acme' }, text: 'We are hiring', reactions: 2 })
  network.seedSearch({
    generated: false,
    posts: [
      {
        author: 'jane-doe',
        text: 'Growth marketing and revenue operations belong together',
        reactions: [{ person: 'ada-example' }, { person: 'ben-example' }],
        comments: [],
      },
    ],
  })
  const post = network.seedPost({ author: 'joe-doe', text: 'Our roadmap', reactions: 2, comments: 1 })
  return { activity: `urn:li:activity:${post.id}` }
}

/** Plays the story; returns the recording. */
export async function playStory(world: World): Promise<unknown> {
  const { succeed, refused, recorded } = makeRecorder()
  const { activity } = seed(world)
  const team = await world.team({ name: 'Example', credits: 5_000 })
  const jane = { params: { username: 'jane-doe' } }
  const acme = { params: { username: 'acme' } }
  const hook = exampleReceiver.sent

  // The account.
  const { id: keyId } = await succeed(team, 'createKey', { body: { name: 'crm' } })
  await succeed(team, 'listKeys')
  await succeed(team, 'getCredits')
  await succeed(team, 'revokeKey', { params: { id: keyId } })

  // Tracking people and company pages.
  await refused(team, 'enrichProfile', 'lead_not_found', { body: { username: 'jane-doe' } })
  const posting = { saveTrackedProfile: true, mode: 'posts_only', postsPerSync: 5 }
  await refused(team, 'enrichProfile', 'spend_confirmation_required', { body: { username: 'jane-doe', ...posting } })
  await refused(team, 'enrichCompany', 'spend_confirmation_required', { body: { username: 'acme', ...posting } })
  await succeed(team, 'resolveProfileUrn', jane)
  const profile = await succeed(team, 'enrichProfile', { body: { username: 'jane-doe', saveTrackedProfile: true } })
  const company = await succeed(team, 'enrichCompany', { body: { username: 'acme', saveTrackedProfile: true } })
  await succeed(team, 'trackPost', { body: { postUrl: activity } })
  await world.drain()
  const follow = ({ jobId }: { jobId: string }) => succeed(team, 'getJobStatus', { params: { jobId } })
  await follow(profile)
  await follow(company)
  await succeed(team, 'editProfile', { ...jane, body: { creditCapPerSync: 200 } })
  await succeed(team, 'editCompany', { ...acme, body: { creditCapPerSync: 200 } })

  // Searches.
  await refused(team, 'trackKeyword', 'scope_required', {
    body: { keywords: ['growth'], contractVersion: '2026-11-01' },
  })
  const unconfirmed = { ...searchFor(['growth marketing']).body, confirmSpend: false }
  await refused(team, 'trackKeyword', 'spend_confirmation_required', { body: unconfirmed })
  await succeed(team, 'estimateKeyword', { body: { keywords: ['growth marketing'], creditCap: 100 } })
  const search = await succeed(team, 'trackKeyword', searchFor(['growth marketing']))
  await world.drain()
  await succeed(team, 'trackKeyword', searchFor(['growth marketing']))
  await refused(team, 'trackKeyword', 'settings_conflict', {
    body: { ...searchFor(['growth marketing']).body, datePosted: 'PAST_MONTH' },
  })
  await refused(team, 'trackKeyword', 'invalid_urn', {
    body: { ...searchFor(['growth']).body, fromPerson: ['jane-doe'] },
  })
  await refused(team, 'trackKeyword', 'invalid_contract_version', {
    body: { ...searchFor(['growth']).body, contractVersion: '2020-01-01' },
  })
  await refused(team, 'trackKeyword', 'no_capture_target', {
    body: { ...searchFor(['growth']).body, captureEngagers: false },
  })
  const ofSearch = { params: { id: search.id } }
  await succeed(team, 'editKeyword', { ...ofSearch, body: { creditCap: 80 } })
  await refused(team, 'editKeyword', 'spend_confirmation_required', { ...ofSearch, body: { creditCap: 900 } })
  await succeed(team, 'getKeywordSync', ofSearch)
  await succeed(team, 'listKeptPosts', ofSearch)

  // Sources.
  const { sources } = await succeed(team, 'listSources')
  const person = sources.find(({ username }: { username: string }) => username === 'jane-doe')
  const ofSource = { params: { id: person.id as string } }
  for (const [id, sending] of [
    ['getProfileSync', jane],
    ['getCompanySync', acme],
    ['getSourceSync', ofSource],
  ] as const)
    await succeed(team, id, sending)
  const sync = await succeed(team, 'startSourceSync', { ...ofSource, body: {} })
  await world.drain()
  await follow(sync)
  const delivery = { body: { webhookUrl: hook, autoSend: false } }
  const rules = { body: { rules: [{ column: 'jobTitle', operator: 'contains', value: 'growth' }], matchMode: 'all' } }
  for (const [family, sending] of [
    ['Profile', jane],
    ['Company', acme],
    ['Source', ofSource],
    ['Keyword', ofSearch],
  ] as const) {
    if (family === 'Profile') await refused(team, 'pushProfile', 'no_webhook', { ...sending, body: {} })
    await succeed(team, `update${family}Webhook`, { ...sending, ...delivery })
    await succeed(team, `get${family}Webhook`, sending)
    await succeed(team, `update${family}Icp`, { ...sending, ...rules })
    await succeed(team, `get${family}Icp`, sending)
    const { pushId } = await succeed(team, `push${family}`, { ...sending, body: {} })
    // After everything was delivered, because the progress before varies.
    await world.drain()
    await succeed(team, 'getPush', { params: { pushId } })
  }

  // Posts and their engagement.
  const posts = { query: { posts: 2 } }
  await refused(team, 'readProfilePosts', 'spend_confirmation_required', { ...jane, ...posts })
  await refused(team, 'readCompanyPosts', 'spend_confirmation_required', { ...acme, ...posts })
  await succeed(team, 'readProfilePosts', { ...jane, query: { posts: 2, confirmSpend: true } })
  await succeed(team, 'readCompanyPosts', { ...acme, query: { posts: 2, confirmSpend: true } })
  const jobs = [
    await succeed(team, 'fetchProfilePosts', { body: { username: 'jane-doe', limit: 2 } }),
    await succeed(team, 'fetchCompanyPosts', { body: { username: 'acme', limit: 2 } }),
    await succeed(team, 'fetchPostReactions', { body: { postUrn: activity } }),
    await succeed(team, 'fetchPostComments', { body: { postUrn: activity, size: 10 } }),
    await succeed(team, 'fetchCompanyPostComments', { body: { postUrn: activity, size: 10 } }),
  ]
  await world.drain()
  for (const job of jobs) await follow(job)
  await succeed(team, 'enrichProfile', {
    body: { username: 'quiet-example', ...posting, confirmSpend: true },
  })
  await world.drain()
  const quiet = (await team.get('/sources')).body.sources.find(
    ({ username }: { username: string }) => username === 'quiet-example',
  )
  await succeed(team, 'listSourcePosts', { params: { id: quiet.id } })
  await refused(team, 'editProfile', 'spend_confirmation_required', {
    params: { username: 'quiet-example' },
    body: { mode: 'engagers' },
  })

  // Leads.
  const { leads } = await succeed(team, 'listLeads', { query: { limit: 2, username: 'jane-doe' } })
  await succeed(team, 'explainLead', { params: { leadId: leads[0].id } })
  await succeed(team, 'listEngagers', { query: { limit: 2, jobTitle: 'growth' } })
  await playExclusions(team, succeed)
  await succeed(team, 'enrichProfile', {
    body: {
      username: 'raw-example',
      saveTrackedProfile: true,
      enrichLeads: false,
      firstSyncPosts: 1,
      creditCapPerSync: 5,
    },
  })
  await world.drain()
  await succeed(team, 'listRawLeads', { query: { limit: 2 } })

  // Discover.
  const topic = { keywords: ['growth marketing'], maxInfluencers: 5 }
  await refused(team, 'startDiscover', 'spend_confirmation_required', { body: topic })
  const run = await succeed(team, 'startDiscover', { body: { ...topic, confirmSpend: true } })
  await world.drain()
  await succeed(team, 'getDiscoverRun', { params: { id: run.id } })
  await succeed(team, 'listDiscoverRuns')
  await succeed(team, 'deleteDiscoverRun', { params: { id: run.id } })

  await playAgent(world, team, { succeed, refused })
  await playOutreach(world, team, { succeed, refused }, { sourceId: person.id, leadId: leads[0].id })
  await succeed(team, 'getRetention')
  await succeed(team, 'updateRetention', { body: { keepLeadsDays: 365, keepUnfitDays: 90 } })
  await succeed(team, 'getCreditsUsage', { query: { from: '2026-11-01T00:00:00.000Z' } })
  await playLedger(team, { succeed, refused }, { sourceId: person.id })
  await playRefusals(world, team, refused, { searchId: search.id })
  await playDestinations(world, team, { succeed, refused })
  await playPrivacy(team, { succeed })

  // The end.
  await succeed(team, 'untrackPost', { params: { urn: activity } })
  await succeed(team, 'untrackKeyword', ofSearch)
  await succeed(team, 'untrackCompany', acme)
  await succeed(team, 'untrackProfile', jane)
  return recorded()
}

async function playLedger(
  team: Team,
  { succeed, refused }: Recorder,
  { sourceId }: { sourceId: string },
): Promise<void> {
  await succeed(team, 'listLedgerEntries', { query: { sourceId, limit: 3 } })
  await succeed(team, 'getLedgerSummary', { query: { groupBy: 'source', limit: 3 } })
  await succeed(team, 'getCreditStatement', { query: { month: '2026-11' } })
  const { entries } = (await team.get('/credits/ledger?kind=charge&limit=1')).body
  const dispute = { body: { entryId: entries[0].id, reason: 'own_staff' } }
  await succeed(team, 'disputeCharge', dispute)
  await refused(team, 'disputeCharge', 'already_disputed', dispute)
  await succeed(team, 'getSourceOverlap')
  await succeed(team, 'getSourceCoverage', { params: { id: sourceId }, query: { limit: 3 } })
  await succeed(team, 'getFreshness')
}

type Recorder = Pick<ReturnType<typeof makeRecorder>, 'succeed' | 'refused'>

async function playAgent(world: World, team: Team, { succeed, refused }: Recorder): Promise<void> {
  await refused(team, 'pushAgent', 'agent_not_found', { body: {} })
  await succeed(team, 'updateAgent', { body: { website: 'https://www.example.com', titles: ['Head of Growth'] } })
  await refused(team, 'startAgent', 'agent_no_topics', { body: { confirmSpend: true } })
  await succeed(team, 'updateAgent', { body: { topics: ['growth marketing'] } })
  await refused(team, 'startAgent', 'agent_daily_credits_required', { body: { confirmSpend: true } })
  await refused(team, 'startAgent', 'spend_confirmation_required', { body: { dailyCredits: 100 } })
  await refused(team, 'startAgent', 'unknown_field', { body: { daily: 100 } })
  await succeed(team, 'startAgent', { body: { dailyCredits: 100, confirmSpend: true } })
  await world.drain()
  await succeed(team, 'getAgent')
  await succeed(team, 'listAgentLeads', { query: { limit: 2 } })
  await team.put('/agent', { webhook: { url: exampleReceiver.sent, autoSend: false } })
  await succeed(team, 'pushAgent', { body: {} })
  await succeed(team, 'stopAgent', { body: {} })

  const poor = await world.team({ credits: 0 })
  world.network.seedPerson({ handle: 'taken-topic', posts: [] })
  await poor.post('/enrich/profile', { username: 'taken-topic', saveTrackedProfile: true })
  await poor.put('/agent', { topics: ['taken-topic'], dailyCredits: 100 })
  await refused(poor, 'startAgent', 'agent_not_started', { body: { confirmSpend: true } })
}

async function playExclusions(team: Team, succeed: Recorder['succeed']): Promise<void> {
  await succeed(team, 'addExclusions', {
    body: {
      list: 'customers',
      entries: [{ kind: 'domain', value: 'www.acme.example', reason: 'Customer since 2024' }],
    },
  })
  const { entries } = await succeed(team, 'listExclusions', { query: { limit: 2 } })
  await succeed(team, 'removeExclusion', { params: { id: entries[0].id } })
  await succeed(team, 'updateExclusionSettings', { body: { repliedElsewhere: true } })
  await succeed(team, 'getExclusionSettings')
  await succeed(team, 'listWebhookDeliveries', { query: { limit: 2 } })
}

async function playOutreach(
  world: World,
  team: Team,
  { succeed, refused }: Recorder,
  { sourceId, leadId }: { sourceId: string; leadId: string },
): Promise<void> {
  await refused(team, 'listCampaigns', 'not_connected')
  const store = (key: string) => world.operator('PUT', `/operator/teams/${team.id}/credentials/outreach`, { key })
  const key = 'outreach-key-of-the-example'
  await store(key)
  const campaign = (about: Record<string, unknown> = {}) =>
    String(world.network.outreach.seedCampaign({ key, name: 'Autumn', ...about }).id)
  const campaignId = campaign()
  await succeed(team, 'getOutreach')
  await succeed(team, 'listCampaigns')
  const send = (to: string) => ({ body: { campaignId: to, leadIds: [leadId] } })
  await refused(team, 'sendLeads', 'campaign_closed', send(campaign({ status: 'FINISHED' })))
  await refused(team, 'sendLeads', 'no_senders', send(campaign({ accountIds: [] })))
  await refused(team, 'sendLeads', 'campaign_not_found', send('999999'))
  await refused(team, 'sendLeads', 'no_enriched_lead', {
    body: { campaignId, leadIds: ['019aa2f1-7c00-7000-8000-00000000dead'] },
  })
  world.network.fault({ kind: 'status_503', vendor: 'heyreach' })
  await refused(team, 'listCampaigns', 'outreach_unavailable')
  world.network.clearFaults()
  await succeed(team, 'sendLeads', send(campaignId))
  await succeed(team, 'rotateResultsSecret')
  await succeed(team, 'recordResults', {
    body: {
      results: [
        { leadId, outcome: 'replied', externalId: 'reply-1' },
        { leadId, outcome: 'won', amount: 4_900, currency: 'EUR', externalId: 'crm-4711' },
      ],
    },
  })
  await succeed(team, 'getResultsSummary', { query: { groupBy: 'source' } })
  await succeed(team, 'listResultSuggestions')
  await succeed(team, 'updateSourceOutreach', { params: { id: sourceId }, body: { campaignId, autoSend: true } })
  await succeed(team, 'getSourceOutreach', { params: { id: sourceId } })
  await store('bad-key')
  await refused(team, 'listCampaigns', 'outreach_key_rejected')
}

async function playDestinations(world: World, team: Team, { succeed, refused }: Recorder): Promise<void> {
  const { id } = await succeed(team, 'createDestination', {
    body: {
      kind: 'slack',
      name: 'Sales channel',
      settings: {},
      credentials: { webhookUrl: 'https://hooks.slack.com/services/T0001/B0001/example' },
      icpOnly: true,
    },
  })
  const connecting = (token: string) => ({
    body: {
      kind: 'slack',
      name: 'Channel',
      settings: {},
      credentials: { webhookUrl: `https://hooks.slack.com/services/T0001/B0001/${token}` },
    },
  })
  await refused(team, 'createDestination', 'credentials_rejected', connecting('revoked'))
  await refused(team, 'createDestination', 'scope_missing', connecting('prohibited'))
  await refused(team, 'createDestination', 'destination_setup_missing', connecting('archived'))
  const params = { id }
  await succeed(team, 'updateDestination', { params, body: { icpOnly: false } })
  await succeed(team, 'checkDestination', { params, body: {} })
  await succeed(team, 'testDestination', { params, body: {} })
  await succeed(team, 'listDestinationFields', { params })
  await succeed(team, 'pushDestination', { params, body: {} })
  await world.drain()
  await succeed(team, 'listDestinations')
  await succeed(team, 'getDestination', { params })
  const { deliveries } = await succeed(team, 'listDestinationDeliveries', { params, query: { limit: 2 } })
  await succeed(team, 'retryDestinationDelivery', { params: { id, deliveryId: deliveries[0].id }, body: {} })
  await succeed(team, 'deleteDestination', { params })
  const hook = await succeed(team, 'createHook', {
    body: { targetUrl: exampleReceiver.sent, event: 'lead.detected' },
  })
  await succeed(team, 'listHooks')
  await succeed(team, 'sampleHook', { query: { event: 'lead.detected' } })
  await succeed(team, 'deleteHook', { params: { id: hook.id } })
  const file = await succeed(team, 'createExport', { body: { format: 'csv', preset: 'hubspot' } })
  await world.drain()
  await succeed(team, 'getExport', { params: { id: file.id } })
}

async function playPrivacy(team: Team, { succeed }: Pick<Recorder, 'succeed'>): Promise<void> {
  const { people } = await succeed(team, 'searchPeople', {
    query: { query: 'https://www.linkedin.com/in/ada-example' },
  })
  await succeed(team, 'exportPerson', { params: { personId: people[0].personId } })
  const objects = { body: { profileUrl: 'https://www.linkedin.com/in/ben-example' } }
  await succeed(team, 'createObjection', objects)
  await succeed(team, 'createObjection', objects)
  const asked = { body: { profileUrl: 'https://www.linkedin.com/in/ada-example', reason: 'asked by mail' } }
  const { id } = await succeed(team, 'createErasure', asked)
  await succeed(team, 'createErasure', asked)
  await succeed(team, 'getErasure', { params: { id } })
  await succeed(team, 'listErasures')
}

async function playRefusals(
  world: World,
  team: Team,
  refused: Recorder['refused'],
  { searchId }: { searchId: string },
): Promise<void> {
  const nobody = { params: { username: 'nobody-tracks-me' } }
  await refused(team, 'listSources', 'missing_key', { key: null })
  await refused(team, 'listSources', 'invalid_key_header', { key: 'cs_unknown' })
  await refused(team, 'listLeads', 'invalid_request', { query: { limit: 0 } })
  await refused(team, 'enrichProfile', 'invalid_json', { raw: '{' })
  await refused(team, 'enrichProfile', 'renamed_field', { body: { username: 'jane-doe', creditCap: 5 } })
  await refused(team, 'createKey', 'idempotency_key_invalid', {
    body: { name: 'crm' },
    headers: { 'idempotency-key': 'x'.repeat(256) },
  })
  const headers = { 'idempotency-key': 'one-key' }
  await team.call('POST', '/keys', { name: 'once' }, { headers })
  await refused(team, 'createKey', 'idempotency_key_reused', { body: { name: 'twice' }, headers })
  await refused(team, 'createKey', 'body_too_large', { raw: JSON.stringify({ name: 'x'.repeat(300_000) }) })
  await refused(team, 'getProfileSync', 'not_tracked', nobody)
  await refused(team, 'getJobStatus', 'not_found', { params: { jobId: '019aa2f1-7c00-7000-8000-00000000dead' } })
  await refused(team, 'startSourceSync', 'keyword_not_syncable', { params: { id: searchId }, body: {} })
  await refused(team, 'resolveProfileUrn', 'profile_not_found', { params: { username: 'nobody-here' } })
  await refused(team, 'readCompanyPosts', 'company_not_found', {
    params: { username: 'nobody-here' },
    query: { posts: 1, confirmSpend: true },
  })
  await refused(team, 'enrichCompany', 'identifier_in_use', {
    body: { username: 'jane-doe', saveTrackedProfile: true },
  })
  world.network.fault({ kind: 'status_503' })
  await refused(team, 'resolveProfileUrn', 'provider_unavailable', { params: { username: 'somebody-else' } })
  await refused(team, 'trackPost', 'post_resolve_failed', { body: { postUrl: 'urn:li:activity:7395000000000000123' } })
  world.network.clearFaults()
  for (let made = 0; made < 10; made++) await team.post('/keys', { name: `key ${made}` })
  await refused(team, 'createKey', 'key_limit_reached', { body: { name: 'one too many' } })

  const poor = await world.team({ credits: 0 })
  await refused(poor, 'readProfilePosts', 'insufficient_enriching_credits', {
    params: { username: 'jane-doe' },
    query: { posts: 2, confirmSpend: true },
  })
  const hasty = await world.team({ limits: { reads: 1 } })
  await hasty.get('/credits')
  await refused(hasty, 'getCredits', 'rate_limited')
  const lapsed = await world.team({ status: 'expired' })
  await refused(lapsed, 'getCredits', 'team_inactive')
  const trial = await world.team({ status: 'trial' })
  world.network.seedPerson({ handle: 'trial-example', posts: [] })
  await trial.post('/enrich/profile', { username: 'trial-example', saveTrackedProfile: true })
  await refused(trial, 'untrackProfile', 'trial_source', { params: { username: 'trial-example' } })
  await trial.put('/agent', { topics: ['growth'] })
  await refused(trial, 'updateAgent', 'trial_agent_limit', { body: { create: true, website: 'example.com' } })
  const plain = await world.team({})
  await plain.post('/enrich/profile', { username: 'trial-example', saveTrackedProfile: true })
  await plain.change({ captureAllowed: false })
  const [source] = (await plain.get('/sources')).body.sources
  await refused(plain, 'startSourceSync', 'capture_not_allowed', { params: { id: source.id }, body: {} })
}
