/** Handlers of sends: a preview, a send that can be undone for ten seconds, and the results of the latest. */
import { bounds, type Answer, type SessionOperationOf, type Input, type SendReason } from '@les/contract'
import type { SessionHandlers } from '../../accounts/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { cancelPlanned, findSend, insertSend, listSends, type How, type Part } from './store.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { leadsPerCall } from '../../../providers/outreach/port.ts'
import { findOneReplay, findPushable, findReplay, type PushableGroup } from '../../delivery/index.ts'
import { conditionOfChosen, leadsOfChosen } from '../../leads/index.ts'
import { shareAccount } from '../../credits/index.ts'
import { findRecipients, inPieces, withoutErased, type OutreachDeps } from '../../outreach/index.ts'
import { askedWait } from '../../../platform/rules/asked-wait.ts'

const dayMs = 86_400_000
const maxListed = 20

export function sendOperations(deps: SendDeps) {
  return {
    previewSend: async ({ send }, { caller, db, unitOfWork }) => {
      const { preview } = await resolve(deps, db, caller.teamId, send)
      return unitOfWork(async (): Promise<Preview> => preview)
    },
    planSend: async ({ send, goes }, { caller, db, unitOfWork }) => {
      const { teamId } = caller
      const { label, preview, parts } = await resolve(deps, db, teamId, send)
      // Fewer may be sent than were agreed to, never more.
      if (preview.goes > goes || preview.goes === 0) return refuse('preview_outdated', { goes: preview.goes })
      return unitOfWork(async (tx) => {
        const remaining = await withoutErasedSince(deps, tx, { teamId, parts })
        if (preview.goes === remaining.erased) return refuse('preview_outdated', { goes: 0 })
        const id = await insertSend(tx, {
          teamId,
          kind: send.kind,
          label,
          campaignId: 'campaignId' in send ? send.campaignId : null,
          agentId: send.kind === 'campaign' ? (send.agentId ?? null) : null,
          goes: preview.goes - remaining.erased,
          requestedBy: caller.user.name,
          startsAt: new Date(tx.now.getTime() + undoMs),
          parts: remaining.parts,
        })
        return { send: (await findSend(tx.db, teamId, id))! }
      })
    },
    cancelSend: ({ id }, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const known = id === null ? undefined : await findSend(tx.db, caller.teamId, id)
        if (!known) return refuse('not_found', {}, 'No such send')
        if (!(await cancelPlanned(tx, caller.teamId, known.id))) return refuse('send_begun')
        return { send: (await findSend(tx.db, caller.teamId, known.id))! }
      }),
    listSends: async (_input, { caller, db, now }) => ({
      sends: await listSends(db, { teamId: caller.teamId, since: new Date(now.getTime() - dayMs), limit: maxListed }),
      now,
    }),
  } satisfies Partial<SessionHandlers>
}

/** Removes people erased since the parts were resolved, and counts them. Sharing the account waits for an erasure under way. */
async function withoutErasedSince(
  { outreach: { blockList } }: SendDeps,
  tx: Tx,
  { teamId, parts }: { readonly teamId: string; readonly parts: readonly Part[] },
): Promise<{ readonly parts: readonly Part[]; readonly erased: number }> {
  await shareAccount(tx, teamId, 'team')
  const left: Part[] = []
  let erased = 0
  for (const part of parts) {
    if (part.how.what !== 'people') {
      left.push(part)
      continue
    }
    const people = await withoutErased(tx.db, { teamId, blockList }, part.how.people)
    erased += part.how.people.length - people.length
    if (people.length > 0) left.push({ ...part, how: { ...part.how, people } })
  }
  return { parts: left, erased }
}

type Wanted = Input<SessionOperationOf<'planSend'>>['send']

type Preview = Answer<SessionOperationOf<'previewSend'>>

type Resolved = { readonly label: string; readonly preview: Preview; readonly parts: readonly Part[] }

interface SendDeps {
  readonly outreach: OutreachDeps
  /** The agent module, plugged in; `refuseUnknown` refuses unknown agents. */
  readonly agents: {
    readonly refuseUnknown: (db: Reader, teamId: string, agentId: string) => Promise<void>
    /** The leads an agent would push, by source; refuses an agent without a webhook. */
    readonly findPush: (
      db: Reader,
      of: { readonly teamId: string; readonly agentId: string; readonly leadIds: readonly string[] | undefined },
    ) => Promise<{ readonly bySource: ReadonlyMap<string, readonly string[]>; readonly considered: number }>
  }
}

