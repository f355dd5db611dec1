/** Bodies and queries of operations: bounds, values and combinations that are invalid by themselves, written by hand. */
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { operationsById as by, sessionRegistry, type Operation } from '../src/index.ts'
import { refusals, taken } from './refusals.ts'

const uuid = '0198C3F0-5A5E-7B60-8F3E-2F6D1C0B9A77'
const text = (length: number) => 'x'.repeat(length)
const session = (id: string): Operation => sessionRegistry.find((one) => one.id === id)!

type Row = readonly [what: string, schema: z.ZodType, input: unknown, refused: readonly string[]]
const rowsOf = (what: string, schema: z.ZodType | null, rows: readonly (readonly [unknown, ...string[]])[]): Row[] =>
  rows.map(([input, ...refused]) => [what, schema!, input, refused])

const discover = (fields: object) => ({ keywords: ['sales'], ...fields })
const keywordsList = 'keywords: must be a list of 1 to 10 keywords'
const keywordText = 'keywords.0: must be text of 1 to 200 characters'
const plainWords =
  'keywords.0: must not have quotation marks or brackets: a keyword is plain words, all of which a post must have'
const country = 'countries.0: must be the name of a country, text of 1 to 100 characters'
const noControl = 'keywords.0: must not have control characters'
const send = (fields: object) => ({ campaignId: '1', leadIds: [uuid], ...fields })
const either = ': needs either `leadIds` or `people`, and not both'
const campaign = 'campaignId: must be the id of a campaign, as text'
const someone = (fields: object) => ({ campaignId: '1', people: [{ profileUrl: 'linkedin.com/in/a', ...fields }] })
const noProfile = 'people.0.profileUrl: must be the address of a profile'
const posts = 'posts: must be a whole number from 1 to 60'
const noPages = 'is not taken here: this read has no pages, send `posts` (1 to 60) instead'
const webhookObject = 'webhook: must be an object {url, autoSend, filters}, or null'
const webhookAddress = 'webhook.url: must be a public http or https URL of at most 2000 characters'
const rowsMessage = 'must be a JSON array of rows {column, operator, value}'
const noUrn = 'postUrn: must be the URN of a post: urn:li:activity:… or urn:li:ugcPost:…'
const leadColumns =
  'jobTitle, name, country, company, companyDomain, companyIndustry, companyLocation, companyEmployeeCount, ' +
  'companyStaffRange, engagementType, commentText'
const listOfRows = 'must be a list of at most 50 rows {column, operator, value}'

