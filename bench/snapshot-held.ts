/**
 * Work while another session holds a snapshot, as a backup of a large database does for as long as it takes: nothing that is written
 * meanwhile can be cleaned up, and whoever walks past what is over walks past more and more. Each work is done twice, without and with
 * the snapshot, and its last fifth is set against its first: `node bench/snapshot-held.ts [--rows 50000] [--only deliveries]`.
 */
import { jobCatalog } from '../packages/server/src/job-catalog.ts'
import { trackSource } from '../packages/server/src/modules/sources/index.ts'
import { layDownDeliveries } from './due-deliveries.ts'
import { networkOfPeople, networkOfReactions } from './networks.ts'
import { openReceiver } from './receiver.ts'
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

const rows = option('rows', 50_000)
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined
const [posts, pages, perPage] = [15, 3, 100]
const body = Buffer.from(JSON.stringify({ event: 'lead.detected', lead: { name: 'Person', text: 'x'.repeat(1_200) } }))

let [pagesRead, peopleFound] = [0, 0]
const network = {
  ...networkOfReactions({ posts, pages, perPage }, () => (pagesRead += 1)),
  ...(({ profile, company }) => ({ profile, company }))(networkOfPeople(() => (peopleFound += 1))),
}
const stage = await openStage({ overrides: { network } })
const { service, tools } = stage
const receiver = await openReceiver(0)

/** Something to be done: laid down for a team of its own, then worked by so many lanes, and how much of it is done by now. */
type Work = {
  readonly name: string
  readonly lay: (teamId: string) => Promise<void>
  readonly step: () => Promise<'worked' | 'idle'>
  readonly lanes: number
  readonly done: () => number
}

const deliveriesTo = (owners: number): Work => ({
  name: `deliveries to ${owners === 1 ? 'one endpoint' : `${owners} endpoints`}`,
  lay: (teamId) =>
    layDownDeliveries(service.database.pool, {
      teamId,
      url: receiver.url,
      body,
      owners,
      count: rows / (owners === 1 ? 2 : 1),
    }),
  step: service.steps.delivery,
  lanes: 2,
  done: receiver.received,
})

const works: readonly Work[] = [
  deliveriesTo(20),
  deliveriesTo(1),
  {
    name: 'enrichment',
    lay: (teamId) => layDownPeople(stage, teamId, rows),
    step: service.steps.enrichment,
    lanes: jobCatalog.enrichment.concurrency,
    done: () => peopleFound,
  },
  {
    name: 'capture',
    lay: async (id) => {
      const caller = { teamId: id, keyId: '', plan: 'growth', status: 'active', captureAllowed: true } as const
      for (let nth = 1; nth <= Math.ceil(rows / (posts * pages * perPage)); nth++)
        await service.unitOfWork((tx) =>
          trackSource(tx, caller, { type: 'person', username: `bench-${nth}`, named: {}, confirmSpend: false }),
        )
    },
    step: service.steps.capture,
    lanes: 4,
    done: () => pagesRead * perPage,
  },
]

/** Rates of a work done to its end: all of it, its first and its last fifth, a second. */
type Rates = { readonly all: number; readonly first: number; readonly last: number }

async function work({ step, lanes, done }: Work): Promise<Rates> {
  const [began, before] = [performance.now(), done()]
  const seen: { atMs: number; count: number }[] = []
  const watch = setInterval(() => seen.push({ atMs: performance.now() - began, count: done() - before }), 50)
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while ((await step()) === 'worked') {
        /* next one */
      }
    }),
  )
  clearInterval(watch)
  const [tookMs, count] = [performance.now() - began, done() - before]
  const at = (part: number) => seen.find((each) => each.count >= count * part)?.atMs ?? tookMs
  const fifth = (tookMs: number) => (count / 5 / tookMs) * 1_000
  return { all: (count / tookMs) * 1_000, first: fifth(at(0.2)), last: fifth(at(1) - at(0.8)) }
}

async function measure(each: Work): Promise<Figure[]> {
  const free = await stage.team()
  await each.lay(free.id)
  const alone = await work(each)
  const team = await stage.team()
  await each.lay(team.id)
  const holder = await tools.pool.connect()
  await holder.query('set idle_in_transaction_session_timeout = 0')
  await holder.query('begin isolation level repeatable read read only')
  await holder.query('select count(*) from team')
  await resetStatements(service.database.pool)
  const held = await work(each)
  await holder.query('rollback')
  holder.release()
  printStatements(
    `Where the database spent its time, a snapshot held: ${each.name}`,
    await topStatements(service.database.pool, 6),
  )
  const told = ({ all, first, last }: Rates) => `${Math.round(all)}/s, from ${Math.round(first)} to ${Math.round(last)}`
  return [
    {
      name: `${each.name}, while another session holds a snapshot`,
      measured: told(held),
      limit: `${told(alone)}: without it`,
      ratio: held.all / alone.all,
      aim: '>= 0.7',
      reached: held.all / alone.all >= 0.7,
    },
  ]
}

const figures: Figure[] = []
for (const each of works) if (only === undefined || each.name.includes(only)) figures.push(...(await measure(each)))
await receiver.close()
await stage.close()
printFigures('Beside a held snapshot', figures)
