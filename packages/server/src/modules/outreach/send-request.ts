/** `POST /integrations/outreach/send`: resolves the recipients and sends them batch by batch (G104, G106; OUT-06..OUT-16). */
import type { Answer, Input, OperationOf } from '@les/contract'
import { refuse } from '../../platform/refusal.ts'
import { leadsPerCall, OutreachFailure } from '../../providers/outreach/port.ts'
import {
  askForCampaign,
  checkCampaign,
  refuseFailure,
  requireTaking,
  type Connection,
  type OutreachDeps,
} from './connection.ts'
import { countUncertain, findKnown } from './ledger-store.ts'
import { shareAccount } from '../credits/index.ts'
import {
  listEnriched,
  partExcluded,
  recipientOf,
  recipientsOf,
  type NamedPerson,
  type Recipient,
} from './recipients.ts'
import { inPieces, noCounts, oncePerPerson, plus, type SendCounts } from './rules/sending.ts'
import { CampaignRefuses, claim, NotToBeSent, noteFailure, requireOpenCampaign, send, type Sendable } from './send.ts'

type SendRequest = Input<OperationOf<'sendLeads'>>
type NamedRecipients = { readonly recipients: readonly Recipient[]; readonly notFound: number }

/** Refuses an unknown agent, and leads when none of them is enriched. */
async function whoIsMeant(deps: OutreachDeps, teamId: string, asked: SendRequest): Promise<NamedRecipients> {
  const { leadIds, people, agentId } = asked
  const rows = leadIds === undefined ? [] : await listEnriched(deps.db, teamId, [...new Set(leadIds)])
  const enriched = rows.map((row) => row.id)
  const scores =
    agentId === undefined
      ? new Map()
      : ((await deps.scores.score(deps.db, { teamId, agentId }, enriched)) ?? refuse('agent_not_found'))
  if (leadIds === undefined) return { recipients: await recipientsOf(deps.db, teamId, people ?? []), notFound: 0 }
  if (rows.length === 0) return refuse('no_enriched_lead')
  return {
    recipients: rows.map((row) => recipientOf(row, scores.get(row.id))),
    notFound: new Set(leadIds).size - rows.length,
  }
}

/**
 * Sends recipients who are not excluded and not in the campaign. Refuses in the order of G104, with `partial` once somebody was
 * sent. `onExcluded` gets excluded people sent by `includeExcluded`.
 */
export async function sendAll(
  deps: OutreachDeps,
  teamId: string,
  asked: SendRequest,
  onExcluded: (people: readonly Sendable[]) => void = () => {},
): Promise<Answer<OperationOf<'sendLeads'>>> {
  const { connection, campaign: found } = await askForCampaign(deps, teamId, asked.campaignId)
  const { recipients, notFound } = await whoIsMeant(deps, teamId, asked)
  const campaign = requireTaking(found)
  const { allowed, erased } = await partExcluded(deps.db, { teamId, blockList: deps.blockList }, recipients)
  const gone = new Set(erased)
  const meant = asked.includeExcluded ? recipients.filter((one) => !gone.has(one)) : allowed
  const sendable = meant.filter((one): one is Sendable => one.person !== null)
  const { once, again } = oncePerPerson(sendable.map((one) => ({ ...one.person, one })))
  const to = { teamId, campaignId: campaign.id }
  const includeExcluded = asked.includeExcluded === true
  let counts = plus(noCounts, {
    notFound,
    skippedExcluded: recipients.length - meant.length,
    skippedNoLinkedin: meant.length - sendable.length,
    alreadyInCampaign: again.length,
  })
  const people = once.map(({ one }) => one)
  for (const [index, piece] of inPieces(people, leadsPerCall).entries()) {
    try {
      // Adding to a campaign that has finished meanwhile would restart it.
      if (index > 0) await requireOpenCampaign(deps, connection, campaign.id)
      const { left, sent, excluded } = await sendPiece(deps, { to, connection }, { piece, includeExcluded })
      counts = plus(counts, left)
      if (!sent) continue
      onExcluded(excluded)
      counts = plus(counts, sent.counts)
      if (sent.open > 0) return refuseUnanswered(plus(counts, { uncertain: sent.open }))
    } catch (error) {
      if (!(error instanceof OutreachFailure || error instanceof CampaignRefuses)) throw error
      await deps.unitOfWork((tx) => noteFailure(tx, to, { connection, failure: error }))
      return refuseMidway(error, counts)
    }
  }
  return { ...counts, campaign: { id: campaign.id, name: campaign.name } }
}

type To = { readonly teamId: string; readonly campaignId: string }
type Piece = { readonly piece: readonly Sendable[]; readonly includeExcluded: boolean }

