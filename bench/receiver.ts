import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addWebhook, type Stage } from './support.ts'

export const body = Buffer.from(
  JSON.stringify({ event: 'lead.detected', lead: { name: 'Person', text: 'x'.repeat(1_200) } }),
)

/** Opens a webhook receiver that answers ok and counts, at `many` origins, as customers' endpoints are. */
export async function openReceiver(many: number) {
  let received = 0
  const servers = Array.from({ length: many }, () =>
    createServer((incoming, response) => {
      incoming.resume().on('end', () => {
        received += 1
        response.writeHead(200).end('ok')
      })
    }),
  )
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`),
    count: () => received,
    reset: () => void (received = 0),
    close: () => {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}

/** Creates due deliveries of a new team, spread over one endpoint per URL; returns the signing secret. */
export async function fillDeliveries(
  { tools, service, ...stage }: Stage,
  { count, urls }: { readonly count: number; readonly urls: readonly string[] },
): Promise<string> {
  const team = await stage.team()
  const owners: string[] = []
  for (const [nth, url] of urls.entries())
    owners.push(await addWebhook({ tools, service, ...stage }, team.id, `author-${nth}`, url))
  await tools.pool.query(
    `insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at)
     select $1, ('02000000-0000-7000-8000-' || lpad(to_hex(m), 12, '0'))::uuid, ($2::uuid[])[1 + m % $3::int],
       'sync.completed', 'subject-' || m, 'pending', $4, now() - interval '1 minute' + m / 5000 * interval '1 ms', now()
     from generate_series(1, $5::int) m`,
    [team.id, owners, urls.length, body, count],
  )
  await tools.pool.query('vacuum analyze delivery, webhook, source')
  await service.unitOfWork(async (tx) => tx.mark('delivery', team.id))
  return team.signingSecret
}
