/** Vendors that fail, lie and answer poison: a sync ends in a way that is specified, nobody is paid for twice, and once it is over nothing is missing. */
import { afterEach, describe, expect, it } from 'vitest'
import { useWorld, type Answer, type Team } from '../world/world.ts'
import { hastyMachine, leadsOf, likes, people, resweep, statusOf, sweep, track } from './sync-stage.ts'

const world = useWorld({ overrides: { system: hastyMachine } })

const operations = {
  posts: ['profile-posts', 'posts/all'],
  reactions: ['post-reactions', 'posts/likes'],
  comments: ['post-comments', 'posts/comments'],
  profile: ['profile', 'profile/full'],
  company: ['company', 'companies/company/info'],
} as const
type About = keyof typeof operations

type Fault = Parameters<(typeof world)['network']['fault']>[0]

/** Every way the sandbox can misbehave; a call that hangs is shown apart. */
const kinds: readonly Fault[] = [
  { kind: 'latency', delayMs: 30 }, { kind: 'status', status: 402 }, { kind: 'status', status: 403 }, { kind: 'status_429', retryAfterS: 40 }, { kind: 'status_500' }, { kind: 'status_503' }, { kind: 'per_minute', limit: 1 },
  { kind: 'error_in_200' }, { kind: 'html_200' }, { kind: 'truncated_json' }, { kind: 'duplicate_page' }, { kind: 'shift_page', rows: 9 }, { kind: 'empty_more' }, { kind: 'missing_fields' },
  { kind: 'missing_fields', fields: ['id', 'entityId', 'urn'] }, { kind: 'company_reactors', ratio: 0.5 }, { kind: 'hostile_text' }, { kind: 'huge_body', bytes: 9_000_000 }, { kind: 'reset' }, { kind: 'not_found' },
]

const cases = (Object.keys(operations) as About[]).flatMap((about) => kinds.map((fault) => ({ about, fault, title: `${about}: ${Object.values(fault).join(' ')}` })))

/** Those that need a second page to show. */
const paging = new Set(['duplicate_page', 'shift_page', 'empty_more'])
const ended = new Set(['completed', 'failed'])
const endings = new Set(['exhausted', 'provider_limit', 'capture_empty', null])

let tracked: { team: Team; author: string } | undefined
afterEach(async () => {
  // Nothing of a finished case runs by itself under the faults of the next.
  if (tracked) await tracked.team.del(`/profile/${tracked.author}`)
  tracked = undefined
})

async function untilFinal(team: Team, author: string): Promise<Answer['body']> {
  for (let tries = 0; tries < 8; tries += 1) {
    const status = await statusOf(team, author)
    if (status.isFinal) return status
    await world.advance('20m')
  }
  return statusOf(team, author)
}

/** No control characters, bidi overrides, lone surrogates, or texts beyond their limit, in anything that is stored of people. */
async function expectClean(team: Team): Promise<void> {
  const { rows } = await world.database.pool.query(
    `select name, headline, comment_text, job_title, country, company_name, company_industry, handle, linkedin_url, avatar_url from lead where team_id = $1
     union all select name, headline, null, job_title, country, company_name, null, handle, linkedin_url, avatar_url from person where team_id = $1`,
    [team.id],
  )
  for (const value of rows.flatMap((row) => Object.values(row) as (string | null)[])) {
    if (value === null) continue
    expect(value.isWellFormed()).toBe(true)
    expect(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(value), JSON.stringify(value.slice(0, 80))).toBe(false)
    expect(value.length).toBeLessThanOrEqual(20_000)
  }
}