const partRows = 1_000
const maxGroups = 100
/** People per send to a campaign: a hundred calls to the platform. */
const maxPeople = 10_000
const resendable = ['sent', 'failed', 'held'] as const
const noGroups = { groups: [], campaign: null }

/** Resolves a send into parts; writes nothing. Refuses unknown agents, deliveries and campaigns, and sends that are too large. */
function resolve(deps: SendDeps, db: Reader, teamId: string, wanted: Wanted): Promise<Resolved> {
  switch (wanted.kind) {
    case 'push':
      return resolvePush(db, teamId, wanted)
    case 'agent':
      return resolveAgent(deps, db, teamId, wanted)
    case 'campaign':
    case 'people':
      return resolveCampaign(deps, db, teamId, wanted)
    case 'replay':
    case 'delivery':
      return resolveReplay(db, teamId, wanted)
  }
}

async function resolvePush(
  db: Reader,
  teamId: string,
  { leads, fit }: Extract<Wanted, { kind: 'push' }>,
): Promise<Resolved> {
  const which = await conditionOfChosen(db, { teamId, chosen: leads })
  const rows = await findPushable(db, teamId, { which, icpOnly: fit === 'webhook' ? null : fit === 'fits' })
  const asked = leads.by === 'ids' ? new Set(leads.ids).size : null
  return ofGroups(rows, asked, (row) => ({ what: 'push', keyword: row.type === 'keyword', icpOnly: row.icpOnly }))
}

async function resolveAgent(
  { agents }: SendDeps,
  db: Reader,
  teamId: string,
  { agentId, ids }: Extract<Wanted, { kind: 'agent' }>,
): Promise<Resolved> {
  const { bySource, considered } = await agents.findPush(db, { teamId, agentId, leadIds: ids })
  const carried = [...bySource.values()].flat()
  if (carried.length === 0) return ofGroups([], considered, () => ({ what: 'agent' }))
  const which = await conditionOfChosen(db, { teamId, chosen: { by: 'ids', ids: carried } })
  const pushable = await findPushable(db, teamId, { which, icpOnly: false })
  return ofGroups(pushable, Math.max(considered, ids?.length ?? 0), () => ({ what: 'agent' }))
}

/** A preview of leads by source; those of `asked` that were not found count as gone. */
function ofGroups(rows: readonly PushableGroup[], asked: number | null, howOf: (row: PushableGroup) => How): Resolved {
  const found = rows.reduce((sum, { count }) => sum + count, 0)
  const gone: Line[] = asked !== null && asked > found ? [{ reason: 'gone', count: asked - found }] : []
  const lines = addLines([...rows, ...gone])
  const groups = [...Map.groupBy(rows, ({ ownerId }) => ownerId).values()]
    .map((ofOwner) => {
      const { ownerId, label, type, url } = ofOwner[0]!
      return { ownerId, label, type, destination: hostOf(url), goes: countSendable(ofOwner), lines: addLines(ofOwner) }
    })
    .sort((a, b) => b.goes - a.goes)
  const hosts = [...new Set(groups.flatMap((group) => (group.goes > 0 ? (group.destination ?? []) : [])))]
  const parts = rows
    .filter(({ reason }) => isSendable(reason))
    .flatMap((row) => inPieces(row.ids, partRows).map((ids): Part => ({ ownerId: row.ownerId, ids, how: howOf(row) })))
  const total = countSendable(lines)
  if (total > bounds.plannedSend) return refuse('too_many_to_send')
  return {
    label: hosts.length === 1 ? hosts[0]! : `${hosts.length} webhooks`,
    preview: {
      total: Math.max(found, asked ?? 0),
      goes: total,
      lines,
      groups: groups.slice(0, maxGroups),
      campaign: null,
    },
    parts,
  }
}

