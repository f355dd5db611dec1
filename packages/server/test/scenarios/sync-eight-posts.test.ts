/** A run asks for a page of each of up to eight posts at once and writes them in one unit. */
import { beforeAll, describe, expect, it } from 'vitest'
import { useWorld, type Team } from '../world/world.ts'
import { onlySeeded, rowOf, search, topic } from './keyword-run-stage.ts'
import { expireLeases, hastyMachine, statusOf, track } from './sync-stage.ts'

// Without workers: the test itself does one step after the other.
const still = useWorld({ config: { roles: ['http'] }, overrides: { system: hastyMachine } })
beforeAll(() => onlySeeded(still))

const raw = { enrichLeads: false }
const step = () => still.service.steps.capture()
const workOff = async (kind: 'capture' | 'keyword' = 'capture') => {
  while ((await still.service.steps[kind]()) === 'worked') {
    // The next step.
  }
}

/** An author with eight posts of so many likes each. */
function prolific(reactions: number): string {
  const author = still.handle('author')
  for (let at = 0; at < 8; at++) still.network.seedPost({ author, reactions, comments: 0 })
  return author
}

/** What is written of a team: its leads and the units they came in, its charges, and what its newest run has come to. */
async function written(team: Team) {
  const { rows } = await still.database.pool.query(
    `select leads, units, charges, lead_rows, posts_processed, engagers_seen, credits_spent, lease_until_ms is not null as leased
     from (select count(*)::int as leads, count(distinct xmin::text)::int as units from lead where team_id = $1) l,
       (select count(*)::int as charges from credit_entry where team_id = $1 and kind = 'charge') c,
       (select * from sync where team_id = $1 order by created_at desc limit 1) s`,
    [team.id],
  )
  return rows[0]
}

/** Tracks an author and works the listing of the posts. */
async function listed(reactions: number) {
  await workOff()
  const [team, author] = [await still.team(), prolific(reactions)]
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

  it('of which the process dies when it is written asks for none of it again [SYN-02]', async () => {
    const { team } = await listed(100)
    await still.arm('capture.after-commit', 1)
    await expect(step()).rejects.toThrow()
    expect(await written(team)).toMatchObject({ leads: 800, posts_processed: 8 })
    await expireLeases(still)
    still.network.clearCalls()
    await workOff()
    expect(still.network.calls({ operation: 'post-reactions' })).toEqual([])
    expect(await written(team)).toMatchObject({ leads: 800, charges: 800, leased: false })
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
    // Teams of other tests that were left ready would keep this one from being alone.
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
