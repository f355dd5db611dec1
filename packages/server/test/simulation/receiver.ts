/** The customers' webhook receivers, in memory: they answer as the seed decides and keep every request. */
import { EgressFailure, type Egress, type EgressFailureKind } from '../../src/platform/egress/index.ts'
import type { Dice } from './chance.ts'
import { pass } from './machine.ts'

export type ReceivedRequest = {
  readonly id: string
  readonly url: string
  readonly body: string
  readonly signed: boolean
  readonly accepted: boolean
}

export type Receivers = {
  readonly egress: Egress
  readonly received: ReceivedRequest[]
  failing: number
}

const failures: readonly EgressFailureKind[] = ['timeout', 'connection', 'refused_address', 'too_large']

export function openReceivers(dice: Dice): Receivers {
  const received: ReceivedRequest[] = []
  const receivers: Receivers = {
    received,
    failing: 0,
    egress: {
      request: async ({ url, headers, body }) => {
        await pass('egress', url)
        const id = headers?.['X-Service-Delivery']
        // Requests to destinations have no delivery id.
        const note = (accepted: boolean) =>
          id !== undefined &&
          received.push({
            id,
            url,
            body: Buffer.from(body ?? '').toString(),
            signed: (headers?.['X-Service-Signature'] ?? '').startsWith('v1='),
            accepted,
          })
        const failing = dice.random(receivers.failing)
        if (failing && dice.random(0.35)) {
          const kind = dice.pick(failures)
          if (kind === 'timeout' && dice.random(0.5)) note(false)
          throw new EgressFailure(kind, `the invented receiver: ${kind}`)
        }
        const status = failing ? dice.pick([500, 503, 404, 302, 429, 410]) : dice.pick([200, 202, 204])
        note(status < 300)
        // The process that gets this answer may have died or slept in the meantime.
        return {
          status,
          headers: status === 429 ? { 'retry-after': String(dice.int(1, 100_000)) } : {},
          body: Buffer.from('ok'),
          truncated: false,
          elapsedMs: dice.int(1, 900),
        }
      },
      close: async () => {},
    },
  }
  return receivers
}