describe('what a request sends', () => {
  it.each<Row>([
    ...rowsOf('startDiscover [DIS-02..DIS-04, DIS-06, DIS-07, DIS-09]', by.startDiscover.body, [
      [discover({})],
      [{}, keywordsList],
      [{ keywords: [] }, keywordsList],
      [{ keywords: Array(11).fill('a') }, keywordsList],
      [{ keywords: [7] }, keywordText],
      [{ keywords: [text(201)] }, keywordText],
      [{ keywords: [' '] }, 'keywords.0: must not be blank'],
      ...['"', '“', '”', '„', '‟', '«', '»', '＂', '(', ')', '[', ']', '{', '}'].map(
        (sign) => [{ keywords: [`a ${sign}`] }, plainWords] as const,
      ),
      [{ keywords: ['a\u0000b'] }, noControl],
      [{ keywords: ['a\ud800'] }, noControl],
      [{ keywords: ['a\n\tb'] }],
      [discover({ countries: null })],
      [discover({ countries: [] })],
      [discover({ countries: [' '] }), country],
      [discover({ countries: [''] }), country],
      [discover({ countries: [7] }), country],
      [discover({ countries: [text(101)] }), country],
      [discover({ countries: ['a\u0000'] }), country],
      [discover({ countries: ['a\ud800'] }), country],
      [discover({ countries: Array(21).fill('a') }), 'countries: must be a list of at most 20 countries'],
      [discover({ countries: 'a' }), 'countries: must be a list of at most 20 countries'],
      [discover({ minEngagement: -1 }), 'minEngagement: must be a whole number from 0 to 2147483647'],
      [discover({ maxInfluencers: 501 }), 'maxInfluencers: must be a whole number from 1 to 500'],
    ]),
    ...rowsOf('sendLeads [OUT-06..OUT-08]', by.sendLeads.body, [
      [send({})],
      [{ campaignId: '1' }, either],
      [send({ people: [{ profileUrl: 'a.b' }] }), either],
      [{ leadIds: [uuid] }, campaign],
      [send({ campaignId: ' ' }), campaign],
      [send({ campaignId: text(101) }), campaign],
      [send({ campaignId: 7 }), campaign],
      [send({ leadIds: [] }), 'leadIds: must be a list of 1 to 1000 lead ids'],
      [send({ leadIds: 'a' }), 'leadIds: must be a list of 1 to 1000 lead ids'],
      [send({ leadIds: ['a'] }), 'leadIds.0: must be the id of a lead, a uuid'],
      [send({ leadIds: [7] }), 'leadIds.0: must be the id of a lead, a uuid'],
      [send({ agentId: 'a' }), 'agentId: must be the id of an agent, a uuid'],
      [{ campaignId: '1', people: [] }, 'people: must be a list of 1 to 1000 people'],
      [{ campaignId: '1', people: 'a' }, 'people: must be a list of 1 to 1000 people'],
      [{ campaignId: '1', people: ['a'] }, 'people.0: must be an object with profileUrl'],
      [someone({})],
      ...['https://www.linkedin.com/in/a', ' HTTP://a.b/c ', 'a.b'].map(
        (profileUrl) => [someone({ profileUrl })] as const,
      ),
      ...['ftp://a.b', 'mailto:a@b.c', 'localhost', 'https://', 'javascript:a.b', ''].map(
        (profileUrl) => [someone({ profileUrl }), noProfile] as const,
      ),
      [someone({ profileUrl: 7 }), `${noProfile}, as text`],
      [someone({ name: null, jobTitle: null, company: null, country: null, email: null })],
      [someone({ name: text(301) }), 'people.0.name: must be a name, at most 300 characters'],
      [someone({ jobTitle: text(501) }), 'people.0.jobTitle: must be a job title, at most 500 characters'],
      [someone({ company: text(501) }), 'people.0.company: must be a company, at most 500 characters'],
      [someone({ country: text(201) }), 'people.0.country: must be a country, at most 200 characters'],
      [someone({ email: text(321) }), 'people.0.email: must be an email address, at most 320 characters'],
      [someone({ name: 7 }), 'people.0.name: must be a name, as text'],
    ]),
    ...rowsOf('updateSourceOutreach [OUT-18, OUT-21]', by.updateSourceOutreach.body, [
      [{ campaignId: null }],
      [{ campaignId: '1', autoSend: true, filters: null, pushHistoric: true }],
      [{}, 'campaignId: must be the id of a campaign, as text, or null to remove the auto-push'],
      [{ campaignId: '1', filters: 7 }, `filters: ${listOfRows}`],
      ...['icp', 'signal', 'engagementCount'].map(
        (column) =>
          [
            { campaignId: '1', filters: [{ column, operator: 'equals', value: 50 }] },
            `filters.0.column: must be a column, one of ${leadColumns}: "${column}" is none`,
          ] as const,
      ),
    ]),
    ...rowsOf('getSourceOutreach', by.getSourceOutreach.params, [
      [{ id: uuid }],
      [{ id: 'a' }, 'id: must be the id of a source, a uuid'],
    ]),
    ...rowsOf('readProfilePosts [UPR-02, UPR-11, VER-14]', by.readProfilePosts.query, [
      [{ posts: '1' }],
      [{ posts: '60', confirmSpend: 'true', other: 'x' }],
      [{}, posts],
      ...['0', '61', '-1', '1.5', 'x', '', '1'.padStart(16, '0')].map((value) => [{ posts: value }, posts] as const),
      [{ posts: '5', limit: '5' }, `limit: ${noPages}`],
      [{ posts: '5', paginationToken: '' }, `paginationToken: ${noPages}`],
      [{ posts: '5', confirmSpend: '1' }, 'confirmSpend: must be true or false'],
    ]),
    ...rowsOf('readCompanyPosts [UPR-12]', by.readCompanyPosts.params, [
      [{ username: 'acme' }],
      [{ username: 'https://www.linkedin.com/company/acme' }],
      ...['https://www.linkedin.com/in/jane', 'LINKEDIN.com/pub/jane'].map(
        (username) =>
          [
            { username },
            'username: must be a company page, and this is the address of a person: use GET /profile/{username}/posts with their handle',
          ] as const,
      ),
    ]),
    ...rowsOf('fetchProfilePosts [PJB-03, PJB-16]', by.fetchProfilePosts.body, [
      [{ username: 'jane', limit: 15, paginationToken: text(4_000) }],
      [{ username: 'jane', limit: 0 }, 'limit: must be a whole number from 1 to 15'],
      [{ username: 'jane', limit: 16 }, 'limit: must be a whole number from 1 to 15'],
      [
        { username: 'jane', paginationToken: text(4_001) },
        'paginationToken: must be the paginationToken of an earlier result',
      ],
      [{ username: 'jane', paginationToken: 7 }, 'paginationToken: must be the paginationToken of an earlier result'],
    ]),
    ...rowsOf('fetchPostReactions [PJB-05, PJB-07, PJB-08, PJB-16]', by.fetchPostReactions.body, [
      [{ postUrn: 'urn:li:activity:1', page: 0, source: 'primary' }],
      [{ postUrn: 'urn:li:activity:1', source: 'fallback' }],
      [{ postUrn: 'urn:li:activity:1', page: -1 }, 'page: must be a whole number from 0 to 2147483647'],
      [{ postUrn: 'urn:li:activity:1', source: 'other' }, 'source: must be primary or fallback'],
      ...['x', 'urn:li:share:1'].map((postUrn) => [{ postUrn }, noUrn] as const),
    ]),
    ...rowsOf('fetchPostComments [PJB-12]', by.fetchPostComments.body, [
      [{ postUrn: 'urn:li:activity:1', size: 50, includeReplies: false }],
      [{ postUrn: 'urn:li:activity:1', size: 51 }, 'size: must be a whole number from 1 to 50'],
    ]),
    ...rowsOf('listSources', by.listSources.query, [
      ...['person', 'company', 'post', 'keyword'].map((type) => [{ type }] as const),
      [{ type: 'agent' }, 'type: must be person, company, post or keyword'],
    ]),
    ...rowsOf('listKeptPosts', by.listKeptPosts.query, [
      [{}],
      [{ limit: '101' }, 'limit: must be a whole number from 1 to 100'],
    ]),
    ...rowsOf('updateSourceIcp [ICP-03, ICP-10]', by.updateSourceIcp.body, [
      [{ rules: [] }],
      [{ matchMode: 'any' }],
      [{ dryRun: true }],
      [{}, ': needs `rules` or `matchMode`, or `dryRun: true`'],
      [{ dryRun: false }, ': needs `rules` or `matchMode`, or `dryRun: true`'],
      [{ matchMode: 'some' }, 'matchMode: must be all or any'],
    ]),
    ...rowsOf('pushSource [WHK-21]', by.pushSource.body, [
      [{}],
      [{ leadIds: [] }],
      [{ leadIds: Array(5_000).fill(uuid) }],
      [{ leadIds: Array(5_001).fill(uuid) }, 'leadIds: must be a list of at most 5000 lead ids'],
      [{ leadIds: 'a' }, 'leadIds: must be a list of at most 5000 lead ids'],
      [{ leadIds: ['a'] }, 'leadIds.0: must be the id of a lead, a uuid'],
    ]),
    ...rowsOf('getCreditsUsage [CRD-04, CRD-07]', by.getCreditsUsage.query, [
      [{}],
      [{ from: '2026-11-01', to: '2026-11-01T00:00:00Z' }],
      [{ from: '2026-11-02' }],
      [{ to: '2026-11-02' }],
      [{ from: '2026-11-02', to: '2026-11-01' }, 'from: must not be after to'],
    ]),
    ...rowsOf('listLeads [LED-01, LED-02, LED-04..LED-07, LED-12]', by.listLeads.query, [
      [{ profileId: uuid, username: 'a' }, 'profileId: cannot be combined with username: send one of the two'],
      [{ sourceKind: 'all', username: 'a' }, 'sourceKind: cannot be combined with profileId or username'],
      [{ since: '2026-11-02', until: '2026-11-01' }, 'until: must not be before since'],
      [{ name: '' }, 'name: must not be empty'],
      [{ name: text(201) }, 'name: must be at most 200 characters'],
      [{ sourceKind: 'x' }, 'sourceKind: must be keyword, post, profile or all'],
      [{ webhookStatus: 'x' }, 'webhookStatus: must be pending, sent, failed or no_webhook'],
      [{ engagementType: 'like' }, 'engagementType: must be Like, Comment or Author'],
      [{ isIcp: '1' }, 'isIcp: must be true or false'],
      [{ profileId: 'x', sourceKind: 'profile' }, 'sourceKind: cannot be combined with profileId or username'],
    ]),
    ...rowsOf('listEngagers [ENG-02]', by.listEngagers.query, [
      [{ engagementType: 'Reply' }, 'engagementType: must be Like, Comment or Author'],
      [{ isIcp: '1' }, 'isIcp: must be true or false'],
      [{ webhookStatus: 'x' }, 'webhookStatus: must be pending, sent, failed or no_webhook'],
      [{ sourceKind: 'person' }, 'sourceKind: must be keyword, post, profile or all'],
      [{ username: 'a', sourceKind: 'post' }, 'sourceKind: cannot be combined with profileId or username'],
      [{ profileId: uuid, username: 'a' }, 'profileId: cannot be combined with username: send one of the two'],
    ]),
    ...rowsOf('listRawLeads [RAW-01, RAW-02]', by.listRawLeads.query, [
      [{ action: 'Like', includeInactive: 'true' }],
      [{ action: 'x' }, 'action: must be Like, Comment or Author'],
      [{ profileId: uuid, username: 'a' }, 'profileId: cannot be combined with username: send one of the two'],
      [{ since: '2026-11-02', until: '2026-11-01' }, 'until: must not be before since'],
    ]),
    ...rowsOf('updateAgent [AGT-07..AGT-10, AGT-16, AGT-19, FIX-12]', by.updateAgent.body, [
      [{ website: null }],
      [{ create: true }],
      [{ agentId: uuid, summary: 's' }],
      [{ agentId: uuid, create: false, summary: 's' }],
      [{}, ': needs something to change'],
      [{ agentId: uuid }, ': needs something to change'],
      [{ create: false }, ': needs something to change'],
      [{ agentId: uuid, create: true }, 'create: cannot be combined with agentId'],
      [{ agentId: 'a', summary: 's' }, 'agentId: must be the id of an agent, a uuid'],
      [{ dailyCredits: 0.5 }, 'dailyCredits: must be a whole number of credits'],
      [{ dailyCredits: '5' }, 'dailyCredits: must be a whole number of credits'],
      [{ dailyCredits: -5 }],
      [{ webhook: null }],
      [{ webhook: { url: 'https://a.b', autoSend: true, filters: null, since: 7 } }],
      [{ webhook: {} }, webhookAddress],
      [{ webhook: { url: '' } }, webhookAddress],
      [{ webhook: { url: text(2_001) } }, webhookAddress],
      [{ webhook: { url: text(2_000) } }],
      [{ webhook: 'x' }, webhookObject],
      [{ webhook: { url: 'a', other: 1 } }, 'webhook: takes only url, autoSend and filters'],
      [{ webhook: { url: 'a', filters: 7 } }, `webhook.filters: ${listOfRows}`],
      [{ outreach: null }],
      [{ outreach: { campaignId: '1', autoSend: false, filters: [], pushHistoric: true } }],
      [{ outreach: {} }, 'outreach.campaignId: must be the id of a campaign, as text'],
      [{ outreach: { campaignId: '' } }, 'outreach.campaignId: must be the id of a campaign, as text'],
      [{ outreach: { campaignId: text(101) } }, 'outreach.campaignId: must be the id of a campaign, as text'],
      [{ outreach: { campaignId: text(100) } }],
      [{ outreach: 'x' }, 'outreach: must be an object {campaignId, autoSend, filters, pushHistoric}, or null'],
      [{ outreach: { campaignId: '1', x: 1 } }, 'outreach: takes only campaignId, autoSend, filters and pushHistoric'],
    ]),
    ...rowsOf('listAgentLeads [AGT-50..AGT-52]', by.listAgentLeads.query, [
      [{ filters: '[]', limit: '200' }],
      [{ filters: '[{"column":"icp","operator":"at_least","value":50}]' }],
      [{ filters: '[' }, `filters: ${rowsMessage}`],
      [{ filters: '7' }, `filters: ${listOfRows}`],
      [{ limit: '201' }, 'limit: must be a whole number from 1 to 200'],
      [{ agentId: 'nonsense' }, 'agentId: must be the id of an agent, a uuid'],
      [{ other: '1' }, ': takes only agentId, filters, limit, offset and excluded'],
      ['x', ': must be a query'],
    ]),
    ...rowsOf('renameTeam', session('renameTeam').body, [
      [{ name: text(200) }],
      ...['', ' ', text(201), 7].map(
        (name) => [{ name }, 'name: must be a name: text of 1 to 200 characters'] as const,
      ),
    ]),
    ...rowsOf('backtestKeyword', session('backtestKeyword').body, [
      [{ expression: 'a' }],
      [{ ai: { provider: 'openai', prompt: 'p' } }],
      [{}, ': needs `expression` or `ai`'],
      [{ expression: 'a', sourceId: 'a' }, 'sourceId: must be the id of a keyword search'],
    ]),
    ...rowsOf('getBurn', session('getBurn').query, [
      [{ days: '1' }],
      [{ days: '90' }],
      ...['0', '91', '100', 'x', '1.5', '-1', ''].map(
        (days) => [{ days }, 'days: must be a whole number from 1 to 90'] as const,
      ),
    ]),
  ])('%s, row %#', (_what, schema, input, refused) =>
    expect(refusals(schema, input), JSON.stringify(input).slice(0, 200)).toEqual(refused),
  )

  it('is taken up to its bounds', () => {
    const people = (n: number) => ({ campaignId: '1', people: Array(n).fill({ profileUrl: 'a.b' }) })
    expect(taken(by.sendLeads.body, people, [0, 1, 1_000, 1_001])).toEqual([1, 1_000])
    expect(
      taken(by.sendLeads.body, (n: number) => send({ leadIds: Array(n).fill(uuid) }), [0, 1, 1_000, 1_001]),
    ).toEqual([1, 1_000])
    expect(taken(by.sendLeads.body, (n: number) => send({ campaignId: text(n) }), [0, 1, 100, 101])).toEqual([1, 100])
    for (const [field, most] of Object.entries({ name: 300, jobTitle: 500, company: 500, country: 200, email: 320 }))
      expect(taken(by.sendLeads.body, (n: number) => someone({ [field]: text(n) }), [0, most, most + 1])).toEqual([
        0,
        most,
      ])
    expect(taken(by.pushSource.body, (n: number) => ({ leadIds: Array(n).fill(uuid) }), [0, 5_000, 5_001])).toEqual([
      0, 5_000,
    ])
    expect(taken(by.startDiscover.body, (n: number) => ({ keywords: [text(n)] }), [1, 200, 201])).toEqual([1, 200])
    expect(taken(by.startDiscover.body, (n: number) => discover({ countries: [text(n)] }), [1, 100, 101])).toEqual([
      1, 100,
    ])
    expect(taken(by.startDiscover.body, (n: number) => discover({ countries: Array(n).fill('a') }), [20, 21])).toEqual([
      20,
    ])
  })

  it('arrives cleaned', () => {
    expect(by.startDiscover.body.parse({ keywords: ['  cafe\u0301 \n bar '] }).keywords).toEqual(['café bar'])
    expect(by.sendLeads.body.parse(send({ campaignId: ' 1 ', agentId: uuid }))).toEqual({
      campaignId: '1',
      leadIds: [uuid.toLowerCase()],
      agentId: uuid.toLowerCase(),
    })
    expect(by.pushSource.body.parse({ leadIds: [uuid] })).toEqual({ leadIds: [uuid.toLowerCase()] })
    expect(by.listLeads.query.parse({ name: 'cafe\u0301' }).name).toBe('café')
    expect(by.readProfilePosts.query.parse({ posts: '5', confirmSpend: 'true' })).toEqual({
      posts: 5,
      confirmSpend: true,
    })
    expect(session('renameTeam').body!.parse({ name: ' a ' })).toEqual({ name: 'a' })
    expect(session('getBurn').query.parse({})).toEqual({ days: 30 })
    expect(session('getBurn').query.parse({ days: '7' })).toEqual({ days: 7 })
    expect(session('backtestKeyword').body!.parse({ ai: { provider: 'openai', prompt: 'p' } })).toEqual({
      ai: { provider: 'openai', prompt: 'p', model: null },
      posts: 50,
    })
  })
})
