/** Tag `destinations`: CRMs, channels, sheets and buckets that receive leads automatically. */
import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import {
  destination,
  destinationCheck,
  destinationDelivery,
  destinationDeliveryPage,
  destinationDeliveryStates,
  destinationField,
  destinationKinds,
  mappingFacts,
  writeModes,
} from '../resources/index.ts'
import {
  agentFilterColumns,
  agentFilterValues,
  bounds,
  choice,
  filterRows,
  flag,
  idInPath,
  idOf,
  integer,
  nameText,
  pageQuery,
  uuid,
  deletedAnswer,
} from '../values/index.ts'
import { leadIds } from './sources.ts'

const operation = operationsOf('destinations')

const id = z.object({ id: idInPath })
const name = nameText('a name', bounds.destinationName)
const object = (what: string) => z.looseObject({}, { error: `must be an object with ${what}` })
const text = { type: 'string' } as const
const flagged = { type: 'boolean' } as const
const mode = { type: 'string', enum: [...writeModes], description: 'When this field is written.' } as const
const described = (description: string) => ({ ...text, description })
const settings = object('the settings of the kind').meta({
  openapi: {
    type: 'object',
    description:
      'webhook {url}; hubspot and attio {createCompanies, notes, writeMode}; google_sheets {spreadsheetId, sheet}; ' +
      's3 {endpoint, region, bucket, prefix, pathStyle}; salesforce {instanceUrl, object, writeMode}; slack none.',
    properties: {
      url: { ...text, description: 'For webhook: the URL that signed events are sent to.' },
      createCompanies: { ...flagged, description: 'Create companies and associate them with people; default true.' },
      notes: { ...flagged, description: 'Add a note for each engagement; default true.' },
      writeMode: {
        type: 'object',
        description: "When to write each field, by the platform's field name, for example {jobtitle: if_empty}.",
        properties: { jobtitle: mode, company: mode },
      },
      spreadsheetId: described("For google_sheets: the long id in the spreadsheet's URL."),
      sheet: { ...text, description: 'The sheet tab; default Leads.' },
      endpoint: { ...text, description: 'Endpoint of an S3-compatible store other than AWS.' },
      region: described('Region of the bucket, for example eu-central-1.'),
      bucket: described('Name of the bucket.'),
      prefix: described('Folder path for the files.'),
      pathStyle: { ...flagged, description: 'Put the bucket name in the path instead of the host.' },
      instanceUrl: described('For salesforce: https://….my.salesforce.com.'),
      object: { type: 'string', enum: ['Lead', 'Contact'], description: 'The Salesforce object created for a person.' },
    },
  },
})
const credentials = object('the credentials of the kind').meta({
  openapi: {
    type: 'object',
    description:
      'Write-only. slack {webhookUrl}; hubspot and attio {accessToken}; google_sheets {serviceAccount}; s3 ' +
      '{accessKeyId, secretAccessKey}; salesforce {clientId, clientSecret}; webhook none.',
    properties: {
      webhookUrl: described('For slack: the URL of an incoming webhook.'),
      accessToken: described('Token of a service key or private app.'),
      serviceAccount: { ...text, description: 'The JSON key of the service account, as text or as an object.' },
      accessKeyId: described("Id of the store's access key."),
      secretAccessKey: described('The matching secret.'),
      clientId: described('Client id of the external client app.'),
      clientSecret: described('The matching secret.'),
    },
  },
})
const sourcesMessage = `must be "all" or a list of at most ${bounds.destinationSources} ids of sources`
const sources = z
  .union([z.literal('all'), z.array(idOf('a source')).max(bounds.destinationSources)], { error: sourcesMessage })
  .meta({
    openapi: {
      anyOf: [
        { type: 'string', enum: ['all'] },
        { type: 'array', maxItems: bounds.destinationSources, items: { type: 'string', format: 'uuid' } },
      ],
    },
  })
const mappingMessage = `must be a list of at most ${bounds.destinationMapping} rows {field, from, mode}`
const mappingFrom = nameText('a field of a lead', 60).refine((name) => mappingFacts.has(name), {
  error: `must be a field of a lead, stage, owner or fit, one of ${[...mappingFacts.keys()].join(', ')}`,
})
const mapping = z
  .array(
    z.strictObject(
      { field: nameText('the name of a field', 200), from: mappingFrom, mode: choice(writeModes) },
      { error: 'must be an object {field, from, mode}' },
    ),
    { error: mappingMessage },
  )
  .max(bounds.destinationMapping)

const filters = filterRows(agentFilterColumns, agentFilterValues)

/** Refusals of every call that asks the platform. */
const platformErrors = ['destination_setup_missing', 'destination_unavailable'] as const

