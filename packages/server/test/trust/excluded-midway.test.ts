/** People excluded while a destination's batch is under way: the rest of the batch leaves them out (EXC-10, PRV-10). */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { kinds, place, type Kind } from '../destinations/kinds.ts'
import { deliveriesOf } from '../destinations/stage.ts'
import { capture, fans, ok } from '../scenarios/outreach-stage.ts'
import { useWorld, drainOnly, type Answer } from '../world/world.ts'
import { exclude } from './exclusions-stage.ts'

const world = useWorld({ config: drainOnly })

/** A destination with three waiting people, and a worker that waits for the answer to its first such call. */
async function underWay(of: Kind, call: Partial<Kind['write']>, more: { company?: string; field?: string } = {}) {
  const { company, field } = more
  const team = await world.team()
  const mapping = field === undefined ? [] : [{ field, from: 'headline', mode: 'always' as const }]
  const there = await place(world, team, of, { active: false, mapping })
  const { handles } = await capture(world, team, fans(3, company === undefined ? {} : { company }))
  expect((await there.set({ active: true })).status).toBe(200)
  const held = { ...call, vendor: of.write.vendor }
  world.network.hold(held)
  world.beginDrain()
  await world.network.untilWaiting(1, held)
  const goOn = async () => {
    world.network.release()
    await world.settle()
    await world.drain()
  }
  const isThere = (handle: string) => there.people().some((text) => text.includes(handle))
  return { team, there, handles, goOn, isThere }
}

it.each(kinds.filter(({ kind }) => ['hubspot', 'google_sheets', 'attio', 'salesforce'].includes(kind)))(
  '$kind that is asked something first gets nobody who is excluded meanwhile, and everybody else at once [EXC-07, EXC-10]',
  async (of) => {
    const { team, there, handles, goOn, isThere } = await underWay(of, {})
    await exclude(team, [{ kind: 'person', value: handles[1]! }])
    await goOn()
    expect(handles.map(isThere)).toEqual([true, false, true])
    expect(await there.shown()).toMatchObject({ state: 'active', pausedReason: null, counts: { waiting: 0 } })
    const states = (await deliveriesOf(team, there.id)).map(({ state, attempts }) => [state, attempts])
    expect(states.toSorted()).toEqual([
      ['delivered', 1],
      ['delivered', 1],
      ['excluded', 0],
    ])
  },
)

it('attio, which is written one after the other, gets nobody more of a batch who objects during it [EXC-10, PRV-10, DST-07]', async () => {
  const attio = kinds.find(({ kind }) => kind === 'attio')!
  const { team, there, handles, goOn, isThere } = await underWay(attio, attio.write)
  for (const profileUrl of handles) expect((await team.post('/privacy/objections', { profileUrl })).status).toBe(201)
  await goOn()
  // Only the person of the call that was under way has arrived.
  expect(handles.filter(isThere)).toHaveLength(1)
  const states = (await deliveriesOf(team, there.id)).map(({ state }) => state)
  expect(states.toSorted()).toEqual(['delivered', 'excluded', 'excluded'])
})

it.each([
  ['hubspot', 'gone'],
  ['salesforce', 'Gone__c'],
] as const)(
  '%s, which refuses a field, gets nobody by the corrected call who is excluded during the first [EXC-07, EXC-10]',
  async (kind, field) => {
    const of = kinds.find((one) => one.kind === kind)!
    const { team, there, handles, goOn, isThere } = await underWay(of, of.write, { field })
    await exclude(team, [{ kind: 'person', value: handles[1]! }])
    await goOn()
    expect(handles.map(isThere)).toEqual([true, false, true])
    expect(await there.shown()).toMatchObject({ state: 'active', counts: { waiting: 0, delivered: 2 } })
  },
)

