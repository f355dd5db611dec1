import { z } from 'zod'
import type { DestinationAdapter } from '../port.ts'
import { batchSize, keys, portalOf, readBatch } from './client.ts'
import { crmSettings, tokenSchema, type CrmSettings } from '../settings.ts'
import { deliver } from './deliver.ts'
import { companyKeyOf, companyRows, contentOf, rowsOfContacts } from './mapping.ts'
import { check, fields, prepare } from './setup.ts'
import { readStages } from './stages.ts'

export const hubspot: DestinationAdapter<CrmSettings, { readonly accessToken: string }> = {
  kind: 'hubspot',
  settings: crmSettings,
  credentials: z.strictObject({
    accessToken: tokenSchema('accessToken', 'a service key of HubSpot, or the token of a private app'),
  }),
  hint: ({ accessToken }) => accessToken.slice(-4),
  // Accounts without a paid plan allow 100 calls in ten seconds.
  limits: { recordsPerDelivery: batchSize, calls: 80, windowMs: 10_000, per: 'person' },
  isRepeatable: true,
  check: (parts, at) => check(portalOf(parts, at.credentials.accessToken), at.settings),
  prepare: (parts, at) => prepare(portalOf(parts, at.credentials.accessToken), at.settings),
  fields: (parts, at) => fields(portalOf(parts, at.credentials.accessToken)),
  map: ({ settings, mapping }, document) => ({
    contact: contentOf(rowsOfContacts(settings, mapping), document),
    company: settings.createCompanies && companyKeyOf(document) !== null ? contentOf(companyRows, document) : null,
    notes: settings.notes ? document.engagements.map(({ key }) => key) : [],
  }),
  readStages: (parts, at, ids) => readStages(portalOf(parts, at.credentials.accessToken), ids),
  deliver: (parts, at, records) => deliver(portalOf(parts, at.credentials.accessToken), at, records),
  find: async (parts, at, wanted) => {
    const found = await readBatch(portalOf(parts, at.credentials.accessToken), 'contacts', wanted, [])
    return new Map(
      found.map(({ id, url, properties }) => [
        String(properties[keys.contacts]),
        // Notes and company are not read: writing them again finds them by their keys.
        { id, url, companyId: null, notes: [] },
      ]),
    )
  },
}