const claimPiece = (deps: OutreachDeps, to: To, { piece, includeExcluded }: Piece) =>
  deps.unitOfWork(async (tx) => {
    // Somebody may have been erased or excluded since; the lock waits for a running erasure.
    await shareAccount(tx, to.teamId, 'team')
    const { excluded, erased } = await partExcluded(tx.db, { teamId: to.teamId, blockList: deps.blockList }, piece)
    const leftOut = new Set<Recipient>([...erased, ...(includeExcluded ? [] : excluded)])
    const people = piece.filter((one) => !leftOut.has(one))
    const claimed = await claim(deps, tx, { to, people })
    const places = new Set(claimed?.places)
    const others = people.filter((_one, place) => !places.has(place))
    const persons = others.map((one) => one.person)
    const uncertain = await countUncertain(tx.db, to, persons)
    return {
      claimed: claimed && {
        batch: claimed.batch,
        people: claimed.places.map((place) => people[place]!),
        excluded: new Set(excluded),
      },
      left: { uncertain, alreadyInCampaign: others.length - uncertain, skippedExcluded: leftOut.size },
    }
  })

/** Claims and sends a piece; claims again without those who were excluded or erased before the call was made. */
async function sendPiece(
  deps: OutreachDeps,
  { to, connection }: { readonly to: To; readonly connection: Connection },
  piece: Piece,
) {
  for (;;) {
    const { claimed, left } = await claimPiece(deps, to, piece)
    if (!claimed) return { left, sent: null, excluded: [] }
    const { batch, people, excluded } = claimed
    try {
      const sent = await send(deps, { connection, batch, people, mayGo: piece.includeExcluded ? excluded : undefined })
      return { left, sent, excluded: people.filter((one) => excluded.has(one)) }
    } catch (error) {
      if (!(error instanceof NotToBeSent)) throw error
    }
  }
}

function refuseUnanswered(counts: SendCounts): never {
  return refuse(
    'outreach_unavailable',
    { partial: { ...counts } },
    'The outreach platform did not answer: partial says what it has counted; ' +
      'the people of the last call are looked up before anybody is sent again',
  )
}

/** Refuses by the failure's own code when nobody was sent yet, else 502 with `partial`. */
function refuseMidway(error: OutreachFailure | CampaignRefuses, counts: SendCounts): never {
  if (counts.sent === 0) {
    if (error instanceof CampaignRefuses) return refuse(error.why)
    if (error.kind === 'campaign_closed') return refuse('campaign_closed')
    if (error.kind === 'invalid_key') return refuse('outreach_key_rejected')
  }
  const partial = { ...counts }
  if (error instanceof OutreachFailure) return refuseFailure(error, { partial })
  return refuse('outreach_unavailable', { partial }, `${whyMidway[error.why]}; partial says what was added before`)
}

const whyMidway = {
  campaign_closed: 'The campaign takes no more leads: it is a draft, or it is over',
  no_senders: 'The campaign has no sender account any more: add one on the outreach platform',
} as const

type RecipientChoice = { readonly leadIds: readonly string[] } | { readonly people: readonly NamedPerson[] }
type Candidate = { readonly recipient: Recipient; readonly leadId: string | null; readonly place: number }

/** Previews `sendAll` from the same recipients and ledger. Calls the platform; refuses a campaign that takes no leads. */
export async function findRecipients(
  deps: OutreachDeps,
  { teamId, campaignId, recipients }: { teamId: string; campaignId: string; recipients: RecipientChoice },
) {
  const campaign = await checkCampaign(deps, teamId, campaignId)
  const named = await nameAll(deps, teamId, recipients)
  const asked = 'leadIds' in recipients ? new Set(recipients.leadIds).size : recipients.people.length
  const candidates = named.map(({ recipient }) => recipient)
  const { excluded, erased } = await partExcluded(deps.db, { teamId, blockList: deps.blockList }, candidates)
  const left = new Set([...excluded, ...erased])
  const meant = named.filter(({ recipient }) => !left.has(recipient))
  const reachable = meant.flatMap((one) => (one.recipient.person === null ? [] : [{ ...one.recipient.person, one }]))
  const { once, again } = oncePerPerson(reachable)
  const known = await findKnown(deps.db, { teamId, campaignId, people: once })
  const toSend = once.filter((_person, place) => !known.has(place)).map(({ one }) => one)
  const open = [...known.values()].filter((state) => state === 'open').length
  return {
    campaign: { id: campaign.id, name: campaign.name },
    leadIds: toSend.flatMap(({ leadId }) => leadId ?? []),
    people: 'people' in recipients ? toSend.map(({ place }) => recipients.people[place]!) : [],
    counts: {
      excluded: left.size,
      in_campaign: known.size - open,
      undecided: open,
      same_person: again.length,
      not_enriched: asked - named.length,
      no_address: meant.length - reachable.length,
    },
  }
}

async function nameAll(deps: OutreachDeps, teamId: string, which: RecipientChoice): Promise<Candidate[]> {
  if ('people' in which)
    return (await recipientsOf(deps.db, teamId, which.people)).map((recipient, place) => ({
      recipient,
      leadId: null,
      place,
    }))
  const rows = await listEnriched(deps.db, teamId, [...new Set(which.leadIds)])
  return rows.map((row, place) => ({ recipient: recipientOf(row, undefined), leadId: row.id, place }))
}
