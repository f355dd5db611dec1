/** Stopping what an agent has set up: at a stop, and before a start sets up anew (specification «Agent» states; C6, G100, G127). */
import type { Caller } from '../accounts/index.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { endDeliveries } from '../delivery/index.ts'
import { lockActiveSource, untrack } from '../sources/index.ts'
import { writeStopped } from '../agent-sources/index.ts'
import type { AgentSourceRow } from './source-store.ts'
import type { Agent } from './store.ts'

/** What stopping came to. */
export type Stopped = {
  readonly stopped: number
  readonly notStopped: readonly { readonly id: string; readonly label: string; readonly error: string }[]
}

/** What is said of a source of a free trial. */
const ofTrial =
  'Sources of a free trial cannot be untracked until the team subscribes: it goes on sweeping within the allowance of the agent'

/** Waiting leads that a stop writes off itself, of all sources together; the rest follow in the background. */
const mostWrittenOff = 5_000

/** Untracks those of the sources that are the agent's own and tracked; the account is locked. On a free trial they all go on. */
export async function stopSources(
  tx: Tx,
  {
    caller,
    agent,
    sources,
  }: { readonly caller: Pick<Caller, 'status'>; readonly agent: Agent; readonly sources: readonly AgentSourceRow[] },
): Promise<Stopped> {
  const own = sources.filter((source) => source.made && source.active && !source.stopped)
  if (caller.status === 'trial')
    return { stopped: 0, notStopped: own.map(({ sourceId, label }) => ({ id: sourceId, label, error: ofTrial })) }
  const stopped: string[] = []
  let writtenOff = 0
  for (const { sourceId } of own.toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1))) {
    const source = await lockActiveSource(tx, agent.teamId, { id: sourceId })
    if (!source) continue
    writtenOff += await untrack(tx, source, { endDeliveries, most: Math.max(0, mostWrittenOff - writtenOff) })
    stopped.push(sourceId)
  }
  await writeStopped(tx, agent, stopped)
  return { stopped: stopped.length, notStopped: [] }
}
