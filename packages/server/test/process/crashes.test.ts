/**
 * Processes killed by SIGKILL at fault points (in the long run at all) and at arbitrary moments of syncs (LES_TEST_KILLS: how
 * many). Leads, charges and deliveries of a disturbed flow must equal those of an undisturbed twin.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { faultPoints } from '../../src/fault-points.ts'
import type { FaultPoint } from '../../src/platform/faults.ts'
import { amount, long, secondPass } from '../world/amount.ts'
import { findDrift } from '../world/oracle.ts'
import { seedFollowed, seedSearched, seedWriters, type SearchScene } from './search-scenes.ts'
import {
  armCrash,
  call,
  makeTeam,
  openStage,
  operate,
  pause,
  until,
  type Answer,
  type Process,
  type Stage,
  type Team,
} from './stage.ts'

let stage: Stage
let service: Process
/** A separate stage that no test helps: another process must take over a killed process's work by itself. */
let alone: { stage: Stage; tookMs: Promise<number> }
const hit = new Set<FaultPoint>()

beforeAll(async () => {
  stage = await openStage()
  service = await stage.start()
  const other = await openStage()
  const tookMs = takeover(other)
  tookMs.catch(() => {})
  alone = { stage: other, tookMs }
})
afterEach(async () => {
  if (service.child.signalCode !== null) await replace(service)
  expect(await findDrift(stage.database.root)).toEqual([])
})
afterAll(async () => {
  await Promise.all([stage?.close(), alone?.stage.close()])
})

/** How long ago the process "died" when another takes over: only the long run waits for a whole lease. */
const deadForMs = long ? 0 : 45_000

/** Kills a process within a page; returns how long until another requests that page, after the lease has expired. */
async function takeover({ start, sandbox, handle, ageLeases }: Stage): Promise<number> {
  const author = handle('author')
  sandbox.world.seedPost({ author, reactions: 3 })
  const first = await start()
  sandbox.world.hold({ operation: 'post-reactions' })
  const team = await makeTeam(first.url)
  await call(first.url, team, 'POST', '/enrich/profile', { username: author, saveTrackedProfile: true })
  await sandbox.world.untilWaiting(1, { operation: 'post-reactions' })
  first.child.kill('SIGKILL')
  const killedMs = Date.now()
  await first.ended
  await until('the call of the dead process to end', () => (sandbox.world.waiting() === 0 ? true : undefined))
  await ageLeases(deadForMs)
  const second = await start()
  await until(
    'the page asked for again',
    () => (sandbox.world.waiting({ operation: 'post-reactions' }) > 0 ? true : undefined),
    100,
    120_000,
  )
  const tookMs = deadForMs + Date.now() - killedMs
  sandbox.world.release()
  await operate(second.url, 'POST', '/drain')
  expect((await call(second.url, team, 'GET', `/profile/${author}/sync`)).body).toMatchObject({
    state: 'completed',
    capture: { creditsSpent: 3 },
  })
  return tookMs
}

/** Waits until a process has died by SIGKILL, and starts its replacement. */
async function replace(dead: Process): Promise<void> {
  const timer = AbortSignal.timeout(60_000)
  const late = new Promise<'still alive'>((resolve) => timer.addEventListener('abort', () => resolve('still alive')))
  expect(await Promise.race([dead.ended, late])).toBe('SIGKILL')
  await stage.expireLeases()
  service = await stage.start()
}

/** Sends a request again to the next process if the current one dies; an idempotency key makes it count once. */
async function retryOnNextProcess<T>(request: (url: string) => Promise<T>): Promise<T> {
  const asked = service
  try {
    return await request(asked.url)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    await replace(asked)
    return request(service.url)
  }
}

let keys = 0
async function ok(team: Team, method: string, path: string, body?: unknown): Promise<Answer['body']> {
  const key: Record<string, string> = method === 'GET' ? {} : { 'idempotency-key': `retry-${++keys}` }
  const { status, body: answer } = await retryOnNextProcess((url) => call(url, team, method, path, body, key))
  expect([status < 300, answer.error ?? null]).toEqual([true, null])
  return answer
}
const drain = () => operate(service.url, 'POST', '/drain')

