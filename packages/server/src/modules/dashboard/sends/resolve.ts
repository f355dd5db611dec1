/** Resolves what a person wants sent into who goes and who does not: the one judgement behind the preview and the send. */
import { type Answer, type Input, type SessionOperationOf, bounds } from '@les/contract'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { refuse } from '../../../platform/refusal.ts'
import { leadsPerCall } from '../../../providers/outreach/port.ts'
import { findOneReplay, findPushable, findReplay, type PushableGroup } from '../../delivery/index.ts'
import { conditionOfChosen, leadsOfChosen } from '../../leads/index.ts'
import { findRecipients, type NamedPerson, type OutreachDeps } from '../../outreach/index.ts'
import { addLines, countGoing, cut, goes, hostOf, type Line } from './rules/parts.ts'

/** What a person wants sent. */
export type Wanted = Input<SessionOperationOf<'planSend'>>['send']

/** What is shown of it. */
export type Preview = Answer<SessionOperationOf<'previewSend'>>

/** How one part is sent. */
export type How =
  | { readonly what: 'push'; readonly keyword: boolean; readonly icpOnly: boolean }
  | { readonly what: 'agent' }
  | { readonly what: 'campaign' }
  | { readonly what: 'people'; readonly people: readonly NamedPerson[] }
  | { readonly what: 'replay'; readonly states: readonly string[] }

/** One part of a send: leads or deliveries of an owner, or people of one call. */
export type Part = { readonly ownerId: string | null; readonly ids: readonly string[]; readonly how: How }

/** What is wanted, resolved. */
export type Resolved = { readonly label: string; readonly preview: Preview; readonly parts: readonly Part[] }

/** What sends need from elsewhere. */
export interface SendDeps {
  readonly outreach: OutreachDeps
  /** Agents of a team; an unknown one is refused. */
  readonly agents: {
    readonly refuseUnknown: (db: Reader, teamId: string, agentId: string) => Promise<void>
    /** Which leads an agent would push, by source; refuses an agent without a webhook. */
    readonly findPush: (
      db: Reader,
      of: { readonly teamId: string; readonly agentId: string; readonly leadIds: readonly string[] | undefined },
    ) => Promise<{ readonly bySource: ReadonlyMap<string, readonly string[]>; readonly considered: number }>
  }
}

const partRows = 1_000
const mostGroups = 100
/** People of one send to a campaign: a hundred calls to the platform. */
const mostPeople = 10_000
const resendable = ['sent', 'failed', 'held'] as const

