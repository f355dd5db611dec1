/**
 * Processes killed by SIGKILL at fault points and at arbitrary moments of syncs (LES_TEST_KILLS: how many). Leads, charges and deliveries of a disturbed flow must equal those of an undisturbed twin.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { FaultPoint } from '../../src/platform/faults.ts'
import { amount, long, secondPass } from '../world/amount.ts'
import { findDrift } from '../world/oracle.ts'
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
type Scene = { readonly author: string; readonly fans: readonly string[]; readonly topic?: string }
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
  return { author, fans }
}
const seedScenes = (reactions = 2): Scene => {
  const scene = seedScene()
  stage.sandbox.world.seedPost({ author: scene.author, reactions })
  return scene
}

/** Ten people of two countries, each with two posts about one topic; later ones have more engagement. */
function seedWriters(): Scene {
  const topic = stage.handle('topic').replaceAll('-', 'x')
  const writers = Array.from({ length: 10 }, () => stage.handle('writer'))
  for (const [at, handle] of writers.entries())
    stage.sandbox.world.seedPerson({ handle, title: 'Engineer', country: at % 2 === 0 ? 'DE' : 'FR', posts: [] })
  const posts = writers.flatMap((author, at) =>
    [1, 2].map((number) => ({
      author,
      text: `Number ${number} about ${topic}`,
      declaredReactions: 10 + at,
      declaredComments: 5,
      reactions: 0,
      comments: 0,
    })),
  )
  stage.sandbox.world.seedSearch({ posts, generated: false })
  return { author: writers[0]!, fans: [], topic }
}

/** Tracks with a webhook in place before anybody is captured; the network holds the first page until `arm` has armed. */
async function sweep(team: Team, { author }: Scene, arm: () => Promise<unknown>): Promise<void> {
  const held = { operation: 'profile-posts', match: { profilePublicIdentifier: author } }
  stage.sandbox.world.hold(held)
  await ok(team, 'POST', '/enrich/profile', { username: author, saveTrackedProfile: true })
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
  const shown = await Promise.all(
    sources.map(async (source: Answer['body']) => ({
      ...without(source),
      status: without(await get(team, `/sources/${source.id}/sync`)),
    })),
  )
  const { runs } = await get(team, '/discover')
  const found = await Promise.all(runs.map(({ id }: { id: string }) => get(team, `/discover/${id}`)))
  const delivered = deliveredTo(team)
  return timeless({
    rows: inOrder(rows),
    money,
    syncs: inOrder(syncs),
    held,
    delivered,
    sources: inOrder(shown),
    found,
  })
}

/** A flow of calls; `act` calls `arm` when the crash may come. */
type Flow = {
  readonly seed: () => Scene
  readonly act: (team: Team, scene: Scene, arm: () => Promise<unknown>) => Promise<void>
  readonly after?: (team: Team) => Promise<void>
}