/** An author with a post on which people engage repeatedly and reply; `fans` are known by name and share an employer. */
type Scene = SearchScene
function seedScene(): Scene {
  const [author, company] = [stage.handle('author'), stage.handle('employer')]
  const fans = Array.from({ length: 3 }, () => stage.handle('fan'))
  for (const handle of fans) stage.sandbox.world.seedPerson({ handle, company, title: 'Engineer', country: 'DE' })
  stage.sandbox.world.seedPost({
    author,
    reactions: fans.map((person) => ({ person })),
    comments: [
      { person: fans[0]!, text: 'One', replies: [{ person: fans[1]!, text: 'Two' }] },
      { person: stage.handle('fan'), text: 'Three' },
    ],
  })
  return { author, fans, topics: [] }
}
const seedScenes = (reactions = 2): Scene => {
  const scene = seedScene()
  stage.sandbox.world.seedPost({ author: scene.author, reactions })
  return scene
}

/** Tracks with a webhook in place before anybody is captured; the network holds the first page until `arm` has armed. */
async function sweep(
  team: Team,
  { author }: Scene,
  arm: () => Promise<unknown>,
  settings: Record<string, unknown> = {},
): Promise<void> {
  const held = { operation: 'profile-posts', match: { profilePublicIdentifier: author } }
  stage.sandbox.world.hold(held)
  await ok(team, 'POST', '/enrich/profile', { username: author, saveTrackedProfile: true, ...settings })
  await ok(team, 'PUT', `/profile/${author}/webhook`, {
    webhookUrl: `${stage.inbox.url}/${team.id}`,
    autoSend: true,
    syncEvents: true,
  })
  await arm()
  stage.sandbox.world.release(held)
}

/** What a team's receiver got, each delivery once; a repetition must have the same id and bytes. */
function deliveredTo(team: Team): string[] {
  const byId = Map.groupBy(
    stage.inbox.received.filter(({ path }) => path.endsWith(team.id)),
    ({ headers }) => String(headers['webhook-id']),
  )
  for (const [id, all] of byId) expect([id, new Set(all.map(({ raw }) => raw.toString('hex'))).size]).toEqual([id, 1])
  return [...byId.values()]
    .map(
      ([first]) =>
        `${first!.body.event} ${first!.body.lead?.engagementType ?? ''} ${first!.body.lead?.linkedinUrl ?? first!.body.lead?.name ?? ''}`,
    )
    .sort()
}

const rowsOf = async (team: Pick<Team, 'id'>, statement: string, ...values: unknown[]): Promise<any[]> =>
  (await stage.database.pool.query(statement, [team.id, ...values])).rows

const without = ({ id: _id, sourceId: _source, syncId: _sync, ...rest }: Answer['body']) => rest
const inOrder = <T>(all: readonly T[]): T[] => [...all].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
// Removes instants and ids, which differ in the disturbed twin.
const timeless = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'an instant')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'an id'),
  )
const get = async (team: Team, path: string): Promise<Answer['body']> =>
  (await call(service.url, team, 'GET', path)).body

/** What a source shows: its settings, its run and, for a search, its decision on each post. */
async function sourceOutcome(team: Team, source: Answer['body']): Promise<unknown> {
  const decided =
    source.type === 'keyword' ? (await get(team, `/sources/${source.id}/kept-posts?include=swept&limit=100`)).posts : []
  return timeless({
    ...without(source),
    status: without(await get(team, `/sources/${source.id}/sync`)),
    decided: inOrder(decided),
  })
}

async function foundOutcome(team: Team): Promise<unknown> {
  const { runs } = await get(team, '/discover')
  const { agent } = await get(team, '/agent')
  return timeless({
    runs: await Promise.all(runs.map(({ id }: { id: string }) => get(team, `/discover/${id}`))),
    agent: agent && { ...agent, sources: inOrder(agent.sources.map(without)) },
  })
}

