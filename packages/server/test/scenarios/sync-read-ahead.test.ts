import { beforeAll, describe, expect, it } from 'vitest'
import { useWorld, type Team } from '../world/world.ts'
import { onlySeeded, rowOf, search, topic } from './keyword-run-stage.ts'
import { expireLeases, likes, people, statusOf, track } from './sync-stage.ts'

// Without workers: the test does one unit of work after another and counts.
const still = useWorld({ config: { roles: ['http'] } })
beforeAll(() => onlySeeded(still))

/** An author with this many posts and likes each; 120 likes are two vendor pages. */
function prolific(posts: number, reactions = 120): string {
  const author = still.handle('author')
  for (let at = 0; at < posts; at++) still.network.seedPost({ author, reactions, comments: 0 })
  return author
}
const step = () => still.service.steps.capture()
const workOff = async (kind: 'capture' | 'keyword' = 'capture') => {
  while ((await still.service.steps[kind]()) === 'worked') {
    // The next step.
  }
}

/** Works unit by unit until nothing is left; returns how many pages of reactions each requested from the first vendor. */
async function pagesByUnit(): Promise<number[]> {
  const pages: number[] = []
  for (;;) {
    still.network.clearCalls()
    if ((await step()) === 'idle') return pages
    pages.push(still.network.calls({ vendor: 'harvestapi', operation: 'post-reactions' }).length)
  }
}

function failPost(id: string): void {
  still.network.fault({ vendor: 'harvestapi', kind: 'status_503', match: { post: id } })
  still.network.fault({ vendor: 'linkdapi', kind: 'status_503', match: { urn: id } })
}

const raw = { enrichLeads: false }
const runOf = async (team: Team) =>
  (
    await still.database.pool.query(
      'select attempts, finished_at, lead_rows, posts_processed, engagers_seen from sync where team_id = $1',
      [team.id],
    )
  ).rows[0]

describe('a run over several posts', () => {
  it('charges somebody who engaged with all of them once [CRD-13, CRD-14]', async () => {
    const team = await still.team()
    const [author, fans] = [still.handle('author'), people(still, 5)]
    for (let at = 0; at < 4; at++) still.network.seedPost({ author, reactions: likes(fans), comments: 0 })
    await track(team, author, raw)
    expect(await pagesByUnit()).toEqual([0, 4, 0])
    expect((await statusOf(team, author)).capture).toMatchObject({ leadRowsCaptured: 20, creditsSpent: 5 })
  })

  it('reads one after the other where its cap may stop it, and pays the vendor for no page it cannot use [SYN-05]', async () => {
    const team = await still.team()
    const author = prolific(4)
    await track(team, author, { ...raw, creditCapPerSync: 150 })
    expect(await pagesByUnit()).toEqual([0, 1, 1, 1])
    expect((await statusOf(team, author)).capture).toMatchObject({ stoppedBy: 'credits', leadRowsCaptured: 150 })
    const { rows } = await still.database.pool.query(
      'select count(*)::int as leads from lead where team_id = $1 group by post_url order by 1',
      [team.id],
    )
    expect(rows).toEqual([{ leads: 30 }, { leads: 120 }])
  })

  it('reads one after the other where the balance may stop it [CRD-13]', async () => {
    const team = await still.team({ credits: 400 })
    const author = prolific(4)
    await track(team, author, raw)
    expect(Math.max(...(await pagesByUnit()))).toBe(1)
    expect([await team.balance(), (await runOf(team)).lead_rows]).toEqual([0, 400])
  })

  it('takes one page a turn while another team waits for its own [SYN-01]', async () => {
    const one = await still.team()
    const other = await still.team({}, { beside: one })
    await track(one, prolific(4), raw)
    await track(other, prolific(4), raw)
    const pages = await pagesByUnit()
    // Both list their posts, then take turns until one has nothing left.
    expect(pages.slice(0, 12).every((each) => each <= 1)).toBe(true)
    expect([(await runOf(one)).lead_rows, (await runOf(other)).lead_rows]).toEqual([480, 480])
  })

  it('keeps what the other pages showed when the vendors fail one, puts the run off, and asks for that page alone [SYN-02]', async () => {
    const team = await still.team()
    const author = still.handle('author')
    const ids = Array.from({ length: 3 }, () => still.network.seedPost({ author, reactions: 20, comments: 0 }).id)
    await track(team, author, raw)
    expect(await step()).toBe('worked')
    failPost(ids[1]!)
    expect(await step()).toBe('worked')
    expect(await runOf(team)).toMatchObject({ attempts: 1, finished_at: null, lead_rows: 40, posts_processed: 2 })
    expect(await step()).toBe('idle')
    still.network.clearFaults()
    still.network.clearCalls()
    await still.advance('1m')
    const asked = still.network.calls({ vendor: 'harvestapi', operation: 'post-reactions' })
    expect(asked.map((call) => call.query.post?.includes(ids[1]!))).toEqual([true])
    expect((await statusOf(team, author)).capture).toMatchObject({
      stoppedBy: 'exhausted',
      leadRowsCaptured: 60,
      creditsSpent: 60,
    })
  })

  it('reads a post whose page the vendors have failed last and alone from then on, and the others together [SYN-02, WLD-01]', async () => {
    const team = await still.team()
    const author = still.handle('author')
    const ids = Array.from({ length: 6 }, () => still.network.seedPost({ author, reactions: 120, comments: 0 }).id)
    await track(team, author, raw)
    expect(await step()).toBe('worked')
    // Newest first: the run's fourth post is the third created.
    failPost(ids[2]!)
    expect(await step()).toBe('worked')
    expect(await runOf(team)).toMatchObject({ attempts: 1, lead_rows: 500 })
    still.network.clearFaults()
    await still.move('1m')
    // One of the others, alone as after any failure; four together; the failed one, last and alone; the end.
    expect(await pagesByUnit()).toEqual([1, 4, 1, 1, 0])
    expect((await statusOf(team, author)).capture).toMatchObject({ stoppedBy: 'exhausted', leadRowsCaptured: 720 })
  })
})

