/** Whom a send to a campaign would reach, without sending: the judgement of `sendAll`, from the same recipients and the same ledger. */
import { refuse } from '../../platform/refusal.ts'
import { askFor, requireConnection, type OutreachDeps } from './connection.ts'
import { findKnown } from './ledger-store.ts'
import {
  listEnriched,
  partExcluded,
  recipientOf,
  recipientsOf,
  type NamedPerson,
  type Recipient,
} from './recipients.ts'
import { refusalOf } from './rules/campaign.ts'
import { oncePerPerson } from './rules/recipients.ts'

/** Who goes, by lead or by place in the list of people, and why the others do not. */
type FoundRecipients = {
  readonly campaign: { readonly id: string; readonly name: string }
  readonly leadIds: readonly string[]
  readonly people: readonly NamedPerson[]
  readonly counts: Readonly<
    Record<'excluded' | 'in_campaign' | 'undecided' | 'same_person' | 'not_enriched' | 'no_address', number>
  >
}

type Which = { readonly leadIds: readonly string[] } | { readonly people: readonly NamedPerson[] }
type Named = { readonly recipient: Recipient; readonly leadId: string | null; readonly place: number }

/** Looks; refuses a campaign that takes nobody, as `sendAll` does. Asks the platform about the campaign. */
export async function findRecipients(
  deps: OutreachDeps,
  {
    teamId,
    campaignId,
    recipients,
  }: { readonly teamId: string; readonly campaignId: string; readonly recipients: Which },
): Promise<FoundRecipients> {
  const connection = await requireConnection(deps, teamId)
  const campaign =
    (await askFor(deps, { teamId, connection, ask: () => deps.platform.findCampaign(connection.key, campaignId) })) ??
    refuse('campaign_not_found')
  const refusal = refusalOf(campaign)
  if (refusal !== null) return refuse(refusal)
  const named = await nameAll(deps, teamId, recipients)
  const asked = 'leadIds' in recipients ? new Set(recipients.leadIds).size : recipients.people.length
  const { excluded } = await partExcluded(
    deps.db,
    teamId,
    named.map(({ recipient }) => recipient),
  )
  const left = new Set(excluded)
  const meant = named.filter(({ recipient }) => !left.has(recipient))
  const reachable = meant.flatMap((one) => (one.recipient.person === null ? [] : [{ ...one.recipient.person, one }]))
  const { once, again } = oncePerPerson(reachable)
  const known = await findKnown(deps.db, { teamId, campaignId, people: once })
  const going = once.filter((_person, place) => !known.has(place)).map(({ one }) => one)
  const open = [...known.values()].filter((state) => state === 'open').length
  return {
    campaign: { id: campaign.id, name: campaign.name },
    leadIds: going.flatMap(({ leadId }) => leadId ?? []),
    people: 'people' in recipients ? going.map(({ place }) => recipients.people[place]!) : [],
    counts: {
      excluded: excluded.length,
      in_campaign: known.size - open,
      undecided: open,
      same_person: again.length,
      not_enriched: asked - named.length,
      no_address: meant.length - reachable.length,
    },
  }
}

async function nameAll(deps: OutreachDeps, teamId: string, which: Which): Promise<Named[]> {
  if ('people' in which)
    return (await recipientsOf(deps.db, teamId, which.people)).map((recipient, place) => ({
      recipient,
      leadId: null,
      place,
    }))
  const rows = await listEnriched(deps.db, teamId, [...new Set(which.leadIds)])
  return rows.map((row, place) => ({ recipient: recipientOf(row, undefined), leadId: row.id, place }))
}