async function outcomeOf(team: Team): Promise<unknown> {
  const rows = await rowsOf(
    team,
    `select person_urn, engagement_key, source_kind, post_urn, reaction, comment_text, enrichment, job_title,
       company_name, country, is_icp, webhook_status
     from lead
     where team_id = $1`,
  )
  const money = await rowsOf(
    team,
    'select kind, category, amount, count(*) from credit_entry where team_id = $1 group by 1, 2, 3 order by 1, 2, 3',
  )
  const syncs = await rowsOf(
    team,
    'select state, stopped_by, credits_spent, lead_rows, posts_scanned, posts_kept from sync where team_id = $1',
  )
  const held = await rowsOf(
    team,
    'select held, granted - spent as balance from credit_account where team_id = $1 order by account',
  )
  const { sources } = await get(team, '/sources')
  const shown = await Promise.all(sources.map((source: Answer['body']) => sourceOutcome(team, source)))
  return {
    ...timeless({ rows: inOrder(rows), money, syncs: inOrder(syncs), held, delivered: deliveredTo(team) }),
    sources: inOrder(shown),
    found: await foundOutcome(team),
  }
}

/** A flow of calls; `act` calls `arm` when the crash may come. */
type Flow = {
  readonly seed: () => Scene
  /** The flow changes people of the network, which cannot be done twice, so each run needs a new scene. */
  readonly ownScene?: true
  readonly team?: Record<string, unknown>
  readonly act: (team: Team, scene: Scene, arm: () => Promise<unknown>) => Promise<void>
  readonly after?: (team: Team) => Promise<void>
}

const captured = async (team: Team, scene: Scene, settings: Record<string, unknown> = {}): Promise<void> => {
  await sweep(team, scene, async () => {}, settings)
  await drain()
}
const moveBy = async (seconds: number): Promise<void> => {
  const { now } = await operate(service.url, 'GET', '/clock')
  const to = new Date(Date.parse(now) + seconds * 1000).toISOString()
  stage.moveNetwork(to)
  await retryOnNextProcess((url) => operate(url, 'POST', '/clock', { to }))
}

const platformKey = (team: Team): string => `key-of-${team.id}`
const timesSent = (team: Team): number[] =>
  stage.sandbox.world.outreach.campaigns(platformKey(team)).flatMap(({ leads }) => leads.map(({ times }) => times))
const ledgerOf = async (team: Team, state: string): Promise<number> =>
  (await rowsOf(team, 'select 1 from outreach_send where team_id = $1 and state = $2', state)).length

async function pushToCampaign(team: Team, scene: Scene, arm: () => Promise<unknown>): Promise<void> {
  await captured(team, scene)
  await retryOnNextProcess((url) =>
    operate(url, 'PUT', `/teams/${team.id}/credentials/outreach`, { key: platformKey(team) }),
  )
  const campaignId = String(stage.sandbox.world.outreach.seedCampaign({ key: platformKey(team) }).id)
  const { id } = (await ok(team, 'GET', '/sources')).sources[0]
  await arm()
  await ok(team, 'PUT', `/sources/${id}/outreach`, { campaignId, pushHistoric: true })
}

/** Past the ten minutes after which uncertain sends are looked up, everybody is in the campaign and was sent once. */
async function everybodySentOnce(team: Team): Promise<void> {
  for (let look = 0; look < 3; look++) {
    await moveBy(660)
    await drain()
  }
  expect(timesSent(team)).toEqual([1, 1, 1, 1])
  expect(await ledgerOf(team, 'sent')).toBe(4)
}

async function startSend(
  team: Team,
  send: { kind: string; campaignId: string | null },
  part: { ownerId: string | null; ids: readonly string[]; how: object },
): Promise<void> {
  const now = (await operate(service.url, 'GET', '/clock')).now as string
  const id = randomUUID()
  await rowsOf(
    team,
    `insert into planned_send (team_id, id, kind, label, campaign_id, goes, state, requested_by, created_at, due_at,
       starts_at)
     values ($1, $2, $3, 'a label', $4, 4, 'planned', 'somebody', $5, $5, $5)`,
    ...[id, send.kind, send.campaignId, now],
  )
  await rowsOf(
    team,
    'insert into planned_send_part (team_id, send_id, place, owner_id, ids, how) values ($1, $2, 0, $3, $4, $5)',
    ...[id, part.ownerId, part.ids, JSON.stringify(part.how)],
  )
  await rowsOf(
    team,
    `insert into work_turn (team_id, kind, served) select $1, 'send', 0
     where not exists (select 1 from work_turn where team_id = $1 and kind = 'send')`,
  )
}
const idsOf = async (team: Team, text: string): Promise<string[]> => (await rowsOf(team, text)).map(({ id }) => id)
const isSendOver = async (team: Team): Promise<boolean> =>
  (await idsOf(team, `select id from planned_send where team_id = $1 and state = 'done'`)).length > 0