it('attio gets nobody who is excluded while their company is made there [EXC-07, EXC-10]', async () => {
  const attio = kinds.find(({ kind }) => kind === 'attio')!
  const company = world.handle('firm')
  world.network.seedCompany({ slug: company, website: `https://${company}.example.com` })
  const call = { operation: 'AssertRecord', match: { object: 'companies' } }
  const { team, there, handles, goOn } = await underWay(attio, call, { company })
  await exclude(
    team,
    handles.map((value) => ({ kind: 'person', value })),
  )
  await goOn()
  expect(there.people()).toEqual([])
})

it('s3 without conditional writes gets nobody who is excluded after it has refused the first [EXC-07, EXC-10]', async () => {
  const s3 = kinds.find(({ kind }) => kind === 's3')!
  const older: Kind = {
    ...s3,
    body: (at, mark) => s3.body(at, `older-${mark}`),
    people: (at, mark) => s3.people(at, `older-${mark}`),
  }
  const { team, handles, goOn, isThere } = await underWay(older, { operation: 'head' })
  await exclude(team, [{ kind: 'person', value: handles[1]! }])
  await goOn()
  expect(handles.map(isThere)).toEqual([true, false, true])
})

it('a batch is judged by what is stored, where the message of another process is lost with that process [EXC-10]', async () => {
  const attio = kinds.find(({ kind }) => kind === 'attio')!
  const { team, handles, goOn, isThere } = await underWay(attio, attio.write)
  for (const handle of handles)
    await world.unit(team, ({ db, now, newId }) =>
      sql`insert into exclusion (team_id, id, kind, key, value, list, origin, created_by, created_at)
        values (${team.id}, ${newId()}, 'person', ${handle}, ${handle}, 'do_not_contact', 'api', 'Other', ${now})`.execute(
        db,
      ),
    )
  await goOn()
  expect(handles.filter(isThere)).toHaveLength(1)
})

it('a person excluded during a batch does not go with it either when their lead is deleted by its age before that [EXC-10, PRV-12]', async () => {
  const hubspot = kinds.find(({ kind }) => kind === 'hubspot')!
  const { team, there, handles, goOn, isThere } = await underWay(hubspot, {})
  await ok(team.put('/privacy/retention', { keepLeadsDays: 30 }))
  await world.move('31d')
  await world.runTask('purge old rows of teams')
  await exclude(team, [{ kind: 'person', value: handles[1]! }])
  await goOn()
  expect(handles.map(isThere)).toEqual([false, false, false])
  expect(await there.shown()).toMatchObject({ state: 'active', pausedReason: null, counts: { waiting: 0 } })
})

it('an export asked for while outcomes of a CRM are being stored waits, and lacks who was won [EXC-07, RSL-05, DST-17]', async () => {
  const team = await world.team()
  const there = await place(world, team, kinds.find(({ kind }) => kind === 'hubspot')!)
  await capture(world, team, fans(2))
  const { id: won } = JSON.parse(there.people()[0]!)
  const at = new Date((await world.now()).getTime() + 60_000).toISOString()
  const change = { object: 'contacts', id: won, properties: { lifecyclestage: 'customer' }, at } as const
  world.network.twins.hubspot.change(there.mark, { do: 'set', ...change })
  await world.move('61m')
  const { pool } = world.database
  await pool.query('update destination set lease_until_ms = 0 where team_id = $1', [team.id])
  const untilBlocked = (count: number) =>
    expect.poll(async () => (await pool.query(blocked)).rows.length, { timeout: 10_000 }).toBe(count)
  const blocked = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  const holder = await pool.connect()
  let asked: Promise<Answer> | undefined
  try {
    await holder.query(`begin; lock table ${await world.shardOf(team)}.result in share mode`)
    world.beginDrain()
    await untilBlocked(1)
    asked = team.post('/exports', { format: 'csv', preset: 'hubspot' })
    await untilBlocked(2)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  const { id } = (await asked).body
  await world.drain()
  expect(await ok(team.get(`/exports/${id}`))).toMatchObject({ state: 'done', rows: 1 })
})
