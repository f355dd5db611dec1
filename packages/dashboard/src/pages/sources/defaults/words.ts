import type { ResultOf } from '../../../api/types.ts'
import { count, countOf } from '../../../ui/format.ts'

const howMany = { all: ', all must match', any: ', one is enough' } as const

export type Defaults = ResultOf<'getDefaults'>['defaults'][number]
export type Of = Defaults['of']
export type Part = 'webhook' | 'criteria' | 'outreach' | 'cap'
export type Preview = ResultOf<'previewDefaults'>

export const parts: readonly { readonly part: Part; readonly label: string; readonly text: string }[] = [
  { part: 'webhook', label: 'Webhook', text: 'Where leads are delivered, and which of them.' },
  { part: 'criteria', label: 'Who fits', text: 'The criteria that leads are judged by.' },
  { part: 'outreach', label: 'Outreach', text: 'The campaign that leads are sent to.' },
  { part: 'cap', label: 'Cap', text: 'The most credits that one sync of a source uses.' },
]

export const partLabel = (part: Part): string => parts.find((each) => each.part === part)!.label

export const ofWords: Readonly<Record<Of, string>> = {
  all: 'All sources',
  person: 'People',
  company: 'Company pages',
  post: 'Posts',
  keyword: 'Keyword searches',
}

const joined = (...words: readonly (string | false)[]): string => words.filter((word) => word !== false).join(', ')

export function valueWords(defaults: Defaults, part: Part): string | null {
  const { webhook, criteria, outreach, cap } = defaults
  switch (part) {
    case 'webhook':
      return (
        webhook &&
        joined(
          webhook.url,
          webhook.icpOnly && 'only leads that fit',
          !webhook.autoSend && 'on push only',
          webhook.syncEvents && 'tells when a sync ends',
        )
      )
    case 'criteria':
      return (
        criteria &&
        (criteria.rules.length === 0
          ? 'No criteria: nobody is judged'
          : countOf(criteria.rules.length, 'row') + (criteria.rules.length === 1 ? '' : howMany[criteria.matchMode]))
      )
    case 'outreach':
      return (
        outreach &&
        joined(
          outreach.campaignName,
          outreach.filters.length > 0 && `leads that match ${countOf(outreach.filters.length, 'row')}`,
          !outreach.autoSend && 'by hand only',
        )
      )
    case 'cap':
      return cap && (cap.credits === null ? 'No limit' : `At most ${countOf(cap.credits, 'credit')}`)
  }
}

/** The default cap of a kind as text for its field; undefined when there is none. */
export function capFor(defaults: readonly Defaults[], kind: Of): string | undefined {
  const cap = defaults.find(({ of }) => of === kind)?.cap ?? defaults.find(({ of }) => of === 'all')?.cap
  return cap === undefined || cap === null ? undefined : cap.credits === null ? '' : String(cap.credits)
}

export function givenWords(defaults: readonly Defaults[], kinds: readonly Of[]): readonly string[] {
  return (['webhook', 'criteria', 'outreach'] as const).flatMap((part) => {
    const said = kinds.map((kind) => {
      const own = defaults.find(({ of }) => of === kind)
      const all = defaults.find(({ of }) => of === 'all')
      return (own && valueWords(own, part)) ?? (all && valueWords(all, part)) ?? null
    })
    if (said.every((each) => each === null)) return []
    const isOne = said.every((each) => each === said[0])
    return [`${partLabel(part)}: ${isOne ? said[0] : 'by kind'}`]
  })
}

export const keptWords: Readonly<Record<Preview['kept'][number]['reason'], string>> = {
  agent: 'set by an agent',
  posts_only: 'watched for posts only: their cost is the posts of a sync',
  needs_a_cap: 'keyword searches, which need a cap',
}

const aDay = (credits: number | null): string =>
  credits === null ? 'no limit a day' : `at most ${countOf(credits, 'credit')} a day`

export function dailyWords({ before, after, balance, days }: Preview['daily']): string {
  const have = `you have ${count(balance)}`
  if (before === after) return `The most they may cost stays the same: ${aDay(after)}; ${have}.`
  const lasts =
    days === null ? '' : days === 0 ? ', enough for less than a day' : `, enough for ${countOf(days, 'day')}`
  return `Together they may cost ${aDay(after)}, compared with ${aDay(before)} now; ${have}${lasts}.`
}
