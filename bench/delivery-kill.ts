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
import { layDownDeliveries } from './due-deliveries.ts'
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
const body = Buffer.from(JSON.stringify({ event: 'sync.completed', text: 'x'.repeat(1_200) }))
await layDownDeliveries(pool, { teamId: team.id, url, body, owners, count })
const began = performance.now()

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
