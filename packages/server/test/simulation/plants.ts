/** Bugs that the simulation must find; each rewrites statements, changes the schema or wraps a seam of the service. */
import type { Egress } from '../../src/platform/egress/index.ts'
import { featurePlants } from './feature-plants.ts'
import { privacyPlants } from './privacy-plants.ts'
import { openInfrastructure, type DatabaseServer } from './infrastructure.ts'
import { simulate } from './history.ts'
import { inKeys, nothing, replacing, rewriting, type Plant } from './planting.ts'

const newIds = (egress: Egress): Egress => {
  let number = 0
  return {
    ...egress,
    request: (request) =>
      egress.request({ ...request, headers: { ...request.headers, 'X-Service-Delivery': `attempt-${++number}` } }),
  }
}

const trackingPlants: readonly Plant[] = [
  {
    name: 'the key of a charge is no longer unique and nobody asks whether it is known',
    quick: true,
    ddl: ['alter table credit_entry drop constraint credit_entry_key'],
    seams: () => ({
      rewrite: ({ sql, params }) => {
        if (/insert into credit_entry/.test(sql))
          return { sql: sql.replace(/on conflict \(team_id, key\) do nothing/, ''), params }
        if (/asked\.key from unnest/.test(sql) || /select key from credit_entry/.test(sql))
          return {
            sql: 'select null::text as key where false and $1::text is null and $2::text is null and $3::text is null'.replace(
              params.length < 3 ? ' and $3::text is null' : '',
              '',
            ),
            params: params.map(() => null),
          }
        return undefined
      },
    }),
    says: /charged once|charged|spent/,
  },
  {
    name: 'a person is charged once a month instead of once',
    seams: inKeys((key) => key.replace(/:person:(?!.*#)/g, ':person:#')),
    says: /one charge|has a lead/,
  },
  {
    name: 'a charge without the row: leads are not inserted',
    seams: rewriting(/insert into lead \(/, nothing),
    says: /has a lead|rows it says|counters/,
  },
  {
    name: 'only the first leads of a source are counted',
    seams: replacing(
      /insert into lead_count/,
      /lead_rows = lead_count\.lead_rows \+ excluded\.lead_rows/,
      'lead_rows = lead_count.lead_rows',
    ),
    says: /count of leads/,
  },
  {
    name: 'rows without the charge',
    seams: rewriting(/insert into credit_entry/, (statement) =>
      JSON.stringify(statement.params).includes(':person:') ? nothing(statement) : statement,
    ),
    says: /one charge|spent/,
  },
  {
    name: 'the balance is read without a lock and written back',
    seams: replacing(
      /pg_advisory_xact_lock\(.*credit_account a where .* for update of a/s,
      /pg_advisory_xact_lock(\(hashtextextended.*) for update of a/s,
      '$1',
    ),
    says: /balance|spent|ledger|credit_never_negative|appeared under the lock/,
  },
  {
    name: 'a renewal does not move the period',
    seams: replacing(
      /update credit_account set granted/,
      /period_end = (\$\d+)/,
      'period_end = coalesce(least(period_end, $1), $1)',
    ),
    says: /balance|ledger|lines|circles/,
  },
  {
    name: 'what a read holds is written down nowhere',
    seams: rewriting(/insert into credit_hold/, nothing),
    says: /held|hold/,
  },
  {
    name: 'a run ignores its fence',
    quick: true,
    seams: replacing(/join "sync" w on .* for update of w/s, /w\.fence = l\.fence/, 'w.fence >= l.fence'),
    says: /overtaken|processed|a listing is read twice/,
  },
  {
    name: 'a person being enriched is not locked by its fence',
    seams: replacing(/join "enrichment_task" w on .* for update of w/s, /w\.fence = l\.fence/, 'w.fence >= l.fence'),
    says: /overtaken/,
  },
  {
    name: 'a delivery ignores its fence',
    seams: replacing(/join delivery d on .* d\.fence = a\.fence/s, /d\.fence = a\.fence/, 'd.fence >= a.fence'),
    says: /overtaken/,
  },
  {
    name: 'a page does not move its cursor',
    seams: replacing(
      /update sync_post p/,
      /set phase = r\.phase, provider = r\.provider, cursor = nullif\(r\.cursor, 'null'\)/,
      'set phase = p.phase, provider = p.provider, cursor = p.cursor',
    ),
    says: /circles|does not end|processed more posts than/,
  },
  {
    name: 'a post is done after its first page',
    seams: replacing(/update sync_post p/, /set phase = r\.phase/, "set phase = 'done'"),
    says: /not stored|processed/,
  },
  {
    name: 'untracking forgets the leads that wait',
    seams: rewriting(/update lead set enrichment = 'skipped'/, nothing),
    says: /untracked source do not wait/,
  },
  {
    name: 'a closed run stays open at its source',
    seams: replacing(/update source set open_sync_id = null/, /open_sync_id = null/, 'open_sync_id = open_sync_id'),
    says: /open run/,
  },
  {
    name: 'wanting a person who is being worked on already is forgotten',
    seams: replacing(/insert into enrichment_task/, /do update set .*$/s, 'do nothing'),
    says: /somebody to enrich|does not end/,
    rare: true,
  },
  { name: 'every attempt at a delivery has a new id', seams: () => ({ egress: newIds }), says: /is no delivery/ },
  {
    name: 'a sent delivery is not told to its lead',
    seams: replacing(
      /update lead set webhook_status = \$\d+ from unnest/,
      /(update lead set webhook_status = )(\$\d+)/,
      '$1coalesce(lead.webhook_status, $2)',
    ),
    says: /sent when its delivery/,
  },
  {
    name: 'an enriched lead is not offered',
    quick: true,
    seams: rewriting(/insert into delivery \(.*automatic/, nothing),
    says: /on its way/,
  },
  {
    name: 'no transaction: every statement stands by itself',
    seams: () => ({
      rewrite: ({ sql, params }) =>
        ['begin', 'commit', 'rollback'].includes(sql) ? { sql: 'select 1', params } : undefined,
    }),
    says: /./,
  },
  {
    name: 'the counters of a source do not follow its leads',
    seams: rewriting(/update source set lead_rows = lead_rows/, nothing),
    says: /counters/,
  },
  {
    name: 'a lease never ends',
    seams: rewriting(/lease_until_ms is null or w\.lease_until_ms <= /, ({ sql, params }) => ({
      sql: sql.replace(/w\.lease_until_ms <= (\$\d+)/g, 'w.lease_until_ms <= $1::bigint - 1e15'),
      params,
    })),
    says: /does not end/,
  },
]

/** All planted bugs. */
export const plants: readonly Plant[] = [...trackingPlants, ...featurePlants, ...privacyPlants]

/** The result for a bug: `said` is the failure that seeds reported, `fits` whether it is the expected one. */
export type Found = { readonly seed: number; readonly said: string | null; readonly fits: boolean; readonly ms: number }

/** Plants a bug in its own database and runs seeds until one fails, at most `most`. */
export async function findPlant(
  databaseServer: DatabaseServer,
  database: string,
  plant: Plant,
  most: number,
): Promise<Found> {
  const began = performance.now()
  const infrastructure = await openInfrastructure(databaseServer, database, plant.ddl)
  let said: string | null = null
  let seed = 0
  const options = {
    checkEvery: 3,
    theme: plant.theme ?? 'tracking',
    ...(plant.seams ? { seams: plant.seams() } : {}),
  } as const
  while (said === null && seed < most) said = (await simulate(infrastructure, ++seed, options)).failure
  await infrastructure.close()
  return { seed, said, fits: said !== null && plant.says.test(said), ms: performance.now() - began }
}