/** Waits until `isSo` is true or this process has died. */
const untilOrDeath = (what: string, victim: Process, isSo: () => Promise<boolean>): Promise<true> =>
  until(`${what}, or a death`, async () =>
    victim !== service || victim.child.signalCode !== null || (await isSo()) ? true : undefined,
  )

async function replayAll(team: Team, scene: Scene, arm: () => Promise<unknown>): Promise<void> {
  await captured(team, scene)
  const { id: ownerId } = (await ok(team, 'GET', '/sources')).sources[0]
  const ids = await idsOf(team, `select id from delivery where team_id = $1 and state = 'sent' order by id`)
  await arm()
  await startSend(
    team,
    { kind: 'replay', campaignId: null },
    { ownerId, ids, how: { what: 'replay', states: ['sent'] } },
  )
}

async function sendToCampaign(team: Team, scene: Scene, arm: () => Promise<unknown>): Promise<void> {
  await captured(team, scene)
  await retryOnNextProcess((url) =>
    operate(url, 'PUT', `/teams/${team.id}/credentials/outreach`, { key: platformKey(team) }),
  )
  const campaignId = String(stage.sandbox.world.outreach.seedCampaign({ key: platformKey(team) }).id)
  const ids = await idsOf(team, 'select id from lead where team_id = $1 order by id')
  await arm()
  await startSend(team, { kind: 'campaign', campaignId }, { ownerId: null, ids, how: { what: 'campaign' } })
}

async function search(
  team: Team,
  { topics: [one, two] }: Scene,
  arm: () => Promise<unknown>,
  settings: Record<string, unknown>,
): Promise<void> {
  await retryOnNextProcess((url) => operate(url, 'PUT', `/teams/${team.id}/credentials/openai`, { key: 'a-key' }))
  const sifted = {
    expression: `${one} AND NOT spam OR ${two} AND NOT spam`,
    aiProvider: 'openai',
    aiPrompt: 'Keep "hiring"',
    creditCap: 1_000,
    captureMode: 'depth',
    datePosted: 'PAST_WEEK',
    confirmSpend: true,
    contractVersion: '2026-11-01',
  }
  stage.sandbox.world.hold({ operation: 'post-search' })
  const { id } = await ok(team, 'POST', '/keyword/track', { ...sifted, ...settings })
  await ok(team, 'PUT', `/keyword/${id}/webhook`, {
    webhookUrl: `${stage.inbox.url}/${team.id}`,
    autoSend: true,
    syncEvents: true,
  })
  await arm()
  stage.sandbox.world.release({ operation: 'post-search' })
}

const onlyRun = async (team: Team): Promise<Answer['body']> =>
  (await get(team, '/sources?type=keyword')).sources[0].lastRun
const spentOn = async (team: Team, category: string): Promise<number> =>
  (await rowsOf(team, "select 1 from credit_entry where team_id = $1 and kind = 'charge' and category = $2", category))
    .length

