import { z } from 'zod'
import type { DestinationAdapter } from '../port.ts'
import { crmSettings, tokenSchema, type CrmSettings } from '../settings.ts'
import { firstValue, personKey, query, workspaceOf } from './client.ts'
import { deliver } from './deliver.ts'
import { contentOf, rowsOfPeople } from './mapping.ts'
import { check, fields, prepare } from './setup.ts'

export const attio: DestinationAdapter<CrmSettings, { readonly accessToken: string }> = {
  kind: 'attio',
  settings: crmSettings,
  credentials: z.strictObject({ accessToken: tokenSchema('accessToken', 'an API key of the Attio workspace') }),
  hint: ({ accessToken }) => accessToken.slice(-4),
  // 25 writes per second, no batches; a person takes two to four calls, plus one per note.
  limits: { recordsPerDelivery: 5, calls: 20, windowMs: 1_000, per: 'person' },
  // Notes are looked up before they are created.
  isRepeatable: true,
  check: (parts, { settings, credentials }) => check(workspaceOf(parts, credentials.accessToken), settings),
  prepare: (parts, { credentials }) => prepare(workspaceOf(parts, credentials.accessToken)),
  fields: (parts, { credentials }) => fields(workspaceOf(parts, credentials.accessToken)),
  map: ({ settings, mapping }, document) => ({
    person: contentOf(rowsOfPeople(settings, mapping), document),
    company: settings.createCompanies ? document.company.domain : null,
    notes: settings.notes ? document.engagements.map(({ key }) => key) : [],
  }),
  deliver: (parts, at, records) => deliver(workspaceOf(parts, at.credentials.accessToken), at, records),
  find: async (parts, { credentials }, keys) => {
    const found = await query(workspaceOf(parts, credentials.accessToken), 'people', personKey, keys)
    return new Map(
      found.flatMap((record) => {
        const key = firstValue(record, personKey)
        if (key === null) return []
        return [[key, { id: record.id, url: record.url, companyId: firstValue(record, 'company'), notes: [] }] as const]
      }),
    )
  },
}
