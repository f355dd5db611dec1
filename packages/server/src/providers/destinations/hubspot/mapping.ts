import { cleanUrlOrNull, cutText } from '../../../platform/text.ts'
import { engagementTitles, row, rowsOf, valuesOf, type BuiltInRow } from '../mapping.ts'
import type { EngagementDocument, LeadDocument, MappingRow } from '../port.ts'
import type { CrmSettings } from '../settings.ts'
import { keys, type HubspotObject } from './client.ts'

/** HubSpot's limit of characters per property. */
const longestValue = 60_000

const contactRows: readonly BuiltInRow[] = [
  row('firstname', 'firstName', 'if_empty', ({ firstName, name }) => firstName ?? name),
  row('lastname', 'lastName', 'if_empty'),
  row('email', 'email', 'if_empty'),
  row('jobtitle', 'jobTitle'),
  row('company', 'company.name'),
  row('country', 'country'),
  // The stage only moves forward there, so it is set on creation and then left to the team.
  row('lifecyclestage', 'stage', 'if_empty', () => 'lead'),
  row('les_linkedin_url', 'linkedinUrl'),
  row('les_headline', 'headline'),
  row('les_is_icp', 'isIcp'),
  row('les_fit', 'fit'),
  row('les_stage', 'stage'),
  row('les_owner', 'owner'),
  row('les_source', 'sourceLabel'),
  row('les_engagement_type', 'engagementType'),
  row('les_engaged_at', 'engagedAt'),
  row('les_comment', 'commentText'),
  row('les_post_url', 'postUrl'),
  row('les_why', 'why'),
  row('les_lead_url', 'leadUrl'),
]

/** Companies belong to the customer: filled properties stay. */
export const companyRows: readonly BuiltInRow[] = [
  row('name', 'company.name', 'if_empty', ({ company }) => company.name ?? company.domain),
  row('domain', 'company.domain', 'if_empty'),
  row('linkedin_company_page', 'company.linkedinUrl', 'if_empty'),
  row('numberofemployees', 'company.employeeCount', 'if_empty'),
  // A picklist there, named after the network's industries.
  row('industry', 'company.industry', 'if_empty', ({ company }) =>
    company.industry === null
      ? null
      : company.industry
          .toUpperCase()
          .replaceAll('&', 'AND')
          .replace(/[^A-Z0-9]+/g, '_'),
  ),
]

/** The contact rows of a destination. */
export const rowsOfContacts = ({ writeMode }: CrmSettings, mapping: readonly MappingRow[]): readonly BuiltInRow[] =>
  rowsOf(contactRows, writeMode, mapping).filter(({ field }) => field !== keys.contacts)

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

/** An HTML note about an engagement; all its texts come from strangers and are escaped. */
export function noteBody({ type, postUrl, commentText, sourceLabel }: EngagementDocument): string {
  const url = cleanUrlOrNull(postUrl)
  const link = url === null ? '' : ` (<a href="${escaped(url)}">see it</a>)`
  const source = sourceLabel === null ? '' : `<p>Found by ${escaped(cutText(sourceLabel, 300))}</p>`
  const comment = commentText === null ? '' : `<p>${escaped(cutText(commentText, 10_000)).replaceAll('\n', '<br>')}</p>`
  return `<p>${engagementTitles[type]}${link}</p>${comment}${source}`
}

type NewProperty = {
  readonly name: string
  readonly label: string
  readonly groupName: string
  readonly type: string
  readonly fieldType: string
  readonly hasUniqueValue?: boolean
  readonly options?: readonly { readonly label: string; readonly value: string; readonly displayOrder: number }[]
}

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