export const destinationOperations = [
  operation('createDestination', 'POST /destinations', {
    summary: 'Add a destination',
    description:
      'Checks the connection first; settings that the platform refuses are not stored. Delivers leads captured ' +
      'and enriched from now on. To send earlier leads, push them.',
    body: z.object({
      kind: choice(destinationKinds),
      name,
      settings,
      credentials: credentials.optional(),
      filters: filters.optional(),
      icpOnly: flag.optional(),
      sources: sources.optional().describe('Sources whose leads are sent; default all.'),
      mapping: mapping.optional(),
      active: flag.optional().describe('False: start paused; captured leads wait.'),
    }),
    strictBody: true,
    status: 201,
    success: destination,
    errors: ['credentials_rejected', 'scope_missing', ...platformErrors, 'not_found'],
    example: {
      kind: 'hubspot',
      name: 'CRM',
      settings: { createCompanies: true },
      credentials: { accessToken: 'a token of the platform' },
    },
  }),
  operation('listDestinations', 'GET /destinations', {
    summary: 'List destinations',
    description: 'Free.',
    success: z.object({ destinations: z.array(destination) }),
  }),
  operation('getDestination', 'GET /destinations/{id}', {
    summary: 'Read a destination',
    description: 'Free.',
    params: id,
    success: destination,
    errors: ['not_found'],
  }),
  operation('updateDestination', 'PATCH /destinations/{id}', {
    summary: 'Change, pause or resume a destination',
    description:
      'A partial update: omitted fields stay unchanged; `settings` and `credentials` are replaced whole. `active: true` resumes ' +
      'the destination after a fix and delivers what waited. Changed credentials or settings are checked first.',
    params: id,
    body: z.object({
      name: name.optional(),
      settings: settings.optional(),
      credentials: credentials.optional(),
      filters: filters.optional(),
      icpOnly: flag.optional(),
      sources: sources.optional(),
      mapping: mapping.optional(),
      active: flag.optional(),
    }),
    strictBody: true,
    success: destination,
    errors: ['not_found', 'credentials_rejected', 'scope_missing', ...platformErrors],
    example: { active: true },
  }),
  operation('deleteDestination', 'DELETE /destinations/{id}', {
    summary: 'Delete a destination',
    description: 'Waiting deliveries are dropped. Delivered records stay on the platform.',
    params: id,
    success: deletedAnswer,
    errors: ['not_found'],
  }),
  operation('testDestination', 'POST /destinations/{id}/test', {
    summary: 'Deliver a sample record, marked as a sample',
    description: "The sample describes no real person. Returns the platform's result.",
    params: id,
    body: z.object({}),
    strictBody: true,
    success: z.object({
      delivered: z.boolean(),
      remoteId: z.string().nullable(),
      remoteUrl: z.string().nullable(),
      error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }).nullable(),
    }),
    errors: ['not_found'],
    example: {},
  }),
  operation('checkDestination', 'POST /destinations/{id}/check', {
    summary: 'Check the connection of a destination',
    description: 'Returns the account, the granted scopes and the missing scopes. Changes nothing.',
    params: id,
    body: z.object({}),
    strictBody: true,
    success: destinationCheck,
    errors: ['not_found', 'credentials_rejected', ...platformErrors],
    example: {},
  }),
  operation('pushDestination', 'POST /destinations/{id}/push', {
    summary: 'Push captured leads to a destination',
    description:
      'Sends leads captured before the destination was created or changed. Follow the progress with `GET ' +
      '/push/{pushId}`.',
    params: id,
    body: z.object({
      leadIds: leadIds.optional().describe('Only these leads; omitted: all.'),
      filters: filters
        .optional()
        .describe("Extra filters that leads must match, in addition to the destination's own filters."),
    }),
    strictBody: true,
    largeBody: true,
    success: z.object({
      pushId: uuid,
      queued: integer.describe('Deliveries queued by this push.'),
      considered: integer.describe('Captured leads that were checked.'),
      excluded: integer.describe('Leads left out because the person must not be contacted.'),
    }),
    errors: ['not_found'],
    example: {},
  }),
  operation('listDestinationDeliveries', 'GET /destinations/{id}/deliveries', {
    summary: 'List deliveries to a destination, newest first',
    description: 'Free.',
    params: id,
    query: z.object({
      state: choice(destinationDeliveryStates).optional(),
      ...pageQuery,
    }),
    success: destinationDeliveryPage,
    errors: ['not_found'],
  }),
  operation('retryDestinationDelivery', 'POST /destinations/{id}/deliveries/{deliveryId}/retry', {
    summary: 'Retry a refused or unknown delivery',
    description: 'A waiting or delivered delivery stays unchanged.',
    params: z.object({ id: idInPath, deliveryId: idInPath }),
    body: z.object({}),
    strictBody: true,
    success: destinationDelivery,
    errors: ['not_found'],
    example: {},
  }),
  operation('listDestinationFields', 'GET /destinations/{id}/fields', {
    summary: "List the platform's fields, live",
    description: 'Use these fields in the mapping. Empty for kinds without fields.',
    params: id,
    success: z.object({ fields: z.array(destinationField) }),
    errors: ['not_found', 'credentials_rejected', ...platformErrors],
  }),
] as const
