/**
 * What a death repeats: a process of the service is killed (SIGKILL) in the middle of deliveries, another takes over, and the receiver
 * tells how many it was sent twice. `--deliveries 20000 --endpoints 20 --kills 1`.
 */
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryFolder } from '../packages/server/test/world/folder.ts'
import { makeTeam, openInstallation } from './processes.ts'
import { option, printFigures } from './support.ts'

const count = option('deliveries', 20_000)
const owners = option('endpoints', 20)
const kills = option('kills', 1)
const roles = 'http,worker,clock'

/** How often each delivery came. */
const times = new Map<string, number>()
const receiver = createServer((incoming, response) => {
  incoming.resume().on('end', () => {
    const id = String(incoming.headers['webhook-id'])
    times.set(id, (times.get(id) ?? 0) + 1)
    response.end('ok')
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

const area = await temporaryFolder('les-bench-kill-')
const installation = await openInstallation(area)
const { pool } = installation
let service = await installation.start(roles)
const team = await makeTeam(service.url, 'Bench')
const now = new Date()
const body = Buffer.from(JSON.stringify({ event: 'sync.completed', text: 'x'.repeat(1_200) }))
const ownerId = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
await pool.query(
  `insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at)
   select $1, ${ownerId}, 'person', 'author-' || n, sha256(('author-' || n)::bytea), 'active', 'engagers', true, true, $2
   from generate_series(1, $3::int) n`,
  [team.id, now, owners],
)
await pool.query(
  `insert into webhook (team_id, owner_id, owner_kind, url, url_set_at)
   select $1, id, 'source', $2, $3 from source where team_id = $1`,
  [team.id, url, now],
)
await pool.query(
  `insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at)
   select $1, ('02000000-0000-7000-8000-' || lpad(to_hex(m), 12, '0'))::uuid, ${ownerId}, 'sync.completed', 'subject-' || m,
     'pending', $2, $3, $3 from generate_series(1, $4::int) m cross join lateral (select 1 + m % $5::int as n) owner`,
  [team.id, body, now, count, owners],
)
await pool.query('vacuum analyze delivery, webhook, source')
const began = performance.now()
await pool.query(
  `insert into work_turn (team_id, kind, served) values ($1, 'delivery', nextval('work_turn_number'))
   on conflict (team_id, kind) do update set ready = true`,
  [team.id],
)

const recorded = async () =>
  ((await pool.query(`select count(*)::int as sent from delivery where state = 'sent'`)).rows[0] as { sent: number })
    .sent
const died: string[] = []
for (let kill = 1; kill <= kills; kill++) {
  while (times.size < (count * kill) / (kills + 1)) await pause(1)
  service.child.kill('SIGKILL')
  await once(service.child, 'exit')
  died.push(`${times.size} received, ${await recorded()} recorded`)
  service = await installation.start(roles)
}
while ((await recorded()) < count) await pause(100)
const seconds = (performance.now() - began) / 1_000
await installation.close()
receiver.close()
receiver.closeAllConnections()
await rm(area, { recursive: true, force: true })

const repeats = [...times.values()].reduce((sum, each) => sum + each - 1, 0)
const share = repeats / count
console.log(`deaths: ${died.join('; ')}; all recorded after ${seconds.toFixed(1)} s`)
if (times.size !== count) throw new Error(`${times.size} of ${count} were received`)
printFigures('What a death repeats', [
  {
    name: `deliveries sent twice after ${kills === 1 ? 'a kill' : `${kills} kills`} in the middle of ${count}`,
    measured: `${repeats}, ${(share * 100).toFixed(3)} %`,
    limit: '',
    ratio: null,
    aim: `<= ${(0.1 * kills).toFixed(1)} %`,
    reached: share <= 0.001 * kills,
  },
])
