/**
 * Reads what became of contacts in HubSpot (RSL-06):
 *
 *   lifecycle stage: salesqualifiedlead -> interested, opportunity -> meeting, customer -> won; others are ignored
 *   deals of the contact: closed won -> won, with its amount; closed lost -> lost
 */
import { z } from 'zod'
import { listOf, maybe, text } from '../../network/normal/lenient.ts'
import { failureIn, type PlatformAccount } from '../http.ts'
import type { StageRead } from '../port.ts'
import { ask, version, wholeFailure } from './client.ts'

const outcomes: Readonly<Record<string, StageRead['outcome']>> = {
  salesqualifiedlead: 'interested',
  opportunity: 'meeting',
  customer: 'won',
}

const change = z.looseObject({ value: text, timestamp: text })
const contacts = z.looseObject({
  results: listOf(
    z.looseObject({ id: text, propertiesWithHistory: maybe(z.looseObject({ lifecyclestage: listOf(change) })) }),
  ),
})
const associated = z.looseObject({
  results: listOf(
    z.looseObject({
      from: maybe(z.looseObject({ id: text })),
      to: listOf(z.looseObject({ toObjectId: z.coerce.string().catch('') })),
    }),
  ),
})
const deals = z.looseObject({
  results: listOf(z.looseObject({ id: text, properties: maybe(z.record(z.string(), z.unknown())) })),
})

async function readAll(portal: PlatformAccount, path: string, json: object): Promise<unknown> {
  const answer = await ask(portal, { method: 'POST', path, isRead: true, json })
  if (answer.status >= 300) throw wholeFailure(portal, answer)
  return answer.json
}

const instantOf = (value: unknown): Date | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value) : null

/** The stages of contacts; without deals if the token may not read them. */
export async function readStages(portal: PlatformAccount, ids: readonly string[]): Promise<readonly StageRead[]> {
  const json = await readAll(portal, `/crm/objects/${version}/contacts/batch/read`, {
    properties: ['lifecyclestage'],
    propertiesWithHistory: ['lifecyclestage'],
    inputs: ids.map((id) => ({ id })),
  })
  const stages = (contacts.safeParse(json).data?.results ?? []).flatMap(({ id, propertiesWithHistory }) =>
    (propertiesWithHistory?.lifecyclestage ?? []).flatMap(({ value, timestamp }): StageRead[] => {
      const [outcome, at] = [outcomes[value ?? ''], instantOf(timestamp)]
      if (id === null || !outcome || !at) return []
      return [{ remoteId: id, outcome, at, externalId: `hubspot:${id}:${value}`, amount: null, currency: null }]
    }),
  )
  const ended = await readDeals(portal, ids).catch((error: unknown): StageRead[] => {
    if (failureIn(error).trouble !== 'scope_missing') throw error
    return []
  })
  return [...stages, ...ended]
}

async function readDeals(portal: PlatformAccount, ids: readonly string[]): Promise<StageRead[]> {
  const json = await readAll(portal, `/crm/associations/${version}/contacts/deals/batch/read`, {
    inputs: ids.map((id) => ({ id })),
  })
  const contactsOf = new Map<string, string[]>()
  for (const { from, to } of associated.safeParse(json).data?.results ?? [])
    for (const { toObjectId } of to)
      if (from?.id != null && /^\d{1,30}$/.test(toObjectId))
        contactsOf.set(toObjectId, [...(contactsOf.get(toObjectId) ?? []), from.id])
  const found: StageRead[] = []
  const wanted = [...contactsOf.keys()]
  for (let start = 0; start < wanted.length; start += 100) {
    const read = await readAll(portal, `/crm/objects/${version}/deals/batch/read`, {
      properties: ['hs_is_closed_won', 'hs_is_closed_lost', 'amount', 'deal_currency_code', 'closedate'],
      inputs: wanted.slice(start, start + 100).map((id) => ({ id })),
    })
    for (const { id, properties } of deals.safeParse(read).data?.results ?? []) {
      const { hs_is_closed_won: won, hs_is_closed_lost: lost, amount, deal_currency_code: currency } = properties ?? {}
      const at = instantOf(properties?.closedate) ?? portal.parts.now
      const outcome = won === 'true' ? 'won' : lost === 'true' ? 'lost' : null
      const isWhole = outcome === 'won' && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)
      const value = Number(amount)
      if (id === null || outcome === null) continue
      // A deal of several contacts counts once, for the first.
      found.push({
        remoteId: contactsOf.get(id)![0]!,
        outcome,
        at,
        externalId: `hubspot:deal:${id}:${outcome}`,
        amount: isWhole && value > 0 ? value : null,
        currency: isWhole && value > 0 ? currency : null,
      })
    }
  }
  return found
}
