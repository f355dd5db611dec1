/** Enrichment concurrent with other work on the same company: no lead keeps facts that were outdated when it was filled. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { companyResolver } from '../../src/modules/enrichment/company-lookup.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { CompanyRecord, Network } from '../../src/providers/ports.ts'
import { countWaiting } from '../world/locks.ts'
import { jobOf, leadsOf, track } from '../world/tracking.ts'
import { fastClock } from '../world/fast-clock.ts'
import { useWorld, drainOnly, type Team } from '../world/world.ts'

const naps: number[] = []
const sleep: typeof systemClock.sleep = (ms, signal) => {
  naps.push(ms)
  return fastClock.sleep(ms, signal)
}
const world = useWorld({ config: drainOnly, overrides: { system: { ...fastClock, sleep } } })

function engage(author: string, slug: string): void {
  const fan = world.handle('fan')
  world.network.seedPerson({ handle: fan, company: slug })
  world.network.seedPost({ author, reactions: [{ person: fan }] })
}

async function askFor(team: Team, route: 'profile' | 'company', username: string): Promise<string> {
  const { status, body } = await team.post(`/enrich/${route}`, { username })
  expect([status, body.error]).toEqual([200, undefined])
  return body.jobId
}

it('a lead that is filled while its company is refreshed has the newer facts, and is judged by them [ENR-02, ENR-06, ICP-01]', async () => {
  const { pool } = world.database
  const [team, slug] = [await world.team(), world.handle('acme')]
  world.network.seedCompany({ slug, industry: 'Robotics Engineering', employees: 40 })
  const [earlier, author] = [world.handle('author'), world.handle('author')]
  engage(earlier, slug)
  world.network.seedPerson({ handle: author, posts: [] })
  for (const username of [earlier, author]) await track(team, username)
  await world.drain()
  // Lookups of people fail for a while, so that the lead exists and waits.
  for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'status_500', operation })
  engage(author, slug)
  await world.advance('25h')
  world.network.clearFaults()
  await world.move('10m')
  const builds = [{ column: 'companyIndustry', operator: 'contains', value: 'shipbuilding' }]
  expect((await team.put(`/profile/${author}/icp`, { rules: builds })).status).toBe(200)
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    const { rows } = await holder.query(
      `select pg_backend_pid() as pid from ${await world.shardOf(team)}.lead where team_id = $1 and enrichment = 'pending' for update`,
      [team.id],
    )
    expect(rows).toHaveLength(1)
    world.beginDrain()
    // The company has been read, the lead not yet written.
    await expect.poll(() => countWaiting(pool, rows[0].pid)).toBe(1)
    world.network.seedCompany({ slug, industry: 'Shipbuilding', employees: 900 })
    const jobId = await askFor(team, 'company', slug)
    world.beginDrain()
    const ended = async () => (await jobOf(team, jobId)).status === 'completed'
    const blocked = 'select 1 from pg_stat_activity where datname = current_database() and pg_blocking_pids(pid) <> $1'
    await expect.poll(async () => (await ended()) || (await pool.query(blocked, [[]])).rowCount === 2).toBe(true)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  await world.settle()
  await world.drain()
  expect(await leadsOf(team, author)).toMatchObject([
    { companyIndustry: 'Shipbuilding', companyEmployeeCount: 900, isIcp: true },
  ])
})

it('somebody asked for while another process looks their company up gets its facts [ENR-02, ENR-06]', async () => {
  const team = await world.team()
  const [author, fan, slug] = [world.handle('author'), world.handle('fan'), world.handle('acme')]
  world.network.seedPerson({ handle: fan })
  world.network.seedPost({ author, reactions: [{ person: fan }] })
  await track(team, author)
  await world.drain()
  const { id } = world.network.seedCompany({ slug, industry: 'Shipbuilding' })
  world.network.seedPerson({ handle: fan, company: slug })
  const { service } = world
  const record = await service.network.company({ slug })
  const answer = Promise.withResolvers<CompanyRecord>()
  const elsewhere = world.inShardOf(team, () => {
    const resolve = companyResolver({
      db: service.database.root,
      unitOfWork: service.unitOfWork,
      network: { company: () => answer.promise } as unknown as Network,
      system: systemClock,
      serviceNow: () => world.now(),
      faultPoint: async () => {},
      processId: randomUUID(),
    })
    return resolve(`urn:li:company:${id}`)
  })
  const claims = 'select 1 from company_lookup'
  await expect.poll(async () => (await world.database.pool.query(claims)).rowCount).toBe(1)
  const jobId = await askFor(team, 'profile', fan)
  naps.length = 0
  world.beginDrain()
  await expect.poll(async () => naps.includes(200) || (await jobOf(team, jobId)).status === 'completed').toBe(true)
  answer.resolve(record)
  expect(await elsewhere).toBe('known')
  await world.settle()
  expect(await jobOf(team, jobId)).toMatchObject({ status: 'completed', result: { leadsUpdated: 1 } })
  expect(await leadsOf(team, author)).toMatchObject([{ companyIndustry: 'Shipbuilding' }])
})
