import { cleanUrlOrNull, cutText } from '../../../platform/text.ts'
import { rowsOf, valuesOf, type BuiltInRow } from '../mapping.ts'
import type { EngagementDocument, LeadDocument, MappingRow, WriteMode } from '../port.ts'
import { keys, type HubspotObject } from './client.ts'

/** Settings of a HubSpot destination. */
export type HubspotSettings = {
  readonly createCompanies: boolean
  readonly notes: boolean
  readonly writeMode: Readonly<Record<string, WriteMode>>
}

const always = (field: string, from: string, read?: BuiltInRow['read']): BuiltInRow => ({
  field,
  from,
  mode: 'always',
  ...(read ? { read } : {}),
})
const ifEmpty = (field: string, from: string, read?: BuiltInRow['read']): BuiltInRow => ({
  field,
  from,
  mode: 'if_empty',
  ...(read ? { read } : {}),
})

/** HubSpot's limit of characters per property. */
const longestValue = 60_000

const contactRows: readonly BuiltInRow[] = [
  ifEmpty('firstname', 'firstName', ({ firstName, name }) => firstName ?? name),
  ifEmpty('lastname', 'lastName'),
  ifEmpty('email', 'email'),
  always('jobtitle', 'jobTitle'),
  always('company', 'company.name'),
  always('country', 'country'),
  // The stage only moves forward there, so it is set on creation and then left to the team.
  ifEmpty('lifecyclestage', 'stage', () => 'lead'),
  always('les_linkedin_url', 'linkedinUrl'),
  always('les_headline', 'headline'),
  always('les_is_icp', 'isIcp'),
  always('les_fit', 'fit'),
  always('les_stage', 'stage'),
  always('les_owner', 'owner'),
  always('les_source', 'sourceLabel'),
  always('les_engagement_type', 'engagementType'),
  always('les_engaged_at', 'engagedAt'),
  always('les_comment', 'commentText'),
  always('les_post_url', 'postUrl'),
  always('les_why', 'why'),
  always('les_lead_url', 'leadUrl'),
]

/** Companies belong to the customer: filled properties stay. */
export const companyRows: readonly BuiltInRow[] = [
  ifEmpty('name', 'company.name', ({ company }) => company.name ?? company.domain),
  ifEmpty('domain', 'company.domain'),
  ifEmpty('linkedin_company_page', 'company.linkedinUrl'),
  ifEmpty('numberofemployees', 'company.employeeCount'),
  // A picklist there, named after the network's industries.
  ifEmpty('industry', 'company.industry', ({ company }) =>
    company.industry === null
      ? null
      : company.industry
          .toUpperCase()
          .replaceAll('&', 'AND')
          .replace(/[^A-Z0-9]+/g, '_'),
  ),
]

/** The contact rows of a destination. */
export const rowsOfContacts = (settings: HubspotSettings, mapping: readonly MappingRow[]): readonly BuiltInRow[] =>
  rowsOf(contactRows, { writeMode: settings.writeMode, mapping }).filter(({ field }) => field !== keys.contacts)

/** A document's values by property; HubSpot takes strings. */
export const contentOf = (rows: readonly BuiltInRow[], document: LeadDocument): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(valuesOf(rows, document)).map(([field, value]) => [field, cutText(String(value), longestValue)]),
  )

/** The key of a person's company; null without a domain and a page. */
export function companyKeyOf({ company: { domain, linkedinUrl } }: LeadDocument): string | null {
  const key = domain ?? linkedinUrl
  return key === null ? null : cutText(key.toLowerCase(), 250)
}

const escaped = (value: string): string =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const done: Readonly<Record<EngagementDocument['type'], string>> = {
  Like: 'Reacted to a post',
  Comment: 'Commented on a post',
  Author: 'Wrote a post',
}

/** An HTML note about an engagement; all its texts come from strangers and are escaped. */
export function noteBody({ type, postUrl, commentText, sourceLabel }: EngagementDocument): string {
  const url = cleanUrlOrNull(postUrl)
  const link = url === null ? '' : ` (<a href="${escaped(url)}">see it</a>)`
  const source = sourceLabel === null ? '' : `<p>Found by ${escaped(cutText(sourceLabel, 300))}</p>`
  const comment = commentText === null ? '' : `<p>${escaped(cutText(commentText, 10_000)).replaceAll('\n', '<br>')}</p>`
  return `<p>${done[type]}${link}</p>${comment}${source}`
}

/** A property to create. */
export type NewProperty = {
  readonly name: string
  readonly label: string
  readonly groupName: string
  readonly type: string
  readonly fieldType: string
  readonly hasUniqueValue?: boolean
  readonly options?: readonly { readonly label: string; readonly value: string; readonly displayOrder: number }[]
}

/** The group of our properties. */
export const group = { name: 'lead_engagement', label: 'Lead engagement' } as const

const property = (name: string, label: string, type = 'string', fieldType = 'text'): NewProperty => ({
  name,
  label,
  groupName: group.name,
  type,
  fieldType,
})
const key = (object: HubspotObject, label: string): NewProperty => ({
  ...property(keys[object], label),
  hasUniqueValue: true,
})

/** The properties created, by object. */
export const ownProperties: Readonly<Record<HubspotObject, readonly NewProperty[]>> = {
  contacts: [
    key('contacts', 'Lead key'),
    property('les_linkedin_url', 'Lead profile'),
    property('les_headline', 'Lead headline'),
    {
      ...property('les_is_icp', 'Lead fits the ideal customer', 'bool', 'booleancheckbox'),
      options: [
        { label: 'Yes', value: 'true', displayOrder: 0 },
        { label: 'No', value: 'false', displayOrder: 1 },
      ],
    },
    property('les_fit', 'Lead fit (0 to 100)', 'number', 'number'),
    property('les_stage', 'Lead stage'),
    property('les_owner', 'Lead owner'),
    property('les_source', 'Lead source'),
    property('les_engagement_type', 'Last engagement'),
    property('les_engaged_at', 'Last engaged at', 'datetime', 'date'),
    property('les_comment', 'Last comment', 'string', 'textarea'),
    property('les_post_url', 'Last post'),
    property('les_why', 'Why this lead', 'string', 'textarea'),
    property('les_lead_url', 'Lead page'),
  ],
  companies: [key('companies', 'Lead company key')],
  notes: [key('notes', 'Lead engagement key')],
}