async function resolveCampaign(
  { outreach, agents }: SendDeps,
  db: Reader,
  teamId: string,
  wanted: Extract<Wanted, { kind: 'campaign' | 'people' }>,
): Promise<Resolved> {
  if (wanted.kind === 'campaign' && wanted.agentId !== undefined) await agents.refuseUnknown(db, teamId, wanted.agentId)
  const leadsOf = (chosen: Extract<Wanted, { kind: 'campaign' }>['leads']) =>
    chosen.by === 'ids' ? chosen.ids : leadsOfChosen(db, { teamId, chosen, max: maxPeople + 1 })
  const which = wanted.kind === 'people' ? { people: wanted.people } : { leadIds: await leadsOf(wanted.leads) }
  const total = 'people' in which ? which.people.length : new Set(which.leadIds).size
  if (total > maxPeople) return refuse('too_many_to_send')
  const asked = { teamId, campaignId: wanted.campaignId, recipients: which }
  const { campaign, leadIds, people, counts } = await findRecipients(outreach, asked)
  const sendable = leadIds.length + people.length
  const lines = addLines([
    { reason: 'now', count: sendable },
    ...(Object.keys(counts) as (keyof typeof counts)[]).map((reason) => ({ reason, count: counts[reason] })),
  ])
  const parts = [
    ...inPieces(leadIds, leadsPerCall).map((ids): Part => ({ ownerId: null, ids, how: { what: 'campaign' } })),
    ...inPieces(people, leadsPerCall).map(
      (some): Part => ({ ownerId: null, ids: [], how: { what: 'people', people: some } }),
    ),
  ]
  return { label: campaign.name, preview: { total, goes: sendable, lines, groups: [], campaign }, parts }
}

async function resolveReplay(
  db: Reader,
  teamId: string,
  wanted: Extract<Wanted, { kind: 'replay' | 'delivery' }>,
): Promise<Resolved> {
  const isOne = wanted.kind === 'delivery'
  const one = isOne ? await findOneReplay(db, teamId, wanted.deliveryId) : null
  const { ids, more } = isOne
    ? { ids: [wanted.deliveryId], more: false }
    : await findReplay(db, { ...wanted, teamId, since: new Date(wanted.since), after: null })
  if (more) return refuse('too_many_to_send')
  const ownerId = one?.ownerId ?? (wanted as { ownerId: string }).ownerId
  const how: How = { what: 'replay', states: isOne ? resendable : wanted.states }
  return {
    label: ids.length === 1 ? 'its webhook, again' : 'the webhook, again',
    preview: {
      total: ids.length,
      goes: ids.length,
      lines: addLines([{ reason: 'now', count: ids.length }]),
      ...noGroups,
    },
    parts: inPieces(ids, partRows).map((some): Part => ({ ownerId, ids: some, how })),
  }
}

type Line = { readonly reason: SendReason; readonly count: number }

const sendableReasons: readonly SendReason[] = ['now', 'after_enrichment', 'endpoint_off']

const isSendable = (reason: SendReason): boolean => sendableReasons.includes(reason)

/** How many of these lines are sent. */
export const countSendable = (lines: readonly Line[]): number =>
  lines.reduce((sum, { reason, count }) => sum + (isSendable(reason) ? count : 0), 0)

/** Adds up lines of the same reason: sent ones first, then by count; drops zeros. */
export function addLines(lines: readonly Line[]): Line[] {
  const sums = new Map<SendReason, number>()
  for (const { reason, count } of lines) sums.set(reason, (sums.get(reason) ?? 0) + count)
  return [...sums]
    .map(([reason, count]) => ({ reason, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => Number(isSendable(b.reason)) - Number(isSendable(a.reason)) || b.count - a.count)
}

/** The host of a URL, for display; null if it is none. */
export const hostOf = (url: string | null): string | null => (url === null ? null : (URL.parse(url)?.host ?? null))

/** How long a send can be undone, in service time. */
const undoMs = 10_000

const minute = 60_000
const longestAskedMs = 24 * 60 * 60_000
const waits = [minute, 5 * minute, 15 * minute, 60 * minute] as const

/** When to retry after `attempts` failures of the outreach platform, in service time, not before it asked; null: give up. */
export function nextTryAt(attempts: number, now: Date, askedMs = 0): Date | null {
  const wait = waits[attempts]
  return wait === undefined ? null : new Date(now.getTime() + askedWait(wait, askedMs, longestAskedMs))
}