const flows = {
  'a sync': { seed: () => seedScenes(), act: (team, scene, arm) => sweep(team, scene, arm) },
  // Pages of all eight posts are requested at once and written in one unit of work.
  'a sync of eight posts': {
    seed: () => {
      const scene = seedScene()
      for (let nth = 0; nth < 7; nth++) stage.sandbox.world.seedPost({ author: scene.author, reactions: 100 })
      return scene
    },
    act: (team, scene, arm) => sweep(team, scene, arm, { enrichLeads: false }),
  },
  tracking: {
    seed: seedScene,
    act: async (team, { author }, arm) => {
      await arm()
      await ok(team, 'POST', '/enrich/profile', { username: author, saveTrackedProfile: true })
    },
  },
  'an edit': {
    seed: seedScene,
    act: async (team, scene, arm) => {
      await captured(team, scene)
      await arm()
      await ok(team, 'PATCH', `/profile/${scene.author}`, { creditCapPerSync: 77, enrichLeads: true })
    },
  },
  criteria: {
    seed: seedScene,
    act: async (team, scene, arm) => {
      await captured(team, scene)
      await arm()
      await ok(team, 'PUT', `/profile/${scene.author}/icp`, {
        rules: [{ column: 'jobTitle', operator: 'contains', value: 'engineer' }],
      })
    },
  },
  'a push': {
    seed: seedScene,
    act: async (team, scene, arm) => {
      await ok(team, 'POST', '/enrich/profile', { username: scene.author, saveTrackedProfile: true })
      await drain()
      await ok(team, 'PUT', `/profile/${scene.author}/webhook`, {
        webhookUrl: `${stage.inbox.url}/${team.id}`,
        autoSend: false,
      })
      await arm()
      expect(await ok(team, 'POST', `/profile/${scene.author}/push`)).toMatchObject({ queued: 6 })
    },
  },
  'a charged read': {
    seed: seedScene,
    act: async (team, scene, arm) => {
      await ok(team, 'POST', '/enrich/profile', { username: scene.author, saveTrackedProfile: true })
      await drain()
      await arm()
      expect(await ok(team, 'GET', `/profile/${scene.author}/posts?posts=5&confirmSpend=true`)).toMatchObject({
        creditsCharged: 1,
      })
      // The hold of the dead process expires.
      await moveBy(600)
    },
  },
  'an auto-push': {
    seed: seedScene,
    act: async (team, scene, arm) => {
      const victim = service
      await pushToCampaign(team, scene, arm)
      await untilOrDeath('the push', victim, async () => (await ledgerOf(team, 'sent')) > 0)
    },
    after: everybodySentOnce,
  },
  'a replay of a person': {
    seed: seedScene,
    act: async (team, scene, arm) => {
      const victim = service
      await replayAll(team, scene, arm)
      await untilOrDeath('the replay', victim, () => isSendOver(team))
    },
  },
  'a send of a person': {
    seed: seedScene,
    act: async (team, scene, arm) => {
      const victim = service
      await sendToCampaign(team, scene, arm)
      await untilOrDeath('the send', victim, () => isSendOver(team))
    },
    after: everybodySentOnce,
  },
  'a lost answer': {
    seed: seedScene,
    act: async (team, scene, arm) => {
      stage.sandbox.world.fault({ vendor: 'heyreach', operation: 'AddLeadsToCampaignV2', kind: 'lost_reply', times: 1 })
      await pushToCampaign(team, scene, async () => {})
      await until('the loss', async () => ((await ledgerOf(team, 'uncertain')) > 0 ? true : undefined))
      await arm()
      const victim = service
      await moveBy(660)
      await untilOrDeath('the look', victim, async () => (await ledgerOf(team, 'sent')) > 0)
    },
    after: everybodySentOnce,
  },
  'an enrichment': {
    seed: seedScene,
    ownScene: true,
    act: async (team, scene, arm) => {
      // Missing while the sync enriches, so that the later request finds a lead without enrichment and costs a credit.
      const missing = scene.fans[2]!
      stage.sandbox.world.seedPerson({ handle: missing, exists: false })
      await captured(team, scene)
      stage.sandbox.world.seedPerson({ handle: missing, title: 'Engineer', country: 'DE', exists: true })
      await arm()
      const { jobId } = await ok(team, 'POST', '/enrich/profile', { username: missing })
      await until(
        'the job',
        async () =>
          (await retryOnNextProcess((url) => call(url, team, 'GET', `/jobs/${jobId}/status`))).body.status ===
          'completed'
            ? true
            : undefined,
        100,
      )
    },
  },
  'a search': {
    seed: () => seedSearched(stage),
    act: (team, scene, arm) => search(team, scene, arm, { capturePostAuthors: true }),
    after: async (team) => {
      expect(await onlyRun(team)).toMatchObject({
        stoppedBy: 'exhausted',
        creditsSpent: 9,
        postsScanned: 6,
        postsKept: 4,
        discardedByExpression: 1,
        postAuthorsCaptured: 3,
        companyAuthorsSkipped: 1,
      })
    },
  },
  'a search for posts alone': {
    seed: () => seedSearched(stage),
    act: (team, scene, arm) => search(team, scene, arm, { mode: 'posts_only', postsPerSync: 60 }),
    after: async (team) => {
      expect(await onlyRun(team)).toMatchObject({
        stoppedBy: 'exhausted',
        creditsSpent: 4,
        postsFetched: 4,
        postsKept: 4,
      })
    },
  },
  'a search for people': {
    seed: () => seedWriters(stage),
    act: async (team, { topics }, arm) => {
      await arm()
      await ok(team, 'POST', '/discover', {
        keywords: topics,
        countries: ['Germany'],
        maxInfluencers: 3,
        confirmSpend: true,
      })
    },
    after: async (team) => {
      expect((await get(team, '/discover')).runs).toMatchObject([
        { state: 'done', found: 3, qualified: 5, countryChecked: 10, countryMatched: 5 },
      ])
      expect(await spentOn(team, 'discover')).toBe(3)
    },
  },
  'the start of an agent': {
    seed: () => seedFollowed(stage),
    act: async (team, { topics }, arm) => {
      await ok(team, 'PUT', '/agent', {
        topics,
        dailyCredits: 200,
        webhook: { url: `${stage.inbox.url}/${team.id}`, autoSend: true },
      })
      await arm()
      await ok(team, 'POST', '/agent/start', { confirmSpend: true })
    },
    after: async (team) => {
      expect((await get(team, '/agent')).agent).toMatchObject({ status: 'active', peopleAdded: true })
      expect(
        Object.entries(Object.groupBy((await get(team, '/sources')).sources, ({ type }: { type: string }) => type))
          .map(([type, all]) => [type, all!.length])
          .sort(),
      ).toEqual([
        ['keyword', 2],
        ['person', 3],
      ])
      expect((await get(team, '/discover')).runs).toMatchObject([{ state: 'done', found: 3 }])
      expect(deliveredTo(team)).not.toEqual([])
      expect(await spentOn(team, 'discover')).toBe(3)
    },
  },
} as const satisfies Record<string, Flow>

