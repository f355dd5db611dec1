import { z } from 'zod'
import type { AdapterParts, Connection, DestinationAdapter } from '../port.ts'
import { tokenSchema, writeModeSchema } from '../settings.ts'
import { keyField, openSession, query, type Org, type SalesforceCredentials } from './client.ts'
import { deliver } from './deliver.ts'
import { contentOf, rowsOfObject, type SalesforceSettings } from './mapping.ts'
import { check, fields, prepare } from './setup.ts'

type SalesforceConnection = Connection<SalesforceSettings, SalesforceCredentials>

const instanceWords = 'instanceUrl must be the address of the instance, such as https://example.my.salesforce.com'

/** Only Salesforce hosts, because the client's secret is sent there. */
const instanceSchema = z
  .string({ error: instanceWords })
  .max(300, instanceWords)
  .transform((value, context) => {
    const url = URL.parse(value.trim())
    const isInstance =
      url?.protocol === 'https:' &&
      /^(?:[a-z0-9-]+\.)+salesforce\.com$/.test(url.hostname) &&
      url.port === '' &&
      url.username === '' &&
      url.pathname === '/'
    if (isInstance) return url.origin
    context.addIssue({ code: 'custom', message: instanceWords })
    return z.NEVER
  })

const open = (parts: AdapterParts, { settings, credentials }: SalesforceConnection): Promise<Org> =>
  openSession(parts, { ...credentials, instanceUrl: settings.instanceUrl })

/** The Salesforce adapter; `baseUrl` is empty unless a setting replaces the customer's instance. */
export const salesforce: DestinationAdapter<SalesforceSettings, SalesforceCredentials> = {
  kind: 'salesforce',
  settings: z.strictObject({
    instanceUrl: instanceSchema,
    object: z.enum(['Lead', 'Contact'], { error: 'object must be Lead or Contact' }),
    writeMode: writeModeSchema,
  }),
  credentials: z.strictObject({
    clientId: tokenSchema('clientId', 'the consumer key of an external client app'),
    clientSecret: tokenSchema('clientSecret', 'the consumer secret of an external client app'),
  }),
  hint: ({ clientSecret }) => clientSecret.slice(-4),
  // No rate limit, but a daily one; `keepShare` leaves a fifth of it.
  limits: { recordsPerDelivery: 100, calls: 20, windowMs: 1_000, per: 'person' },
  isRepeatable: true,
  customerAddress: ({ instanceUrl }) => instanceUrl,
  check: async (parts, at) => check(await open(parts, at), at.settings),
  prepare: async (parts, at) => prepare(await open(parts, at), at.settings),
  fields: async (parts, at) => fields(await open(parts, at), at.settings),
  map: ({ settings, mapping }, document) => contentOf(rowsOfObject(settings, mapping), document),
  deliver: (parts, at, records) => deliver(() => open(parts, at), at, records),
  find: async (parts, at, keys) => {
    const { object, instanceUrl } = at.settings
    const { found } = await query(await open(parts, at), { object, columns: [], where: keyField, values: keys })
    return new Map(
      found.map(({ id, values }) => [
        String(values[keyField]),
        { id, url: `${instanceUrl}/${id}`, companyId: null, notes: [] },
      ]),
    )
  },
}
