import { z } from 'zod'
import { filterRow, integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { paging } from './lead.ts'

export const destinationKinds = ['webhook', 'slack', 'hubspot', 'google_sheets', 's3', 'attio', 'salesforce'] as const

const destinationPauses = [
  'credentials_rejected',
  'scope_missing',
  'setup_missing',
  'quota',
  'plan',
  'by_person',
] as const

export const writeModes = ['always', 'if_empty', 'never'] as const

/** Fields of a lead that a mapping row can use under their own name. */
const ownFacts = [
  'personKey',
  'leadId',
  'name',
  'firstName',
  'lastName',
  'email',
  'linkedinUrl',
  'headline',
  'jobTitle',
  'country',
  'isIcp',
  'fit',
  'sourceLabel',
  'engagementType',
  'engagedAt',
  'commentText',
  'postUrl',
  'why',
  'stage',
  'owner',
  'leadUrl',
] as const

/** Fields of the lead's company, each with its dotted name in the document. */
const companyFacts = {
  company: 'company.name',
  companyName: 'company.name',
  companyDomain: 'company.domain',
  companyLinkedinUrl: 'company.linkedinUrl',
  companyIndustry: 'company.industry',
  companyStaffRange: 'company.staffRange',
  companyEmployeeCount: 'company.employeeCount',
} as const

/** Allowed values of a mapping row's `from`, each with the fact's place in the document. */
export const mappingFacts: ReadonlyMap<string, string> = new Map([
  ...ownFacts.map((fact) => [fact, fact] as const),
  ...Object.entries(companyFacts),
  ...Object.values(companyFacts).map((fact) => [fact, fact] as const),
])

export const destinationDeliveryStates = [
  'waiting',
  'delivered',
  'unchanged',
  'refused',
  'excluded',
  'unknown',
] as const

const mappingRow = named('MappingRow', {
  field: z.string().describe("The platform's field name."),
  from: z.string().describe('A lead field, or stage, owner or fit.'),
  mode: z
    .enum(writeModes)
    .describe('When the field is written: always; if_empty: only while it is empty on the platform; never.'),
})

/** A place that leads are sent to automatically; its credentials are never shown. */
export const destination = named('Destination', {
  id: uuid,
  kind: z.enum(destinationKinds),
  name: z.string(),
  active: z.boolean(),
  state: z.enum(['active', 'paused', 'failing']),
  pausedReason: z
    .enum(destinationPauses)
    .nullable()
    .describe('quota clears automatically; for the other reasons, fix the cause and send PATCH {active: true}.'),
  settings: z.looseObject({}).describe('Settings of the kind.'),
  credentialsHint: textOrNull.describe('Last four characters of the credentials.'),
  filters: z.array(filterRow).describe('All rows must match.'),
  icpOnly: z.boolean(),
  sources: z.union([z.literal('all'), z.array(uuid)]),
  mapping: z.array(mappingRow).describe('Overrides the default mapping of the kind.'),
  createdAt: isoDateTime,
  lastDeliveredAt: isoDateTime.nullable(),
  counts: z
    .object({ delivered: integer, waiting: integer, refused: integer, excluded: integer })
    .describe('Delivery counts.'),
})

export const destinationCheck = named('DestinationCheck', {
  account: z.string().describe('Account on the platform that the credentials belong to.'),
  scopes: z.array(z.string()),
  missing: z.array(z.string()).describe('Required scopes that were not granted.'),
  findings: z.array(z.string()).describe('Settings that work but are probably not what you want.'),
})

export const destinationDelivery = named('DestinationDelivery', {
  id: uuid,
  leadId: uuid.nullable().describe("The person's newest lead row."),
  personId: uuid.nullable(),
  state: z
    .enum(destinationDeliveryStates)
    .describe(
      'unknown: the response was lost and the platform cannot be asked; such a delivery is never retried ' +
        'automatically.',
    ),
  attempts: integer,
  remoteId: textOrNull,
  remoteUrl: textOrNull,
  error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }).nullable(),
  at: isoDateTime,
})

export const destinationDeliveryPage = named('DestinationDeliveryPage', {
  deliveries: z.array(destinationDelivery),
  ...paging,
})

export const destinationField = named('DestinationField', {
  name: z.string(),
  label: z.string(),
  type: z.enum(['text', 'number', 'boolean', 'date', 'select', 'multiselect', 'other']),
  options: z.array(z.string()),
  writable: z.boolean(),
  required: z.boolean(),
})
