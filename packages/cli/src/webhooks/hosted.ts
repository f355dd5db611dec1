/**
 * `les webhooks listen --hosted`: shows deliveries of a service anywhere as they are made, by asking for them; nothing
 * has to reach this machine.
 */
import { entryOf } from '../catalogue/load.ts'
import { exitCodes } from '../exit-codes.ts'
import { Failure, isApiError } from '../failure.ts'
import { printNote, type Shell } from '../options.ts'
import type { Json } from '../output/rows.ts'
import { openPerson } from '../person.ts'
import type { Session } from '../session.ts'
import type { Message } from './message.ts'
import { signedHeaders } from './signing.ts'

/** A delivery with the bytes that were signed for it. */
type Made = {
  readonly delivery: { readonly id: string; readonly event: string; readonly state: string }
  readonly payload: string | null
}

const everyMs = 2_000
const mostAtOnce = 50
const mostFailures = 30

/**
 * Calls back with each delivery made from now on, signed anew with the team's secret, in the order they were made; until `done` is
 * aborted. Rejects when the service refuses, or does not answer for a minute.
 */
export async function followDeliveries(
  {
    shell,
    session,
    secret,
    sourceId,
  }: {
    readonly shell: Shell
    readonly session: Session
    readonly secret: string
    readonly sourceId?: string | undefined
  },
  onDelivery: (message: Message, state: string) => Promise<void>,
  done: AbortSignal,
): Promise<void> {
  const input = { limit: mostAtOnce, ...(sourceId === undefined ? {} : { ownerId: sourceId }) }
  const list = async (): Promise<Json[]> =>
    ((await session.call(entryOf('listDeliveries'), input)).value as { deliveries: Json[] }).deliveries
  const seen = new Set((await list()).map(({ id }) => id))
  let failures = 0
  while (!done.aborted) {
    try {
      for (const { id } of (await list()).reverse()) {
        if (seen.has(id) || done.aborted) continue
        const { delivery, payload } = (await session.call(entryOf('getDelivery'), { id })).value as unknown as Made
        // Its bytes are made when it is first sent: the next look has them.
        if (payload === null) continue
        seen.add(id)
        const body = Buffer.from(payload)
        const headers = signedHeaders(
          secret,
          { id: delivery.id, event: delivery.event, body },
          Math.floor(shell.now() / 1000),
        )
        await onDelivery({ headers, body }, delivery.state)
      }
      failures = 0
    } catch (error) {
      if (done.aborted) return
      const passing = isApiError(error)
        ? error.status >= 500 || error.status === 429
        : error instanceof Failure && error.exitCode === exitCodes.api
      if (!passing || ++failures >= mostFailures) throw error
    }
    await shell.sleep(everyMs, done).catch(() => {})
  }
}

/** The session to ask with; says what is going on. */
export function openHosted(options: Parameters<typeof openPerson>[0], shell: Shell): Session {
  const session = openPerson(options, shell)
  printNote(shell, `Showing deliveries of ${session.baseUrl} as they are made, whatever their address; Ctrl-C ends it.`)
  return session
}