// First in this file: a vendor that has once answered 429 is asked less often from then on, by the machine's clock.
describe('the fallback vendor', () => {
  it('serves a read whose first page the primary fails, and every later page of it; nobody is charged again when the primary is back [CRD-14, SYN-02]', async () => {
    const team = await world.team()
    const author = world.handle('author')
    const fans = people(world, 35)
    const { id } = world.network.seedPost({ author, reactions: likes(fans), comments: [{ person: fans[0]!, text: 'Hi', replies: [{ person: fans[1]!, text: 'Ho' }] }] })
    world.network.clearCalls()
    world.network.fault({ kind: 'status_500', vendor: 'harvestapi', operation: 'post-reactions', times: 3 })
    expect((await sweep(world, team, author, { enrichLeads: false })).capture).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: 35, leadRowsCaptured: 37 })
    // Three tries within the one call, then never again: the fault was over by the second page.
    expect(world.network.calls({ vendor: 'harvestapi', operation: 'post-reactions', match: { post: id } })).toHaveLength(3)
    expect(world.network.calls({ vendor: 'linkdapi', operation: 'posts/likes', match: { urn: id } }).map((call) => call.query.start)).toEqual(['0', '10', '20', '30'])
    expect((await resweep(world, team, author)).capture).toMatchObject({ creditsSpent: 0, leadRowsCaptured: 0, coverage: { declared: 37, captured: 37 } })
  })

  it('is not asked for later pages of a read the primary began: they wait for the primary [SYN-02, SYN-22]', async () => {
    const team = await world.team()
    const author = world.handle('author')
    const { id } = world.network.seedPost({ author, reactions: 150 })
    world.network.clearCalls()
    world.network.fault({ kind: 'status_500', vendor: 'harvestapi', operation: 'post-reactions', match: { page: '2' } })
    expect((await sweep(world, team, author, { enrichLeads: false })).state).toBe('capturing')
    expect(world.network.calls({ vendor: 'linkdapi', match: { urn: id } })).toEqual([])
    world.network.clearFaults()
    await world.advance('14s')
    expect((await statusOf(team, author)).state).toBe('capturing')
    await world.advance('1s')
    expect(await statusOf(team, author)).toMatchObject({ state: 'completed', capture: { creditsSpent: 150 } })
  })

  it('captures the same people, posts and comments under the same keys as the primary [CRD-13, CRD-14]', async () => {
    const team = await world.team()
    const author = world.handle('author')
    const fans = people(world, 12)
    world.network.seedPost({ author, reactions: likes(fans), comments: [{ person: fans[0]!, text: 'Hi', replies: [{ person: world.handle(), text: 'Ho' }] }] })
    world.network.fault({ kind: 'status_500', vendor: 'harvestapi' })
    expect((await sweep(world, team, author)).capture).toMatchObject({ creditsSpent: 13, leadRowsCaptured: 14 })
    world.network.clearFaults()
    world.network.fault({ kind: 'status_500', vendor: 'linkdapi' })
    expect((await resweep(world, team, author)).capture).toMatchObject({ creditsSpent: 0, leadRowsCaptured: 0, stoppedBy: 'exhausted' })
  })
})

describe('a vendor that misbehaves on', () => {
  it.each(cases)('$title: the sync ends as specified, later syncs find everybody, each charged once [SYN-22, SYN-23, CRD-13, CRD-14]', async ({ about, fault }) => {
    const team = await world.team()
    const author = world.handle('author')
    tracked = { team, author }
    const facts = about === 'profile' || about === 'company'
    const [talker, ...fans] = people(world, about === 'reactions' && paging.has(fault.kind) ? 121 : 4)
    world.network.seedPost({ author, reactions: likes(fans), comments: [{ person: talker!, text: 'Hello' }, { person: fans[0]!, text: 'There' }] })
    for (const operation of operations[about]) world.network.fault({ ...fault, operation })
    await sweep(world, team, author, { enrichLeads: facts })
    const early = await statusOf(team, author)
    if (early.isFinal) expect([ended.has(early.state), endings.has(early.capture.stoppedBy)]).toEqual([true, true])
    world.network.clearFaults()
    const status = await untilFinal(team, author)
    expect([status.isFinal, ended.has(status.state), endings.has(status.capture.stoppedBy)], JSON.stringify(status)).toEqual([true, true, true])
    expect(status.errorCode).toBe(status.state === 'failed' ? 'provider_error' : status.capture.stoppedBy === 'capture_empty' ? 'capture_empty' : null)
    await expectClean(team)
    await resweep(world, team, author)
    const after = await untilFinal(team, author)
    expect(after, JSON.stringify(after)).toMatchObject({ state: 'completed', errorCode: null, capture: { stoppedBy: 'exhausted', coverage: { declared: fans.length + 2, captured: fans.length + 2 } } })
    expect(await team.balance()).toBe(10_000 - fans.length - 1)
    if (facts) expect(await leadsOf(team, author)).toHaveLength(fans.length + 2)
  })

  it('a call that hangs and is answered late counts once [SYN-02, CRD-14]', async () => {
    const team = await world.team()
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 3)) })
    world.network.fault({ kind: 'hang', operation: 'post-reactions', times: 1 })
    await track(team, author, { enrichLeads: false })
    await world.network.untilWaiting(1, { operation: 'post-reactions' })
    world.network.release()
    await world.drain()
    expect(await statusOf(team, author)).toMatchObject({ state: 'completed', capture: { creditsSpent: 3, leadRowsCaptured: 3 } })
  })
})