const captured = async (team: Team, scene: Scene): Promise<void> => {
  await sweep(team, scene, async () => {})
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

const isSendOver = async (team: Team): Promise<boolean> =>
  (await rowsOf(team, `select 1 from planned_send where team_id = $1 and state = 'done'`)).length > 0
/** Waits until `isSo` is true or this process has died. */
const untilOrDeath = (what: string, victim: Process, isSo: () => Promise<boolean>): Promise<true> =>
  until(`${what}, or a death`, async () =>
    victim !== service || victim.child.signalCode !== null || (await isSo()) ? true : undefined,
  )

async function replayAll(team: Team, scene: Scene, arm: () => Promise<unknown>): Promise<void> {
  await captured(team, scene)
  const { id: ownerId } = (await ok(team, 'GET', '/sources')).sources[0]
  await arm()
  const { now } = await operate(service.url, 'GET', '/clock')
  await rowsOf(
    team,
    `with planned as (
       insert into planned_send (team_id, id, kind, label, goes, state, requested_by, created_at, due_at, starts_at)
       values ($1, $2, 'replay', 'a label', 4, 'planned', 'somebody', $3, $3, $3))
     insert into planned_send_part (team_id, send_id, place, owner_id, ids, how)
     select $1, $2, 0, $4, array_agg(id order by id), '{"what":"replay","states":["sent"]}'
     from delivery where team_id = $1 and state = 'sent'`,
    ...[randomUUID(), now, ownerId],
  )
  await rowsOf(
    team,
    `insert into work_turn (team_id, kind, served) select $1, 'send', 0
     where not exists (select 1 from work_turn where team_id = $1 and kind = 'send')`,
  )
}

const flows = {
  'a sync': { seed: () => seedScenes(), act: (team, scene, arm) => sweep(team, scene, arm) },
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
  'an enrichment': {
    seed: seedScene,
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
  'a search for people': {
    seed: seedWriters,
    act: async (team, { topic }, arm) => {
      await arm()
      await ok(team, 'POST', '/discover', {
        keywords: [topic],
        countries: ['Germany'],
        maxInfluencers: 3,
        confirmSpend: true,
      })
    },
    after: async (team) => {
      expect((await get(team, '/discover')).runs).toMatchObject([
        { state: 'done', found: 3, qualified: 5, countryChecked: 10, countryMatched: 5 },
      ])
      const charged = `select 1 from credit_entry where team_id = $1 and kind = 'charge' and category = 'discover'`
      expect(await rowsOf(team, charged)).toHaveLength(3)
    },
  },
} as const satisfies Record<string, Flow>

/**
 * Where processes are killed: where money and its reason are written separately, where something could be sent twice, and a
 * request. The long run adds places that no test without processes dies at. All others are covered without processes:
 * `scenarios/crash-points` (syncs, tracking), `keyword-run-crash` (searches), `outreach-lost` (lost answers), and the other scenarios.
 */
const places: readonly (readonly [FaultPoint, keyof typeof flows])[] = [
  ['capture.charged', 'a sync'],
  ['delivery.sent', 'a sync'],
  ['posts-read.fetched', 'a charged read'],
  ['discover.charged', 'a search for people'],
  // Another database changes nothing about these.
  ...amount<readonly (readonly [FaultPoint, keyof typeof flows])[]>(
    [['outreach.answered', 'an auto-push']],
    [
      ['outreach.answered', 'an auto-push'],
      ['enrich-job.fetched', 'an enrichment'],
      ['rescore.saved', 'criteria'],
      ['send.claimed', 'a replay of a person'],
      ['send.before-commit', 'a replay of a person'],
    ],
    [],
  ),
]

async function perform(flow: Flow, scene: Scene, point?: FaultPoint): Promise<unknown> {
  const team = await makeTeam(service.url)
  const victim = service
  await flow.act(team, scene, async () => {
    if (point) await armCrash(service.url, point)
  })
  if (point) {
    if (service === victim) await replace(victim)
    expect(await stage.armedTimes(point)).toBe(0)
  }
  await drain()
  await flow.after?.(team)
  const ids = stage.inbox.received
    .filter(({ path }) => path.endsWith(team.id))
    .map(({ headers }) => headers['webhook-id'])
  // The process died before it recorded the receiver's answer, so the delivery is sent again.
  if (point === 'delivery.sent') expect(ids.length).toBeGreaterThan(new Set(ids).size)
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
  it.each(places)(
    'at %s, in the middle of %s: what is left is what an undisturbed twin leaves, and every delivery came, under one id [CRD-13, SYN-02]',
    async (point, name) => {
      const flow: Flow = flows[name]
      // All disturbed runs of a flow share one undisturbed twin, because teams are isolated; a retry gets a new scene and twin.
      const shared = scenes.get(name) ?? { scene: flow.seed() }
      scenes.delete(name)
      const disturbed = await perform(flow, shared.scene, point)
      shared.calm ??= await perform(flow, shared.scene)
      expect(disturbed).toEqual(shared.calm)
      scenes.set(name, shared)
    },
    180_000,
  )
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
