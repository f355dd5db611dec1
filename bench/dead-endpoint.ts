/**
 * How long deliveries of other teams take while one team has many waiting for an endpoint that takes connections and never answers
 * (T-W4): `node bench/dead-endpoint.ts [--waiting 100000] [--seconds 60]`. Not part of `npm run bench`: it measures waiting, not work.
 */
import { createServer } from 'node:http'
import { createServer as createTcp } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { sql } from 'kysely'
import { openStage, option, printFigures } from './support.ts'

const waiting = option('waiting', 100_000)
const lasts = option('seconds', 60)
const others = 20
const pauseMs = 200

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}
const tookMs = new Map<string, number>()
const receiver = createServer((incoming, response) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    const { subject, atMs } = JSON.parse(Buffer.concat(chunks).toString()) as { subject: string; atMs: number }
    tookMs.set(subject, performance.now() - atMs)
    response.end('ok')
  })
})
let connections = 0
const silent = createTcp((socket) => {
  connections += 1
  socket.on('error', () => {})
  socket.resume()
})
const [url, deadUrl] = [await listening(receiver), await listening(silent)]

const stage = await openStage({ config: { roles: ['http', 'worker', 'clock'] } })
const { service, tools } = stage
const { pool } = tools

/** A team with one source whose webhook goes there. */
async function receiving(to: string): Promise<{ id: string; source: string }> {
  const { id } = await stage.team()
  const source = service.ids.uuid(new Date())
  await pool.query(
    `insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at)
     values ($1, $2, 'person', 'author', sha256('author'::bytea), 'active', 'engagers', true, true, now())`,
    [id, source],
  )
  await pool.query(
    `insert into webhook (team_id, owner_id, owner_kind, url, url_set_at) values ($1, $2, 'source', $3, now())`,
    [id, source, to],
  )
  return { id, source }
}
const columns = '(team_id, id, owner_id, event, subject, state, body, due_at, created_at)'
const teams = await Promise.all(Array.from({ length: others }, () => receiving(url)))
const dead = await receiving(deadUrl)
await pool.query(
  `insert into delivery ${columns}
   select $1, gen_random_uuid(), $2, 'sync.completed', 'dead-' || n, 'pending', '{}'::bytea, now(), now()
   from generate_series(1, $3::int) n`,
  [dead.id, dead.source, waiting],
)
await service.unitOfWork(async (tx) => tx.mark('delivery', dead.id))

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const endMs = performance.now() + lasts * 1_000
let asked = 0
while (performance.now() < endMs) {
  const { id, source } = teams[asked % others]!
  const subject = `live-${asked++}`
  const body = Buffer.from(JSON.stringify({ subject, atMs: performance.now() }))
  await service.unitOfWork(async (tx) => {
    await sql`insert into delivery ${sql.raw(columns)}
      values (${id}, ${tx.newId()}, ${source}, 'sync.completed', ${subject}, 'pending', ${body}, ${tx.now},
          ${tx.now})`.execute(tx.db)
    tx.enqueue('delivery', id)
  })
  await pause(pauseMs)
}
for (let wait = 0; wait < 300 && tookMs.size < asked; wait++) await pause(100)

const sorted = [...tookMs.values()].sort((a, b) => a - b)
const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
const { rows } = await pool.query(
  'select state, count(*)::int as count, sum(attempts)::int as attempts from delivery where team_id = $1 group by 1',
  [dead.id],
)
console.log(
  `${sorted.length} of ${asked} deliveries of ${others} other teams came; ` +
    `the dead endpoint saw ${connections} connections: ${JSON.stringify(rows)}`,
)
printFigures('Deliveries beside a dead endpoint', [
  {
    name: `delivery of another team while ${waiting} wait for an endpoint that never answers (p95)`,
    measured: `${Math.round(at(0.95))} ms (half within ${Math.round(at(0.5))}, the longest ${Math.round(at(1))})`,
    limit: '5,000 ms',
    ratio: 5_000 / at(0.95),
    aim: '>= 1',
    reached: sorted.length === asked && at(0.95) <= 5_000,
  },
])
receiver.closeAllConnections()
receiver.close()
silent.close()
await stage.close()
process.exit(0)