async function written(team: Team) {
  const { rows } = await still.database.pool.query(
    `select leads, units, charges, lead_rows, posts_processed, engagers_seen, credits_spent, lease_until_ms is not null as leased
     from (select count(*)::int as leads, count(distinct xmin::text)::int as units from ${await still.shardOf(team)}.lead where team_id = $1) l,
       (select count(*)::int as charges from credit_entry where team_id = $1 and kind = 'charge') c,
       (select * from sync where team_id = $1 order by created_at desc limit 1) s`,
    [team.id],
  )
  return rows[0]
}

async function listed(reactions: number) {
  await workOff()
  const [team, author] = [await still.team(), prolific(8, reactions)]
  await track(team, author, raw)
  expect(await step()).toBe('worked')
  return { team, author }
}

describe('a run over eight posts', () => {
  it('writes a page of each in one step and one unit, and stores and charges what one would [SYN-02, CRD-13]', async () => {
    const { team, author } = await listed(120)
    still.network.clearCalls()
    expect(await step()).toBe('worked')
    expect(still.network.calls({ vendor: 'harvestapi', operation: 'post-reactions' })).toHaveLength(8)
    expect(await written(team)).toEqual({
      leads: 800,
      units: 1,
      charges: 800,
      lead_rows: 800,
      posts_processed: 0,
      engagers_seen: 800,
      credits_spent: 800,
      leased: false,
    })
    await workOff()
    expect(await written(team)).toMatchObject({ leads: 960, charges: 960, lead_rows: 960, posts_processed: 8 })
    expect((await statusOf(team, author)).capture).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: 960 })
    expect(await team.balance()).toBe(10_000 - 960)
  })

  it('that dies when it is charged keeps nothing but its lease; done again it is charged once [CRD-13, CRD-14]', async () => {
    const { team, author } = await listed(100)
    await still.arm('capture.charged', 1)
    await expect(step()).rejects.toThrow()
    expect(await written(team)).toMatchObject({ leads: 0, charges: 0, lead_rows: 0, leased: true })
    expect(await step()).toBe('idle')
    await expireLeases(still)
    await workOff()
    expect(await written(team)).toMatchObject({ leads: 800, charges: 800, lead_rows: 800, posts_processed: 8 })
    expect((await statusOf(team, author)).capture).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: 800 })
  })

  it('that is untracked while its pages are asked for writes none of them [TRK-32, SYN-20]', async () => {
    const { team, author } = await listed(100)
    still.network.hold({ operation: 'post-reactions' })
    const asked = step()
    await still.network.untilWaiting(8, { operation: 'post-reactions' })
    expect((await team.del(`/profile/${author}`)).body).toMatchObject({ untracked: true })
    still.network.release()
    expect(await asked).toBe('worked')
    expect(await written(team)).toMatchObject({ leads: 0, charges: 0 })
  })

  it("that another search leaves too little of the day's ceiling stops exactly at it, and says so [KRN-14, KRN-10]", async () => {
    // Ready teams of other tests would also be waiting.
    await workOff()
    const team = await still.team({ keywordDailyCeiling: 1_800 })
    const [one, two] = [topic(still), topic(still)]
    const ids = Array.from(
      { length: 8 },
      () => still.network.seedPost({ author: still.handle(), text: one, reactions: 100, comments: 0 }).id,
    )
    for (let at = 0; at < 11; at++)
      still.network.seedPost({ author: still.handle(), text: two, reactions: 100, comments: 0 })
    const caps = { creditCap: 5_000, capturePostAuthors: false }
    const { id } = await search(team, { keyword: one, ...caps })
    await workOff('keyword')
    still.network.hold({ operation: 'post-reactions', match: { post: ids[0]! } })
    const asked = step()
    await still.network.untilWaiting(1, { operation: 'post-reactions' })
    const other = await search(team, { keyword: two, ...caps })
    await workOff('keyword')
    await workOff()
    expect((await rowOf(team, other.id)).lastRun).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: 1_100 })
    still.network.release()
    expect(await asked).toBe('worked')
    expect((await rowOf(team, id)).lastRun).toMatchObject({ stoppedBy: 'team_cap', creditsSpent: 700 })
    expect(await team.balance()).toBe(10_000 - 1_800)
  })
})
