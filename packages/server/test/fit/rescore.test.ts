import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { icpOperations, rescoreStep, rescoreWork, type RescoreDeps } from '../../src/modules/fit/index.ts'
import { leadOperations } from '../../src/modules/leads/index.ts'
import { findActiveSource, lockActiveSource } from '../../src/modules/sources/index.ts'
import type { FaultPoint } from '../../src/platform/faults.ts'
import { readWaiting } from '../../src/platform/work/index.ts'
import { lockPushable } from '../../src/modules/delivery/push/store.ts'
import { openStage, type Stage } from '../delivery/stage.ts'

let stage: Stage
let made = 0
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const deps = (
  faultPoint: (point: FaultPoint) => Promise<void> = async () => {},
  over: Partial<RescoreDeps> = {},
): RescoreDeps => ({
  unitOfWork: stage.unitOfWork,
  system: stage.deps.system,
  processId: stage.deps.processId,
  faultPoint,
  batch: 3,
  ...over,
})
const save = (id: string, name: string, with_ = deps()) =>
  icpOperations({ ...with_, owners: { find: findActiveSource, lock: lockActiveSource } }).updateSourceIcp(
    { id, rules: [{ column: 'name', operator: 'contains', value: name }] } as never,
    stage.context(stage.teamId) as never,
  ) as unknown as Promise<{ rescored: number }>

async function source(): Promise<string> {
  const id = await stage.makeSource(`rescore-${++made}`)
  for (let lead = 0; lead < 10; lead++) {
    if (lead % 4 === 3) stage.advance(1_000)
    await stage.makeLead(id, { name: lead % 2 === 0 ? 'Ann' : 'Ben' })
  }
  return id
}
const verdicts = async (id: string) => {
  const { rows } = await sql<{
    name: string
    is_icp: boolean | null
    count: number
  }>`select name, is_icp, count(*)::integer as count from lead where owner_id = ${id} group by 1, 2
    order by 1, 2`.execute(stage.db)
  return Object.fromEntries(rows.map((row) => [`${row.name} ${row.is_icp}`, row.count]))
}
const failing = (point: FaultPoint, at: number) => {
  let passes = 0
  return async (place: FaultPoint) => {
    if (place === point && ++passes === at) throw new Error('died')
  }
}
async function sweep(): Promise<number> {
  const step = rescoreStep(deps())
  let batches = 0
  while ((await step()) === 'worked') batches += 1
  return batches
}

test('leads are judged batch by batch, each once [ICP-05]', async () => {
  const id = await source()
  let batches = 0
  expect(
    await save(
      id,
      'ann',
      deps(async (point) => void (batches += point === 'rescore.batch' ? 1 : 0)),
    ),
  ).toMatchObject({ rescored: 10 })
  expect([batches, await verdicts(id)]).toEqual([4, { 'Ann true': 5, 'Ben false': 5 }])
  const at = { now: new Date('2100-01-01T00:00:00.000Z'), nowMs: Number.MAX_SAFE_INTEGER, most: 1 }
  expect(await readWaiting(stage.db, rescoreWork.rows, at)).toEqual([])
})

test('a request that dies midway leaves the rest to the sweep, which goes on where it stood [ICP-05]', async () => {
  const id = await source()
  await expect(save(id, 'ann', deps(failing('rescore.batch', 3)))).rejects.toThrow('died')
  expect(await verdicts(id)).toEqual({ 'Ann true': 3, 'Ben false': 3, 'Ann null': 2, 'Ben null': 2 })
  expect(await sweep()).toBe(2)
  expect(await verdicts(id)).toEqual({ 'Ann true': 5, 'Ben false': 5 })
})

test('criteria saved again midway judge everybody from the beginning [ICP-05]', async () => {
  const id = await source()
  await expect(save(id, 'ann', deps(failing('rescore.batch', 3)))).rejects.toThrow('died')
  expect(await save(id, 'ben')).toMatchObject({ rescored: 10 })
  expect(await verdicts(id)).toEqual({ 'Ann false': 5, 'Ben true': 5 })
  await Promise.all(['ann', 'ben', 'ann', 'ben'].map((name) => save(id, name)))
  const { rows } = await sql<{
    value: string
  }>`select rules->0->>'value' as value from icp where owner_id = ${id}`.execute(stage.db)
  expect(await verdicts(id)).toEqual(
    rows[0]!.value === 'ann' ? { 'Ann true': 5, 'Ben false': 5 } : { 'Ann false': 5, 'Ben true': 5 },
  )
})

test('what is written is only what changes, and waiting and raw leads stay unjudged [ICP-05]', async () => {
  const id = await source()
  const [waiting, raw] = [
    await stage.makeLead(id, { name: 'Ann', enrichment: 'pending' }),
    await stage.makeLead(id, { name: 'Ann', enrichment: 'raw' }),
  ]
  expect(await save(id, 'ann')).toMatchObject({ rescored: 10 })
  const versions = async () =>
    (await sql<{ xmin: string }>`select xmin::text from lead where owner_id = ${id} order by id`.execute(stage.db)).rows
  const before = await versions()
  expect(await save(id, 'AN')).toMatchObject({ rescored: 10 })
  expect(await versions()).toEqual(before)
  const { rows } = await sql`select 1 from lead where id = any(${[waiting, raw]}) and is_icp is not null`.execute(
    stage.db,
  )
  expect(rows).toEqual([])
})

