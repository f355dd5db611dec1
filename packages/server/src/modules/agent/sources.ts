/** Stops an agent's sources, at a stop and before a start (C6, G100, G127), and writes its webhook to its own sources (G136). */
import { type Caller, writeStopped } from '../accounts/index.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { copyAgentWebhook, endDeliveries } from '../delivery/index.ts'
import { lockActiveSource, untrack } from '../sources/index.ts'
import {
  findAgent,
  findOtherUser,
  listAgentSources,
  saveAgentSource,
  type Agent,
  type AgentSourceRow,
  type AgentWebhook,
  type SourceUser,
} from './store.ts'

export type Stopped = {
  readonly stopped: number
  readonly notStopped: readonly { readonly id: string; readonly label: string; readonly error: string }[]
}

const ofTrial =
  'Sources of a free trial cannot be untracked until the team subscribes: it goes on sweeping within the allowance of the agent'

/** Waiting leads written off at once, over all sources; the background does the rest. */
const maxWrittenOff = 5_000

const ofOther = (agent: Agent, isKept: boolean): string =>
  `Another agent of the team uses it (${agent.website ?? agent.id}): it goes on, and is ` +
  (isKept ? 'used by both' : "that agent's own from now on")

type Stopping = {
  readonly caller: Pick<Caller, 'status'>
  readonly sources: readonly AgentSourceRow[]
  readonly keeps?: (source: AgentSourceRow) => boolean
}

/**
 * Untracks the agent's own tracked sources; the account must be locked. Not stopped are sources of a free trial, and those
 * another active agent uses: these become that agent's own, unless this agent `keeps` them for the start that follows.
 */
export async function stopSources(
  tx: Tx,
  agent: Agent,
  { caller, sources, keeps = () => false }: Stopping,
): Promise<Stopped> {
  const own = sources.filter((source) => source.made && source.active && !source.stopped)
  if (caller.status === 'trial')
    return { stopped: 0, notStopped: own.map(({ sourceId, label }) => ({ id: sourceId, label, error: ofTrial })) }
  const stopped: string[] = []
  const notStopped: { id: string; label: string; error: string }[] = []
  let writtenOff = 0
  for (const row of own.toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1))) {
    const { sourceId, label } = row
    const source = await lockActiveSource(tx, agent.teamId, { id: sourceId })
    if (!source) continue
    const user = await findOtherUser(tx.db, agent, sourceId)
    const other = user && (await findAgent(tx.db, agent.teamId, user.agentId))
    if (user && other) {
      notStopped.push({ id: sourceId, label, error: ofOther(other, keeps(row)) })
      if (!keeps(row)) await handOver(tx, { from: agent, to: other, sourceId, user })
      continue
    }
    writtenOff += await untrack(tx, source, { endDeliveries, most: Math.max(0, maxWrittenOff - writtenOff) })
    stopped.push(sourceId)
  }
  await writeStopped(tx, agent, stopped)
  return { stopped: stopped.length, notStopped }
}

/** Makes a locked source another agent's own: its leads go to that agent's webhook, and that agent's stop untracks it. */
async function handOver(
  tx: Tx,
  { from, to, sourceId, user: { topic, launch } }: { from: Agent; to: Agent; sourceId: string; user: SourceUser },
): Promise<void> {
  await writeStopped(tx, from, [sourceId])
  await saveAgentSource(tx, to, { id: sourceId, made: true, topic, launch })
  await copyWebhook(tx, { ...from, webhook: null }, sourceId)
  if (to.webhook !== null) await copyWebhook(tx, to, sourceId)
}

/** Writes an agent's webhook (G136) to a locked source. */
export const copyWebhook = (tx: Tx, { teamId, id, webhook }: Agent, sourceId: string) =>
  copyAgentWebhook(tx, { teamId, sourceId, agentId: id, hook: webhook })

/** Writes the webhook to every tracked source the agent has made. */
export async function copyWebhookToAll(tx: Tx, agent: Agent): Promise<void> {
  const own = (await listAgentSources(tx.db, agent))
    .filter((source) => source.made && source.active && !source.stopped)
    .map((source) => source.sourceId)
  for (const id of own.sort()) if (await lockActiveSource(tx, agent.teamId, { id })) await copyWebhook(tx, agent, id)
}

/** The webhook after a change, which replaces it whole: fields left out are off (AGT-14). An unchanged URL keeps its `since`. */
export function replaceWebhook(
  before: AgentWebhook | null,
  sent: { url: string; autoSend?: boolean | undefined; filters?: AgentWebhook['filters'] | null | undefined } | null,
  now: Date,
): AgentWebhook | null {
  if (sent === null) return null
  return {
    url: sent.url,
    autoSend: sent.autoSend ?? false,
    filters: sent.filters ?? [],
    since: before?.url === sent.url ? before.since : now,
  }
}