/** Resolves; writes nothing. Refuses unknown agents, deliveries and campaigns, and what is too much. */
export function resolve(
  deps: SendDeps,
  { db, teamId, wanted }: { readonly db: Reader; readonly teamId: string; readonly wanted: Wanted },
): Promise<Resolved> {
  switch (wanted.kind) {
    case 'push':
      return resolvePush(db, teamId, wanted)
    case 'agent':
      return resolveAgent(deps, { db, teamId, wanted })
    case 'campaign':
    case 'people':
      return resolveCampaign(deps, { db, teamId, wanted })
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
  const rows = await findPushable(db, { teamId, which, icpOnly: fit === 'webhook' ? null : fit === 'fits' })
  const asked = leads.by === 'ids' ? new Set(leads.ids).size : null
  return ofGroups(rows, asked, (row) => ({ what: 'push', keyword: row.type === 'keyword', icpOnly: row.icpOnly }))
}

async function resolveAgent(
  { agents }: SendDeps,
  {
    db,
    teamId,
    wanted: { agentId, ids },
  }: { readonly db: Reader; readonly teamId: string; readonly wanted: Extract<Wanted, { kind: 'agent' }> },
): Promise<Resolved> {
  const { bySource, considered } = await agents.findPush(db, { teamId, agentId, leadIds: ids })
  const carried = [...bySource.values()].flat()
  if (carried.length === 0) return ofGroups([], considered, () => ({ what: 'agent' }))
  const which = await conditionOfChosen(db, { teamId, chosen: { by: 'ids', ids: carried } })
  return ofGroups(
    await findPushable(db, { teamId, which, icpOnly: false }),
    Math.max(considered, ids?.length ?? 0),
    () => ({
      what: 'agent',
    }),
  )
}

/** A preview of leads by their sources; leads of nobody are those of `asked` that were not found. */
function ofGroups(rows: readonly PushableGroup[], asked: number | null, howOf: (row: PushableGroup) => How): Resolved {
  const found = rows.reduce((sum, { count }) => sum + count, 0)
  const gone: Line[] = asked !== null && asked > found ? [{ reason: 'gone', count: asked - found }] : []
  const lines = addLines([...rows, ...gone])
  const groups = [...Map.groupBy(rows, ({ ownerId }) => ownerId).values()]
    .map((ofOwner) => {
      const { ownerId, label, type, url } = ofOwner[0]!
      return { ownerId, label, type, destination: hostOf(url), goes: countGoing(ofOwner), lines: addLines(ofOwner) }
    })
    .sort((a, b) => b.goes - a.goes)
  const goingTo = [...new Set(groups.flatMap((group) => (group.goes > 0 ? (group.destination ?? []) : [])))]
  const parts = rows
    .filter(({ reason }) => goes(reason))
    .flatMap((row) => cut(row.ids, partRows).map((ids): Part => ({ ownerId: row.ownerId, ids, how: howOf(row) })))
  const total = countGoing(lines)
  if (total > bounds.plannedSend) return refuse('too_many_to_send')
  return {
    label: goingTo.length === 1 ? goingTo[0]! : `${goingTo.length} webhooks`,
    preview: {
      total: found + (gone[0]?.count ?? 0),
      goes: total,
      lines,
      groups: groups.slice(0, mostGroups),
      campaign: null,
    },
    parts,
  }
}

async function resolveCampaign(
  { outreach, agents }: SendDeps,
  {
    db,
    teamId,
    wanted,
  }: {
    readonly db: Reader
    readonly teamId: string
    readonly wanted: Extract<Wanted, { kind: 'campaign' | 'people' }>
  },
): Promise<Resolved> {
  if (wanted.kind === 'campaign' && wanted.agentId !== undefined) await agents.refuseUnknown(db, teamId, wanted.agentId)
  const which =
    wanted.kind === 'people'
      ? { people: wanted.people }
      : {
          leadIds:
            wanted.leads.by === 'ids'
              ? wanted.leads.ids
              : await leadsOfChosen(db, { teamId, chosen: wanted.leads, max: mostPeople + 1 }),
        }
  const total = 'people' in which ? which.people.length : new Set(which.leadIds).size
  if (total > mostPeople) return refuse('too_many_to_send')
  const { campaign, leadIds, people, counts } = await findRecipients(outreach, {
    teamId,
    campaignId: wanted.campaignId,
    recipients: which,
  })
  const going = leadIds.length + people.length
  const lines = addLines([
    { reason: 'now', count: going },
    ...(Object.keys(counts) as (keyof typeof counts)[]).map((reason) => ({ reason, count: counts[reason] })),
  ])
  const parts = [
    ...cut(leadIds, leadsPerCall).map((ids): Part => ({ ownerId: null, ids, how: { what: 'campaign' } })),
    ...cut(people, leadsPerCall).map(
      (some): Part => ({ ownerId: null, ids: [], how: { what: 'people', people: some } }),
    ),
  ]
  return { label: campaign.name, preview: { total, goes: going, lines, groups: [], campaign }, parts }
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
    : await findReplay(db, {
        teamId,
        ownerId: wanted.ownerId,
        states: wanted.states,
        since: new Date(wanted.since),
        after: null,
      })
  if (more) return refuse('too_many_to_send')
  const ownerId = one?.ownerId ?? (wanted as { ownerId: string }).ownerId
  const how: How = { what: 'replay', states: isOne ? resendable : wanted.states }
  return {
    label: ids.length === 1 ? 'its webhook, again' : 'the webhook, again',
    preview: {
      total: ids.length,
      goes: ids.length,
      lines: addLines([{ reason: 'now', count: ids.length }]),
      groups: [],
      campaign: null,
    },
    parts: cut(ids, partRows).map((some): Part => ({ ownerId, ids: some, how })),
  }
}
