import { cutText } from '../../../platform/text.ts'
import { engagementTitles, row, rowsOf, valuesOf, type BuiltInRow } from '../mapping.ts'
import type { EngagementDocument, LeadDocument, MappingRow } from '../port.ts'
import type { CrmSettings } from '../settings.ts'
import { personKey, type Values } from './client.ts'

const personRows: readonly BuiltInRow[] = [
  row('name', 'name', 'if_empty'),
  row('email_addresses', 'email', 'if_empty'),
  row('job_title', 'jobTitle'),
  row('linkedin', 'linkedinUrl'),
  row('les_headline', 'headline'),
  row('les_country', 'country'),
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

/** The mapping rows of a destination. */
export const rowsOfPeople = ({ writeMode }: CrmSettings, mapping: readonly MappingRow[]): readonly BuiltInRow[] =>
  rowsOf(personRows, writeMode, mapping).filter(({ field }) => field !== personKey && field !== 'company')

const longestValue = 10_000

/** A document's values by attribute, as the API takes them: names in parts, emails as a list. */
export const contentOf = (rows: readonly BuiltInRow[], document: LeadDocument): Values =>
  Object.fromEntries(
    Object.entries(valuesOf(rows, document)).map(([field, value]) => {
      const plain = typeof value === 'string' ? cutText(value, longestValue) : value
      if (field === 'name') return [field, [nameOf(document, String(plain))]]
      return [field, field === 'email_addresses' ? [plain] : plain]
    }),
  )

/** Attio wants all three parts. */
const nameOf = ({ firstName, lastName, name }: LeadDocument, written: string) => ({
  first_name: written === name ? (firstName ?? written) : written,
  last_name: written === name ? (lastName ?? '') : '',
  full_name: written,
})

/** The line that identifies a note; Attio has no external ids for notes. */
export const noteMark = (key: string): string => `Engagement ${key}`

/** A plain-text note about an engagement. */
export function noteOf(engagement: EngagementDocument): { readonly title: string; readonly content: string } {
  const { key, type, postUrl, commentText, sourceLabel } = engagement
  const lines = [
    commentText === null ? null : cutText(commentText, 9_000),
    postUrl,
    sourceLabel === null ? null : `Found by ${cutText(sourceLabel, 300)}`,
    noteMark(key),
  ]
  return { title: engagementTitles[type], content: lines.filter((line) => line !== null).join('\n\n') }
}

const attribute = (api_slug: string, title: string, type = 'text') => ({ api_slug, title, type, is_unique: false })

/** The attributes created on people. */
export const ownAttributes: readonly ReturnType<typeof attribute>[] = [
  { ...attribute(personKey, 'Lead key'), is_unique: true },
  attribute('les_headline', 'Lead headline'),
  attribute('les_country', 'Lead country'),
  attribute('les_is_icp', 'Lead fits the ideal customer', 'checkbox'),
  attribute('les_fit', 'Lead fit (0 to 100)', 'number'),
  attribute('les_stage', 'Lead stage'),
  attribute('les_owner', 'Lead owner'),
  attribute('les_source', 'Lead source'),
  attribute('les_engagement_type', 'Last engagement'),
  attribute('les_engaged_at', 'Last engaged at', 'timestamp'),
  attribute('les_comment', 'Last comment'),
  attribute('les_post_url', 'Last post'),
  attribute('les_why', 'Why this lead'),
  attribute('les_lead_url', 'Lead page'),
]
