import type { Said } from '@les/contract'
import type { InputOf, ResultOf } from '../../api/index.ts'
import { numberOf } from '../../ui/edited.ts'
import type { EditedRow } from '../../ui/filter-words.ts'

export type Agent = NonNullable<ResultOf<'getAgent'>['agent']>

type AgentChange = InputOf<'updateAgent'>

export type Profile = {
  readonly website: string
  readonly summary: string
  readonly titles: readonly string[]
  readonly industries: readonly string[]
  readonly companySizes: readonly string[]
  readonly countries: readonly string[]
  readonly topics: readonly string[]
  /** `Name` or `Name, domain`. */
  readonly competitors: readonly string[]
  readonly dailyCredits: string
}

export const noTopic = ({ profile }: { profile: Pick<Profile, 'topics'> }): string | false =>
  profile.topics.length === 0 && 'Name at least one topic first.'

export const sizes = [
  '1-10',
  '11-50',
  '51-200',
  '201-500',
  '501-1000',
  '1001-5000',
  '5001-10000',
  '10001+',
] as const satisfies readonly Agent['profile']['companySizes'][number][]

export function profileOf(agent: Agent | null): Profile {
  const stored = agent?.profile
  return {
    website: agent?.website ?? '',
    summary: stored?.summary ?? '',
    titles: stored?.titles ?? [],
    industries: stored?.industries ?? [],
    companySizes: stored?.companySizes ?? [],
    countries: stored?.countries ?? [],
    topics: stored?.topics ?? [],
    competitors: (stored?.competitors ?? []).map(({ name, domain }) =>
      domain === undefined ? name : `${name}, ${domain}`,
    ),
    dailyCredits: String(agent?.dailyCredits ?? 100),
  }
}

/** Reads a competitor: text after the last comma is a domain if it looks like one. */
function competitorIn(text: string): { name: string; domain?: string } {
  const cut = text.lastIndexOf(',')
  const tail = text.slice(cut + 1).trim()
  return cut > 0 && /^[^\s]+\.[^\s]+$/.test(tail)
    ? { name: text.slice(0, cut).trim(), domain: tail }
    : { name: text.trim() }
}

/** The profile as a change, without a daily limit on a trial. A limit that is no number is sent: the refusal names its field. */
export function changeOf(profile: Profile, isTrial: boolean): AgentChange {
  return {
    website: profile.website.trim() === '' ? null : profile.website.trim(),
    summary: profile.summary,
    titles: [...profile.titles],
    industries: [...profile.industries],
    companySizes: sizes.filter((size) => profile.companySizes.includes(size)),
    countries: [...profile.countries],
    topics: [...profile.topics],
    competitors: profile.competitors.map(competitorIn),
    ...(isTrial ? {} : { dailyCredits: numberOf(profile.dailyCredits) }),
  }
}

export const nameOf = (agent: { website: string | null }): string => agent.website ?? 'Agent without a website'

export type AgentLead = ResultOf<'listAgentLeads'>['leads'][number]

export const leadName = (lead: Pick<AgentLead, 'name'>): string => lead.name ?? 'Name unknown'

export const signals: Readonly<Record<AgentLead['signal'], Said>> = {
  extra_strong: { text: 'Very strong', tone: 'good' },
  strong: { text: 'Strong', tone: 'good' },
  medium: { text: 'Medium', tone: 'info' },
  weak: { text: 'Weak', tone: 'neutral' },
}

export const partNames: Readonly<Record<AgentLead['icpParts'][number]['part'], string>> = {
  title: 'Job title',
  country: 'Country',
  industry: 'Industry',
  size: 'Company size',
}

export const outcomes: Readonly<Record<AgentLead['icpParts'][number]['outcome'], Said>> = {
  match: { text: 'matches', tone: 'good' },
  unknown: { text: 'not known', tone: 'warn' },
  miss: { text: 'does not match', tone: 'bad' },
}

export const rowsOf = (rows: readonly EditedRow[]): NonNullable<NonNullable<AgentChange['webhook']>['filters']> =>
  rows.map((row) => ({ ...row }))