const placesOf = {
  'a sync': [
    'capture.leased',
    'capture.posts-written',
    'capture.page-fetched',
    'capture.people-written',
    'capture.charged',
    'capture.before-commit',
    'capture.after-commit',
    'capture.before-close',
    'capture.closed',
    'enrichment.leased',
    'enrichment.profile-fetched',
    'enrichment.company-fetched',
    'enrichment.written',
    'enrichment.before-commit',
    'delivery.leased',
    'delivery.sent',
    'delivery.before-commit',
  ],
  'a sync of eight posts': ['capture.charged'],
  tracking: ['track.before-commit', 'handler'],
  'an edit': ['mode_read'],
  criteria: ['rescore.saved', 'rescore.batch'],
  'a push': ['push.queued'],
  'a charged read': ['posts-read.fetched'],
  'an auto-push': [
    'outreach.saved',
    'outreach.leased',
    'outreach.claimed',
    'outreach.answered',
    'outreach.before-commit',
  ],
  'a lost answer': ['outreach.looked-up'],
  'a replay of a person': ['send.claimed', 'send.before-commit'],
  'a send of a person': ['send.answered'],
  'a search': [
    'keyword.leased',
    'keyword.page-fetched',
    'keyword.posts-written',
    'keyword.judged',
    'keyword.verdicts-written',
    'keyword.before-commit',
    'keyword.after-commit',
    'keyword.handed-over',
  ],
  'a search for posts alone': ['keyword.verdicts-written', 'keyword.before-commit', 'keyword.handed-over'],
  'a search for people': [
    'discover.leased',
    'discover.page-fetched',
    'discover.profile-fetched',
    'discover.people-written',
    'discover.charged',
    'discover.before-commit',
    'discover.after-commit',
  ],
  'the start of an agent': ['agent.prepared', 'agent.set-up', 'agent_save', 'agent.person-watched'],
  'an enrichment': ['enrich-job.fetched', 'enrich-job.charged'],
} as const satisfies Record<keyof typeof flows, readonly FaultPoint[]>
const places = (Object.keys(placesOf) as (keyof typeof flows)[]).flatMap((flow) =>
  placesOf[flow].map((point) => [point, flow] as const),
)

