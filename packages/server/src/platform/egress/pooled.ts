import { Agent, buildConnector } from 'undici'
import { type SystemClock, systemClock } from '../clock.ts'
import { openExchanges } from './exchange.ts'
import { passingOverInterim } from './interim.ts'
import { EgressFailure, type Egress } from './types.ts'

/** How vendor traffic is pooled. */
export type PooledEgressOptions = {
  /** Connections kept to one origin at most (64 when not said). */
  connections?: number
  system?: SystemClock
}

/**
 * The way out to vendors whose base addresses the operator configured: keep-alive connections, no address guard (the sandbox
 * is on loopback), no redirects.
 */
export function openPooledEgress(options: PooledEgressOptions = {}): Egress {
  const system = options.system ?? systemClock
  const agent = new Agent({
    connections: options.connections ?? 64,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: 64 * 1024,
    allowH2: false,
    connect: passingOverInterim(buildConnector({ timeout: 10_000, allowH2: false })),
  })
  const exchanges = openExchanges(agent)
  return {
    request: async (request) => {
      const startedMs = system.nowMs()
      const url = URL.parse(request.url)
      if (url === null || !/^https?:$/.test(url.protocol))
        throw new EgressFailure('refused_address', 'The address is not a valid URL.')
      const answer = await exchanges.run(request, url)
      return { ...answer, elapsedMs: system.nowMs() - startedMs }
    },
    close: async () => {
      exchanges.giveUp()
      await agent.destroy()
    },
  }
}
