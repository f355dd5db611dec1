/** `POST /integrations/outreach/send`: who is meant, and one batch after the other (G104, G106; OUT-06..OUT-16). */
import type { Answer, Input, OperationOf } from '@les/contract'
import { refuse } from '../../platform/refusal.ts'
import { type Campaign, leadsPerCall, OutreachFailure } from '../../providers/outreach/port.ts'
import { askFor, requireConnection, type Connection, type OutreachDeps } from './connection.ts'
import { countUncertain } from './ledger-store.ts'
import { listEnriched, partExcluded, recipientOf, recipientsOf, type Recipient } from './recipients.ts'
import { refusalOf } from './rules/campaign.ts'
import { noCounts, plus, type SendCounts } from './rules/counts.ts'
import { inPieces, oncePerPerson } from './rules/recipients.ts'
import { refuseFailure } from './trouble.ts'
import { CampaignRefuses, claim, requireOpenCampaign, noteFailure, send, type Sendable } from './send.ts'

type Asked = Input<OperationOf<'sendLeads'>>
type Sent = Answer<OperationOf<'sendLeads'>>
type Named = { readonly recipients: readonly Recipient[]; readonly notFound: number }

/** Who is meant; refuses an unknown agent, and leads of which none is an enriched one of the team. */
async function whoIsMeant(deps: OutreachDeps, teamId: string, asked: Asked): Promise<Named> {
  const { leadIds, people, agentId } = asked
  const rows = leadIds === undefined ? [] : await listEnriched(deps.db, teamId, [...new Set(leadIds)])
  const scores =
    agentId === undefined
      ? new Map()
      : ((await deps.scores.score(
          deps.db,
          { teamId, agentId },
          rows.map((row) => row.id),
        )) ?? refuse('agent_not_found'))
  if (leadIds === undefined) return { recipients: await recipientsOf(deps.db, teamId, people ?? []), notFound: 0 }
  if (rows.length === 0) return refuse('no_enriched_lead')
  return {
    recipients: rows.map((row) => recipientOf(row, scores.get(row.id))),
    notFound: new Set(leadIds).size - rows.length,
  }
}

/**
 * Sends everybody meant who is neither excluded nor in the campaign yet, and counts; refuses in the order of G104, with `partial` once
 * somebody was sent. `onExcluded` hears of those who are excluded and were sent all the same.
 */
export async function sendAll(
  deps: OutreachDeps,
  teamId: string,
  asked: Asked,
  onExcluded: (people: readonly Sendable[]) => void = () => {},
): Promise<Sent> {
  const connection = await requireConnection(deps, teamId)
  const campaign = await askFor(deps, {
    teamId,
    connection,
    ask: () => deps.platform.findCampaign(connection.key, asked.campaignId),
  })
  const { recipients, notFound } = await whoIsMeant(deps, teamId, asked)
  if (campaign === undefined) return refuse('campaign_not_found')
  const refusal = refusalOf(campaign)
  if (refusal !== null) return refuse(refusal)
  const { allowed, excluded } = await partExcluded(deps.db, teamId, recipients)
  const meant = asked.includeExcluded ? recipients : allowed
  const isExcluded = new Set<Recipient>(excluded)
  const sendable = meant.filter((one): one is Sendable => one.person !== null)
  const { once, again } = oncePerPerson(sendable.map((one) => ({ ...one.person, one })))
  const counts = plus(noCounts, {
    notFound,
    skippedExcluded: recipients.length - meant.length,
    skippedNoLinkedin: meant.length - sendable.length,
    alreadyInCampaign: again.length,
  })
  return {
    ...(await sendPieces(deps, {
      target: { teamId, connection, campaign },
      pieces: inPieces(
        once.map(({ one }) => one),
        leadsPerCall,
      ),
      countsBefore: counts,
      onSent: (people) => onExcluded(people.filter((one) => isExcluded.has(one))),
    })),
    campaign: { id: campaign.id, name: campaign.name },
  }
}

type Target = { readonly teamId: string; readonly connection: Connection; readonly campaign: Campaign }

/** Claims those of a piece whom nobody has sent yet, and counts the others. */
const claimPiece = (
  deps: OutreachDeps,
  to: { readonly teamId: string; readonly campaignId: string },
  piece: readonly Sendable[],
) =>
  deps.unitOfWork(async (tx) => {
    const claimed = await claim(deps, tx, { to, people: piece })
    const places = new Set(claimed?.places)
    const others = piece.filter((_one, place) => !places.has(place))
    const uncertain = await countUncertain(
      tx.db,
      to,
      others.map((one) => one.person),
    )
    return { claimed, left: { uncertain, alreadyInCampaign: others.length - uncertain } }
  })

async function sendPieces(
  deps: OutreachDeps,
  {
    target,
    pieces,
    countsBefore,
    onSent,
  }: {
    readonly target: Target
    readonly pieces: readonly (readonly Sendable[])[]
    readonly countsBefore: SendCounts
    readonly onSent: (people: readonly Sendable[]) => void
  },
): Promise<SendCounts> {
  const { teamId, connection, campaign } = target
  const to = { teamId, campaignId: campaign.id }
  let counts = countsBefore
  for (const [index, piece] of pieces.entries()) {
    try {
      // It was looked at before the first; whoever adds to a finished one would start it again.
      if (index > 0) await requireOpenCampaign(deps, connection, campaign.id)
      const { claimed, left } = await claimPiece(deps, to, piece)
      counts = plus(counts, left)
      if (!claimed) continue
      const people = claimed.places.map((place) => piece[place]!)
      const sent = await send(deps, { connection, batch: claimed.batch, people })
      onSent(people)
      counts = plus(counts, sent.counts)
      if (sent.open > 0) return refuseUnanswered(plus(counts, { uncertain: sent.open }))
    } catch (error) {
      if (!(error instanceof OutreachFailure || error instanceof CampaignRefuses)) throw error
      await deps.unitOfWork((tx) => noteFailure(deps, tx, { campaign: to, connection, failure: error }))
      return refuseMidway(error, counts)
    }
  }
  return counts
}

function refuseUnanswered(counts: SendCounts): never {
  return refuse(
    'outreach_unavailable',
    { partial: { ...counts } },
    'The outreach platform did not answer: partial says what it has counted; ' +
      'the people of the last call are looked up before anybody is sent again',
  )
}

/** A stop before anybody was sent is said by its own name; afterwards it is 502, because something was done. */
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