/**
 * Where every run kills: where money and its reason are written separately, where something could be sent twice, and a request.
 * Other points are covered without processes: `scenarios/crash-points` (syncs, tracking), `keyword-run-crash` (searches),
 * `outreach-lost` (lost answers), `enrich-profile` (enrichments), and the other scenarios.
 */
const always: readonly `${FaultPoint} ${keyof typeof flows}`[] = [
  'capture.charged a sync',
  'delivery.sent a sync',
  'posts-read.fetched a charged read',
  'outreach.answered an auto-push',
  'discover.charged a search for people',
]
/** Those where the database decides what a dying process leaves, and which the second pass repeats. */
const onAnyDatabase: readonly (typeof always)[number][] = [
  'capture.charged a sync',
  'delivery.sent a sync',
  'posts-read.fetched a charged read',
  'discover.charged a search for people',
]
const chosen = places.filter(
  ([point, flow]) => long || amount(always, always, onAnyDatabase).includes(`${point} ${flow}`),
)

async function perform(flow: Flow, scene: Scene, point?: FaultPoint): Promise<unknown> {
  const team = await makeTeam(service.url, flow.team)
  const victim = service
  await flow.act(team, scene, async () => {
    if (point) await armCrash(service.url, point)
  })
  if (point) {
    if (service === victim) await replace(victim)
    expect(await stage.armedTimes(point)).toBe(0)
    hit.add(point)
  }
  await drain()
  await flow.after?.(team)
  const ids = stage.inbox.received
    .filter(({ path }) => path.endsWith(team.id))
    .map(({ headers }) => headers['webhook-id'])
  // The process died before it recorded the receiver's answer, so the delivery is sent again.
  if (point === 'delivery.sent' || point === 'delivery.before-commit')
    expect(ids.length).toBeGreaterThan(new Set(ids).size)
  return outcomeOf(team)
}

// First in this file: moving time this far makes all sources due. Not in the second pass: tasks are ordinary units of work.
it.skipIf(secondPass)('the clock, killed while it renews a period: the period is granted once [CRD-02]', async () => {
  const team = await makeTeam(service.url, { credits: 10 })
  await armCrash(service.url, 'credits.renewed')
  const victim = service
  await moveBy(31 * 86_400)
  if (service === victim) await replace(victim)
  expect(await stage.armedTimes('credits.renewed')).toBe(0)
  hit.add('credits.renewed')
  await drain()
  expect(
    await rowsOf(team, 'select kind, amount from credit_entry where team_id = $1 order by created_at, kind desc'),
  ).toEqual([
    { kind: 'grant', amount: 10 },
    { kind: 'lapse', amount: -10 },
    { kind: 'grant', amount: 10 },
  ])
})

