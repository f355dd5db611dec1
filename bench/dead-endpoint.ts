/**
 * How much deliveries slow down while another team has many waiting for an endpoint that accepts connections and never answers.
 * `--waiting 100000`, `--seconds 30` for each measurement.
 */
import { createServer } from 'node:http'
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net'
import { sql } from 'kysely'
import { addWebhook, openStage, option, pause, percentile, report } from './support.ts'

const waiting = option('waiting', 100_000)
const lastsMs = option('seconds', 30) * 1_000
const [others, pauseMs] = [20, 200]

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}
let tookMs: number[] = []
const receiver = createServer((incoming, response) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    const { atMs } = JSON.parse(Buffer.concat(chunks).toString()) as { atMs: number }
    tookMs.push(performance.now() - atMs)
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

async function receiving(to: string): Promise<{ id: string; source: string }> {
  const { id } = await stage.team()
  return { id, source: await addWebhook(stage, id, 'author', to) }
}
const teams = await Promise.all(Array.from({ length: others }, () => receiving(url)))

/** Sends to the other teams for a while and returns the times of their deliveries, all of which must arrive. */
async function times(): Promise<number[]> {
  tookMs = []
  const endMs = performance.now() + lastsMs
  let sent = 0
  for (; performance.now() < endMs; sent++) {
    const { id, source } = teams[sent % others]!
    const body = Buffer.from(JSON.stringify({ atMs: performance.now() }))
    await service.unitOfWork(async (tx) => {
      await sql`
        insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at)
        values (${id}, ${tx.newId()}, ${source}, 'sync.completed', ${tx.newId()}, 'pending', ${body}, ${tx.now}, ${tx.now})
      `.execute(tx.db)
      tx.enqueue('delivery', id)
    })
    await pause(pauseMs)
  }
  for (let wait = 0; wait < 300 && tookMs.length < sent; wait++) await pause(100)
  if (tookMs.length < sent) throw new Error(`${tookMs.length} of ${sent} deliveries came`)
  // The first deliveries of a process include compiling its code.
  return tookMs.slice(Math.ceil(sent / 10))
}

const without = percentile(await times(), 0.95)
const dead = await receiving(deadUrl)
await tools.pool.query(
  `insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at)
   select $1, gen_random_uuid(), $2, 'sync.completed', 'dead-' || n, 'pending', '{}'::bytea, now(), now()
   from generate_series(1, $3::int) n`,
  [dead.id, dead.source, waiting],
)
// As autovacuum does within a minute; the planner otherwise expects one row per team.
await tools.pool.query('analyze delivery')
await service.unitOfWork(async (tx) => tx.mark('delivery', dead.id))
const beside = percentile(await times(), 0.95)
console.log(`the dead endpoint saw ${connections} connections`)
report({
  'dead endpoint': {
    measured: `${Math.round(beside)} ms with ${waiting} waiting for it`,
    beside: `${Math.round(without)} ms without`,
    value: beside / without,
  },
})
receiver.closeAllConnections()
receiver.close()
silent.close()
await stage.close()
process.exit(0)
