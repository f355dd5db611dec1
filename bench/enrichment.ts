/**
 * People enriched a second with a vendor that answers at once, at 1,000, 100,000 and, with `--people 1000000`, 1,000,000 waiting: claims,
 * look-ups, writing, judging and ending the tasks, by as many lanes as a process has. `--people 100000 --seconds 10`; `--from 1000000`
 * leaves the smaller ones out. The first 1,000 of a process, whose code is not compiled yet, stand beside them without an aim.
 */
import { sql } from 'kysely'
import { jobCatalog } from '../packages/server/src/job-catalog.ts'
import { networkOfPeople } from './networks.ts'
import {
  openStage,
  option,
  printFigures,
  printStatements,
  resetStatements,
  topStatements,
  type Figure,
} from './support.ts'
import { layDownPeople } from './waiting-people.ts'

const most = option('people', 100_000)
const least = option('from', 1_000)
const forMs = option('seconds', 10) * 1_000
const aim = 1_000

const stage = await openStage({ overrides: { network: networkOfPeople() } })
const { service } = stage
const db = stage.tools.bare

/** Enriches people of a new team who wait, for so long at most. */
async function enrich(waiting: number): Promise<Figure> {
  const team = await stage.team()
  await layDownPeople(stage, team.id, waiting)
  // What filling the tables left to be written is not part of what enriching costs.
  await sql`checkpoint`.execute(db)
  await resetStatements(stage.tools.pool)
  const began = performance.now()
  const lane = async (): Promise<void> => {
    while (performance.now() - began < forMs && (await service.steps.enrichment()) === 'worked');
  }
  await Promise.all(Array.from({ length: jobCatalog.enrichment.concurrency }, lane))
  const took = (performance.now() - began) / 1_000
  const { rows } = await sql<{
    done: number
  }>`select count(*)::integer as done from lead where team_id = ${team.id} and enrichment = 'completed'`.execute(db)
  const rate = rows[0]!.done / took
  printStatements(
    `Where the database spent its time, ${waiting.toLocaleString('en')} waiting`,
    await topStatements(stage.tools.pool, 8),
  )
  // What is left is not in the way of the next.
  await sql`delete from enrichment_task where team_id = ${team.id}`.execute(db)
  return {
    name: `${waiting.toLocaleString('en')} people waiting: ${rows[0]!.done.toLocaleString('en')} enriched in ${took.toFixed(1)} s`,
    measured: `${Math.round(rate).toLocaleString('en')} people/s`,
    limit: '',
    ratio: null,
    aim: `at least ${aim.toLocaleString('en')}/s`,
    reached: rate >= aim,
  }
}

const { measured } = await enrich(1_000)
const cold = { name: 'the first people of a process', measured, limit: '', ratio: null, aim: '', reached: null }
const figures: Figure[] = [cold]
for (const waiting of [1_000, 100_000, 1_000_000].filter((count) => count >= least && count <= most))
  figures.push(await enrich(waiting))

printFigures('Enrichment', figures)
await stage.close()
