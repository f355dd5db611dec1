import { cleanTextOrNull, cleanUrlOrNull, cutText } from '../../platform/text.ts'
import type { DeliveryRecord, LeadDocument } from './port.ts'

/** The most leads in a message: two blocks each plus one for samples, of Slack's 50. */
export const leadsInMessage = 15

type SlackLead = {
  readonly name: string
  readonly title: string | null
  readonly company: string | null
  readonly why: string | null
  readonly link: string | null
  readonly profile: string | null
  readonly post: string | null
}

/** A lead's texts, each on one line and cut so that the lead fits a block (3,000 characters). */
export const slackLead = (document: LeadDocument): SlackLead => ({
  name: line(document.name, 150) ?? 'Somebody whose name is not known',
  title: line(document.jobTitle ?? document.headline, 250),
  company: line(document.company.name, 150),
  why: line(document.why, 500),
  link: cleanUrlOrNull(document.leadUrl),
  profile: cleanUrlOrNull(document.linkedinUrl),
  post: cleanUrlOrNull(document.postUrl),
})

const line = (text: string | null, max: number): string | null =>
  cleanTextOrNull(text, max)?.replace(/\s+/g, ' ') ?? null

/** The body of a message about leads. Strangers' texts are plain text, which Slack does not interpret. */
export function slackMessage(records: readonly Pick<DeliveryRecord, 'document' | 'isSample'>[]): object {
  const leads = records.map(({ document }) => slackLead(document))
  const isSample = records.some((record) => record.isSample)
  const mark = isSample ? 'A sample about nobody' : 'New lead'
  const [first] = leads
  const summary =
    leads.length === 1 && first ? `${mark}: ${whoOf(first)}` : `${leads.length} ${isSample ? 'samples' : 'new leads'}`
  return {
    // Shown in notifications. Slack reads it as markup, where a name after @ could mention somebody.
    text: escaped(summary).replaceAll('@', '@\u2060'),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      ...(isSample ? [context(plain('A sample about nobody, sent to try out this destination.'))] : []),
      ...leads.flatMap(blocksOf),
    ],
  }
}

const whoOf = ({ name, title, company }: SlackLead): string =>
  [name, title, company].filter((part) => part !== null).join(', ')

function blocksOf(lead: SlackLead): object[] {
  const role = [lead.title, lead.company].filter((part) => part !== null).join(', ')
  const lines = [lead.name, role, lead.why ?? ''].filter((text) => text !== '')
  const links = [linkTo(lead.link, 'Lead'), linkTo(lead.profile, 'Profile'), linkTo(lead.post, 'Post')]
  const shown = links.filter((link) => link !== null)
  return [
    { type: 'section', text: plain(lines.join('\n')) },
    ...(shown.length === 0 ? [] : [context({ type: 'mrkdwn', text: shown.join('  ·  '), verbatim: true })]),
  ]
}

const plain = (text: string): object => ({ type: 'plain_text', text: cutText(text, 3_000), emoji: false })
const context = (element: object): object => ({ type: 'context', elements: [element] })

/** A link with our label; the URL cannot end it or start another. */
const linkTo = (address: string | null, label: string): string | null =>
  address === null ? null : `<${escaped(address.replace(/[|<>]/g, (char) => encodeURIComponent(char)))}|${label}>`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