test('who is enriched or known as far as possible is judged; who waits, was skipped or is raw is not [ICP-05]', async () => {
  const id = await stage.makeSource(`rescore-${++made}`)
  for (const enrichment of ['completed', 'failed', 'pending', 'processing', 'skipped', 'raw'])
    await stage.makeLead(id, { name: `Ann ${enrichment}`, enrichment })
  expect(await save(id, 'Ann')).toMatchObject({ rescored: 2 })
  expect(await verdicts(id)).toEqual({
    'Ann completed true': 1,
    'Ann failed true': 1,
    'Ann pending null': 1,
    'Ann processing null': 1,
    'Ann skipped null': 1,
    'Ann raw null': 1,
  })
})

async function shown(id: string) {
  const read = async (operation: 'listLeads' | 'listEngagers', filter: Record<string, unknown>) => {
    const answer = (await leadOperations[operation](
      { limit: 50, offset: 0, profileId: id, ...filter } as never,
      stage.context(stage.teamId) as never,
    )) as unknown as Record<'leads' | 'engagers', { name: string; isIcp: boolean | null }[]>
    return Object.entries(Object.groupBy(answer.leads ?? answer.engagers, ({ name, isIcp }) => `${name} ${isIcp}`)).map(
      ([what, rows]) => `${rows!.length} ${what}`,
    )
  }
  return {
    leads: (await read('listLeads', {})).sort(),
    fits: await read('listLeads', { isIcp: true }),
    others: await read('listLeads', { isIcp: false }),
    people: (await read('listEngagers', {})).sort(),
    peopleThatFit: await read('listEngagers', { isIcp: true }),
  }
}
const byName = (fit: string, other: string) => ({
  leads: [`5 ${fit} true`, `5 ${other} false`].sort(),
  fits: [`5 ${fit} true`],
  others: [`5 ${other} false`],
  people: [`5 ${fit} true`, `5 ${other} false`].sort(),
  peopleThatFit: [`5 ${fit} true`],
})
const count = (id: string) =>
  sql`update source set lead_rows = 10, leads_completed = 10 where id = ${id}`.execute(stage.db)
const progress = async (id: string) =>
  (
    (await icpOperations({ ...deps(), owners: { find: findActiveSource, lock: lockActiveSource } }).getSourceIcp(
      { id } as never,
      stage.context(stage.teamId) as never,
    )) as unknown as { rescoring?: unknown }
  ).rescoring

test(
  'of many leads the request judges the first and says so; the background goes on with the newest criteria, also when it ' +
    'died midway, and lists show what is stored [ICP-05, ICP-11]',
  async () => {
    const id = await source()
    await count(id)
    expect(await save(id, 'ben')).toMatchObject({ rescored: 10 })
    expect(await shown(id)).toEqual(byName('Ben', 'Ann'))
    const large = deps(undefined, { inRequest: 2 })
    expect(await save(id, 'ann', large)).toMatchObject({ rescored: 3, rescoring: { judged: 3, leads: 10 } })
    expect((await shown(id)).leads).toEqual(['2 Ann true', '1 Ben false', '3 Ann false', '4 Ben true'].sort())
    // Saved again during rescoring: it starts over, and only the newest save continues.
    expect(await save(id, 'ann', large)).toMatchObject({ rescored: 3, rescoring: { judged: 3, leads: 10 } })
    const step = rescoreStep(large)
    for (const judged of [3, 6, 9]) {
      expect(await progress(id)).toEqual({ judged, leads: 10 })
      await expect(rescoreStep(deps(failing('rescore.batch', 1)))()).rejects.toThrow('died')
      expect(await step()).toBe('worked')
    }
    expect([await progress(id), await shown(id), await sweep()]).toEqual([undefined, byName('Ann', 'Ben'), 0])
  },
)

test('a push of those who fit goes by the criteria as saved, whatever verdict is stored [ICP-05, ICP-11]', async () => {
  const id = await source()
  const waiting = await stage.makeLead(id, { name: 'Ben', enrichment: 'pending' })
  const pushable = (icpOnly: boolean) =>
    stage.unitOfWork((tx) => lockPushable(tx, { scope: { teamId: stage.teamId, ownerId: id, leadIds: null }, icpOnly }))
  await save(id, 'ben')
  const died = deps(failing('rescore.batch', 1))
  await expect(save(id, 'ann', died)).rejects.toThrow('died')
  expect(await verdicts(id)).toMatchObject({ 'Ann false': 5, 'Ben true': 5 })
  const { rows } = await sql<{ id: string }>`
    select id from lead where owner_id = ${id} and (name = 'Ann' or id = ${waiting}) order by id`.execute(stage.db)
  expect((await pushable(true)).map((lead) => lead.id)).toEqual(rows.map((lead) => lead.id))
  expect(await pushable(false)).toHaveLength(11)
})
