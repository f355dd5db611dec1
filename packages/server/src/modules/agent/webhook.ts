/** The agent's webhook, written to the sources it has made (G136). */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { adoptWebhook, roomOfUnit, type Room } from '../delivery/index.ts'
import { lockActiveSource } from '../sources/index.ts'
import { listAgentSources } from './source-store.ts'
import type { Agent, AgentWebhook } from './store.ts'

/** Writes it to one source that is locked. */
export const copyWebhook = (tx: Tx, agent: Agent, sourceId: string): Promise<void> =>
  copyWithin(tx, agent, { sourceId, room: roomOfUnit() })

const copyWithin = (tx: Tx, agent: Agent, { sourceId, room }: { readonly sourceId: string; readonly room: Room }) =>
  adoptWebhook(tx, { teamId: agent.teamId, sourceId, agentId: agent.id, hook: agent.webhook, room })

/** Writes it to every tracked source that the agent has made. */
export async function copyWebhookToAll(tx: Tx, agent: Agent): Promise<void> {
  const own = (await listAgentSources(tx.db, agent))
    .filter((source) => source.made && source.active && !source.stopped)
    .map((source) => source.sourceId)
  // What waits for all of them together is not more than a request has the time for.
  const room = roomOfUnit()
  for (const id of own.sort())
    if (await lockActiveSource(tx, agent.teamId, { id })) await copyWithin(tx, agent, { sourceId: id, room })
}

/** Takes the webhook of an agent off a source that is locked and goes over to another agent, and writes that one's, if it has any. */
export async function handOverWebhook(
  tx: Tx,
  { from, to, sourceId }: { readonly from: Agent; readonly to: Agent; readonly sourceId: string },
): Promise<void> {
  await copyWebhook(tx, { ...from, webhook: null }, sourceId)
  if (to.webhook !== null) await copyWebhook(tx, to, sourceId)
}

/** The webhook after a change that replaces it whole: what is left out is off (AGT-14). A URL that stays keeps its `since`. */
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
