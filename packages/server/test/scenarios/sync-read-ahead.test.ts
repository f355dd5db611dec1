/** A run reads a page of each of a few posts at once while no other team waits and no bound is near. */
import { describe, expect, it } from 'vitest'
import { useWorld, type Team } from '../world/world.ts'
import { hastyMachine, likes, people, statusOf, track } from './sync-stage.ts'

// Without workers: the test itself does one unit of work after the other, and counts.
const still = useWorld({ config: { roles: ['http'] }, overrides: { system: hastyMachine } })

/** An author with so many posts of 120 likes each: two pages of a vendor. */
function prolific(posts: number): string {
  const author = still.handle('author')
  for (let at = 0; at < posts; at++) still.network.seedPost({ author, reactions: 120, comments: 0 })
  return author
}

/** Works unit by unit until nothing is left; answers the pages of reactions that each asked the first vendor for. */
async function pagesByUnit(): Promise<number[]> {
  const pages: number[] = []
  for (;;) {
    still.network.clearCalls()
    if ((await still.service.steps.capture()) === 'idle') return pages
    pages.push(still.network.calls({ vendor: 'harvestapi', operation: 'post-reactions' }).length)
  }
}

/** Has both vendors fail whatever is asked of a post. */
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
  it('reads a page of each at once, and stores and charges the same as one after the other [SYN-02, CRD-13]', async () => {
    const team = await still.team()
    const author = prolific(6)
    await track(team, author, raw)
    // The listing; two pages of each; the end.
    expect(await pagesByUnit()).toEqual([0, 6, 6, 0])
    expect((await statusOf(team, author)).capture).toMatchObject({
      stoppedBy: 'exhausted',
      leadRowsCaptured: 720,
      creditsSpent: 720,
    })
    expect(await team.balance()).toBe(10_000 - 720)
    expect(await runOf(team)).toMatchObject({ lead_rows: 720, posts_processed: 6, engagers_seen: 720 })
  })

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
    const [one, other] = [await still.team(), await still.team()]
    await track(one, prolific(4), raw)
    await track(other, prolific(4), raw)
    const pages = await pagesByUnit()
    // Both list; then turn by turn, until one of them has nothing left.
    expect(pages.slice(0, 12).every((each) => each <= 1)).toBe(true)
    expect([(await runOf(one)).lead_rows, (await runOf(other)).lead_rows]).toEqual([480, 480])
  })

  it('keeps what the other pages showed when the vendors fail one, puts the run off, and asks for that page alone [SYN-02]', async () => {
    const team = await still.team()
    const author = still.handle('author')
    const ids = Array.from({ length: 3 }, () => still.network.seedPost({ author, reactions: 20, comments: 0 }).id)
    await track(team, author, raw)
    expect(await still.service.steps.capture()).toBe('worked')
    failPost(ids[1]!)
    expect(await still.service.steps.capture()).toBe('worked')
    expect(await runOf(team)).toMatchObject({ attempts: 1, finished_at: null, lead_rows: 40, posts_processed: 2 })
    expect(await still.service.steps.capture()).toBe('idle')
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
    expect(await still.service.steps.capture()).toBe('worked')
    // Newest first: the fourth of the run is the third that was made.
    failPost(ids[2]!)
    expect(await still.service.steps.capture()).toBe('worked')
    expect(await runOf(team)).toMatchObject({ attempts: 1, lead_rows: 500 })
    still.network.clearFaults()
    await still.move('1m')
    // The first of the others, alone as after any failure; four together; what had failed, last and alone; the end.
    expect(await pagesByUnit()).toEqual([1, 4, 1, 1, 0])
    expect((await statusOf(team, author)).capture).toMatchObject({ stoppedBy: 'exhausted', leadRowsCaptured: 720 })
  })
})