describe('a process, killed', () => {
  const scenes = new Map<keyof typeof flows, { readonly scene: Scene; calm?: unknown }>()
  it.each(chosen)(
    'at %s, in the middle of %s: what is left is what an undisturbed twin leaves, and every delivery came, under one id [CRD-13, SYN-02]',
    async (point, name) => {
      const flow: Flow = flows[name]
      // All disturbed runs of a flow share one undisturbed twin, because teams are isolated, except for companies, which are
      // looked up once for all.
      const shared =
        flow.ownScene || point.startsWith('enrichment.')
          ? { scene: flow.seed() }
          : (scenes.get(name) ?? { scene: flow.seed() })
      scenes.set(name, shared)
      const disturbed = await perform(flow, shared.scene, point)
      shared.calm ??= await perform(flow, shared.scene)
      // Compared part by part, so that a failure, also in a repeated try, names what differs.
      const parts = Object.entries(shared.calm as Record<string, unknown>)
      // A retry gets a new scene and a new twin, because either of the two may be wrong.
      if (
        parts.some(
          ([part, calm]) => JSON.stringify((disturbed as Record<string, unknown>)[part]) !== JSON.stringify(calm),
        )
      )
        scenes.delete(name)
      for (const [part, calm] of parts)
        expect([part, (disturbed as Record<string, unknown>)[part]]).toEqual([part, calm])
    },
    180_000,
  )

  it('was killed at every place that was chosen, and in the long run that is every place there is', () => {
    // Without processes: the clock in platform/clock-faults and with what it removes, the others beside what they are about.
    const elsewhere =
      /^(?:clock|destination|erasure|export|results|retention|team-end|webhook)\.|^outreach\.history-queued$/
    const ofTasks = secondPass ? [] : ['credits.renewed']
    const wanted = new Set<string>([...ofTasks, ...chosen.map(([point]) => point)])
    expect([...hit].sort()).toEqual([...wanted].sort())
    if (long)
      expect([...hit].sort()).toEqual(
        Object.keys(faultPoints)
          .filter((point) => !elsewhere.test(point))
          .sort(),
      )
    // Each entry of `always` still names an existing fault point.
    expect(chosen).toHaveLength(amount(always.length, places.length, onAnyDatabase.length))
  })
})

const kills = Number(process.env.LES_TEST_KILLS ?? amount(2, 100, 1))

describe('syncs of a process that is killed again and again', () => {
  it(
    `${kills} times in the middle of a sync: no lead is lost, nobody charged twice, no delivery lost [CRD-13, CRD-14, SYN-02]`,
    async () => {
      const team = await makeTeam(service.url, { credits: 1_000_000 })
      const scenes: Scene[] = []
      let midway = 0
      for (let kill = 0; kill < kills; kill++) {
        const scene = seedScenes(12)
        scenes.push(scene)
        // The last one is killed while it waits for a held page, so that at least one dies in the middle on any machine.
        const held = { operation: 'post-reactions' }
        if (kill === kills - 1) stage.sandbox.world.hold(held)
        await sweep(team, scene, async () => {})
        if (kill === kills - 1) await stage.sandbox.world.untilWaiting(1, held)
        // Kills at different moments, the same in every run.
        else await pause(100 + ((kill * 397) % 600))
        service.child.kill('SIGKILL')
        await service.ended
        stage.sandbox.world.release(held)
        const underWay = await rowsOf(
          team,
          `select 1 from sync where team_id = $1 and finished_at is null
           union all select 1 from enrichment_task where team_id = $1 limit 1`,
        )
        midway += underWay.length
        await replace(service)
      }
      await drain()
      const twin = await makeTeam(service.url, { credits: 1_000_000 })
      for (const scene of scenes) await sweep(twin, scene, async () => {})
      await drain()
      for (const scene of scenes) {
        const [status, calm] = [team, twin].map((who) => call(service.url, who, 'GET', `/profile/${scene.author}/sync`))
        expect((await status!).body).toMatchObject({
          state: 'completed',
          isFinal: true,
          stoppedBy: 'exhausted',
          capture: (await calm!).body.capture,
        })
      }
      const leadsOf = (who: Team) =>
        rowsOf(
          who,
          `select person_urn, engagement_key, enrichment, webhook_status from lead
           where team_id = $1 order by engagement_key, person_urn`,
        )
      const chargesOf = (who: Team) =>
        rowsOf(
          who,
          `select kind, amount, count(*), count(distinct key) as keys from credit_entry
           where team_id = $1 and kind = 'charge' group by 1, 2 order by 1, 2`,
        )
      expect(await leadsOf(team)).toEqual(await leadsOf(twin))
      expect(await chargesOf(team)).toEqual(await chargesOf(twin))
      expect(deliveredTo(team)).toEqual(deliveredTo(twin))
      expect(midway).toBeGreaterThan(0)
    },
    60_000 + kills * 15_000,
  )
})

describe('a process that is killed and started again', () => {
  it('works on what it had within 90 s by itself, when its lease has run out [SYN-02, CRD-13]', async () => {
    const tookMs = await alone.tookMs
    expect(tookMs).toBeLessThan(90_000)
    expect(await findDrift(alone.stage.database.root)).toEqual([])
  }, 120_000)
})
