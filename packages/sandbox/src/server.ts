import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveControl } from './control.ts'
import { serveAi } from './vendors/ai/serve.ts'
import { AI_WIRES, type Wire } from './vendors/ai/wires.ts'
import { send, type Exchange } from './vendors/exchange.ts'
import { harvestapi } from './vendors/harvestapi/vendor.ts'
import { HEYREACH_BASE, serveHeyreach } from './vendors/heyreach/serve.ts'
import { linkdapi } from './vendors/linkdapi/vendor.ts'
import { serveVendor } from './vendors/serve.ts'
import type { TwinName } from './vendors/twins.ts'
import { createWorld, type World, type WorldInside } from './world/world.ts'

/** `now` defaults to the sandbox's own clock; `memoryFile` keeps the authors it has shown across restarts. */
export type SandboxOptions = { host?: string; port?: number; seed?: string; now?: () => Date; memoryFile?: string }
/** A running sandbox: its address, the vendors' base addresses, and the world behind them. */
export type Sandbox = {
  url: string
  addresses: {
    harvestapi: string
    linkdapi: string
    heyreach: string
    ai: Record<Wire['name'], string>
    destinations: Record<TwinName, string>
  }
  world: World
  close(): Promise<void>
}

/** Starts the synthetic network; rejects when the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const inside = createWorld(options)
  const host = options.host ?? '127.0.0.1'
  const server = createServer((request, response) => {
    handle(inside, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(`the sandbox failed: ${error instanceof Error ? error.stack : String(error)}`)
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(options.port ?? 0, host)
  await once(server, 'listening')
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
  return {
    url,
    world: inside.world,
    addresses: {
      harvestapi: url + harvestapi.prefix,
      linkdapi: url + linkdapi.prefix,
      heyreach: url + HEYREACH_BASE,
      ai: Object.fromEntries(AI_WIRES.map(({ name, prefix }) => [name, url + prefix])) as Record<Wire['name'], string>,
      destinations: Object.fromEntries(
        Object.entries(inside.twins).map(([name, { prefix }]) => [name, url + prefix]),
      ) as Record<TwinName, string>,
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      inside.holds.release()
      await closed
    },
  }
}

async function handle(inside: WorldInside, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sandbox')
  const path = url.pathname
  const exchange: Exchange = { inside, request, response, path, query: Object.fromEntries(url.searchParams) }
  const isBelow = ({ prefix }: { readonly prefix: string }) => path.startsWith(`${prefix}/`)
  const vendor = [harvestapi, linkdapi].find(isBelow)
  if (vendor) return serveVendor(vendor, { ...exchange, path: path.slice(vendor.prefix.length) })
  if (path.startsWith('/heyreach/')) return serveHeyreach(exchange)
  const ai = AI_WIRES.find(isBelow)
  if (ai) return serveAi(ai, exchange)
  const twin = Object.values(inside.twins).find(isBelow)
  if (twin) return twin.serve(exchange)
  if (path === '/control' || path.startsWith('/control/')) return serveControl(exchange)
  if (path !== '/') return send(response, { status: 404, body: { error: 'there is nothing here' } })
  const vendors = [
    ...[harvestapi, linkdapi, ...AI_WIRES, ...Object.values(inside.twins)].map(({ prefix }) => prefix),
    HEYREACH_BASE,
  ]
  send(response, { status: 200, body: { sandbox: true, vendors, control: '/control' } })
}
