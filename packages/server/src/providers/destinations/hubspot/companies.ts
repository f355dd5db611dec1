import { z } from 'zod'
import { listOf, maybe, text } from '../../network/normal/lenient.ts'
import type { PlatformAccount } from '../http.ts'
import { withoutFilled, type FieldValue } from '../mapping.ts'
import type { LeadDocument } from '../port.ts'
import { ask, batchSize, keys, readBatch, version, type Found, type HubspotObject, type Write } from './client.ts'
import { writeCorrected } from './contacts.ts'
import { companyKeyOf, companyRows, contentOf } from './mapping.ts'

type CompanyResult = { readonly id: string } | { readonly message: string }

const asked = companyRows.map(({ field }) => field)

/** Finds or creates people's companies, one per domain; by company key. */
export async function writeCompanies(
  portal: PlatformAccount,
  documents: readonly LeadDocument[],
): Promise<ReadonlyMap<string, CompanyResult>> {
  const wanted = new Map<string, LeadDocument>()
  for (const document of documents) {
    const key = companyKeyOf(document)
    if (key !== null && !wanted.has(key)) wanted.set(key, document)
  }
  if (wanted.size === 0) return new Map()
  const found = await readBatch(portal, 'companies', [...wanted.keys()], asked)
  const own = new Map(found.map((company) => [String(company.properties[keys.companies]), company]))
  // Search is slow and lags behind, so only companies that our key does not find are searched.
  const unknown = [...wanted].flatMap(([key, { company }]) =>
    own.has(key) || company.domain === null ? [] : [company.domain.toLowerCase()],
  )
  const byDomain = await searchByDomain(portal, [...new Set(unknown)])
  const results = new Map<string, CompanyResult>()
  const upserts: Write[] = []
  const updates: Write[] = []
  for (const [key, document] of wanted) {
    const values = contentOf(companyRows, document)
    const mine = own.get(key)
    const theirs = mine ? undefined : byDomain.get(document.company.domain?.toLowerCase() ?? '')
    const there = mine ?? theirs
    const properties: Record<string, FieldValue> = there
      ? withoutFilled(companyRows, values, there.properties)
      : { ...values }
    if (there) results.set(key, { id: there.id })
    if (theirs)
      updates.push({ trace: key, id: theirs.id, byId: true, properties: { ...properties, [keys.companies]: key } })
    else if (!mine || Object.keys(properties).length > 0) upserts.push({ trace: key, id: key, properties })
  }
  for (const writes of [updates, upserts])
    for (const [key, { result }] of await writeCorrected(portal, 'companies', writes)) {
      if (result.state === 'written') results.set(key, { id: result.record.id })
      else if (!results.has(key))
        results.set(key, { message: result.state === 'refused' ? result.message : 'HubSpot says nothing of it' })
    }
  return results
}

const searchBody = z.looseObject({
  results: listOf(
    z
      .looseObject({ id: text, properties: maybe(z.record(z.string(), z.unknown())) })
      .transform(({ id, properties }) => ({ id: id ?? '', url: null, properties: properties ?? {} })),
  ),
})

/** Companies by domain, the oldest where several have it: domains are not unique there. */
async function searchByDomain(
  portal: PlatformAccount,
  domains: readonly string[],
): Promise<ReadonlyMap<string, Found>> {
  if (domains.length === 0) return new Map()
  const { status, json } = await ask(portal, {
    method: 'POST',
    path: `/crm/objects/${version}/companies/search`,
    isRead: true,
    json: {
      filterGroups: [{ filters: [{ propertyName: 'domain', operator: 'IN', values: domains }] }],
      properties: [keys.companies, ...asked],
      limit: 200,
    },
  })
  const rows = status < 300 ? (searchBody.safeParse(json).data?.results ?? []) : []
  const oldestLast = rows.filter(({ id }) => /^\d{1,30}$/.test(id)).sort((a, b) => Number(b.id) - Number(a.id))
  // A company with another key of ours belongs to that key.
  const free = oldestLast.filter(({ properties }) => !properties[keys.companies])
  return new Map(free.map((company) => [String(company.properties.domain ?? '').toLowerCase(), company]))
}

/** Associates records, repeatably. False when a batch is refused. */
export async function associate(
  portal: PlatformAccount,
  [from, to]: readonly [HubspotObject, HubspotObject],
  pairs: readonly { readonly from: string; readonly to: string }[],
): Promise<boolean> {
  for (let start = 0; start < pairs.length; start += batchSize) {
    const inputs = pairs
      .slice(start, start + batchSize)
      .map((pair) => ({ from: { id: pair.from }, to: { id: pair.to } }))
    const { status } = await ask(portal, {
      method: 'POST',
      path: `/crm/associations/${version}/${from}/${to}/batch/associate/default`,
      json: { inputs },
    })
    // 207: some were associated, but not known which; all are repeated later.
    if (status >= 300 || status === 207) return false
  }
  return true
}
