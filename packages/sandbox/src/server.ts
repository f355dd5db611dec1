import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveControl } from './control/serve.ts'
import { aiAddresses, aiWireAt, serveAi } from './vendors/ai/serve.ts'
import { AI_WIRES } from './vendors/ai/wires.ts'
import { harvestapi } from './vendors/harvestapi/vendor.ts'
import { HEYREACH_BASE, serveHeyreach } from './vendors/heyreach/serve.ts'
import { linkdapi } from './vendors/linkdapi/vendor.ts'
import { serveVendor } from './vendors/serve.ts'
import type { Vendor } from './vendors/vendor.ts'
import { createWorld, type World, type WorldInside } from './world/world.ts'

/**
 * Where the sandbox listens, which world it shows, whose clock it follows (its own, from the real time, when left out),
 * and the file in which it keeps the authors it has shown.
 */
export type SandboxOptions = { host?: string; port?: number; seed?: string; now?: () => Date; memoryFile?: string }
/** A running sandbox: its address, the vendors' base addresses, and the world behind them. */
export type Sandbox = {
  url: string
  addresses: {
    heyreach: string
    ai: Record<(typeof AI_WIRES)[number]['name'], string>
  } & Record<keyof typeof dataVendors, string>
  world: World
  close(): Promise<void>
}

/** The data vendors that are played, by id. */
const dataVendors = { harvestapi, linkdapi }
const VENDORS: readonly Vendor[] = Object.values(dataVendors)

const dataAddresses = (url: string): Record<keyof typeof dataVendors, string> => {
  const entries = Object.entries(dataVendors).map(([id, { prefix }]) => [id, url + prefix])
  return Object.fromEntries(entries) as Record<keyof typeof dataVendors, string>
}

/** Starts the synthetic network; refuses when the port is taken. */
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
      ...dataAddresses(url),
      heyreach: url + HEYREACH_BASE,
      ai: aiAddresses(url),
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
  const query = Object.fromEntries(url.searchParams)
  const exchange = { inside, request, response, path, query }
  const vendor = VENDORS.find(({ prefix }) => path.startsWith(`${prefix}/`))
  if (vendor) return serveVendor(vendor, { ...exchange, path: path.slice(vendor.prefix.length) })
  if (path.startsWith('/heyreach/')) return serveHeyreach(exchange)
  const ai = aiWireAt(path)
  if (ai) return serveAi(ai, exchange)
  if (path === '/control' || path.startsWith('/control/')) return serveControl(exchange)
  response.writeHead(path === '/' ? 200 : 404, {
    'content-type': 'application/json; charset=utf-8',
    'x-sandbox': 'true',
  })
  response.end(
    JSON.stringify(
      path === '/'
        ? {
            sandbox: true,
            vendors: [...[...VENDORS, ...AI_WIRES].map(({ prefix }) => prefix), HEYREACH_BASE],
            control: '/control',
          }
        : { error: 'there is nothing here' },
    ),
  )
}
