/** How well a person fits an agent's profile, in percent, with reasons. The title is a gate; unknown parts earn half points. */
import { companySizeOf, companySizeOfRange } from '@les/contract'
import { contained, needleOf, prepare } from '../../../platform/rules/matching.ts'
import { fold } from '../../../platform/rules/words.ts'

/** What an agent looks for; an empty list asks for nothing and is not counted. */
export type FitProfile = {
  readonly titles: readonly string[]
  readonly industries: readonly string[]
  readonly companySizes: readonly string[]
  readonly countries: readonly string[]
}

export type FitFacts = {
  readonly jobTitle: string | null
  readonly country: string | null
  readonly industry: string | null
  readonly staffRange: string | null
  readonly employeeCount: number | null
}

type FitPart = {
  readonly part: 'title' | 'country' | 'industry' | 'size'
  readonly outcome: 'match' | 'unknown' | 'miss'
  readonly value: string | null
  readonly matched: string | null
  readonly earned: number
  readonly weight: number
}

/** The judgement: `listed` is the title gate; `percent` is null when the profile asks for nothing. */
export type Fit = {
  readonly listed: boolean
  readonly percent: number | null
  readonly parts: readonly FitPart[]
  readonly reasons: readonly string[]
}

const fitWeights = { title: 40, country: 30, industry: 15, size: 15 } as const

type Find = (value: string) => string | null

function remembered(find: Find): Find {
  const seen = new Map<string, string | null>()
  return (value) => {
    const known = seen.get(value)
    if (known !== undefined) return known
    const found = find(value)
    seen.set(value, found)
    return found
  }
}

/** Matches a wanted title that the person's title contains as whole words. */
function titleFinder(wanted: readonly string[]): Find {
  const finder = prepare(wanted.map(needleOf))
  return (value) => wanted[contained(finder, value).indexOf(true)] ?? null
}

/** Groups of names that the network has used for one industry. */
const sameIndustry: readonly (readonly string[])[] = [
  ['software development', 'computer software', 'software', 'saas'],
  ['it services and it consulting', 'information technology and services', 'information technology', 'it services'],
  ['technology information and internet', 'internet', 'internet publishing'],
  ['advertising services', 'marketing and advertising', 'marketing', 'advertising', 'marketing services'],
  ['business consulting and services', 'management consulting', 'consulting'],
  ['financial services', 'finance'],
  ['hospitals and health care', 'hospital and health care', 'health care', 'healthcare'],
  ['staffing and recruiting', 'recruiting', 'recruitment'],
  ['human resources services', 'human resources', 'hr services'],
  ['retail', 'retail and e commerce'],
  ['e learning providers', 'e learning'],
  ['higher education', 'education'],
  ['real estate', 'commercial real estate'],
]

const withAnd = (text: string): string => text.replace(/[&＆]/g, ' and ')
const plain = (text: string): string =>
  fold(withAnd(text))
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()

/** Matches an industry that is equal, contained in the other as whole words, or another name of the same. */
function industryFinder(wanted: readonly string[]): Find {
  const asked = wanted.map((one) => ({ one, name: plain(one) })).filter(({ name }) => name !== '')
  const finder = prepare(asked.map(({ one }) => needleOf(withAnd(one))))
  return (value) => {
    const held = plain(value)
    const within = contained(finder, withAnd(value))
    const itself = prepare([needleOf(withAnd(value))])
    return (
      asked.find(
        ({ one, name }, index) =>
          within[index] ||
          contained(itself, withAnd(one))[0] ||
          sameIndustry.some((names) => names.includes(name) && names.includes(held)),
      )?.one ?? null
    )
  }
}

/** The size bucket of a company, from its staff range, else its employee count; null when neither says. */
export function sizeBucket(staffRange: string | null, employeeCount: number | null): string | null {
  const ofRange = staffRange === null ? null : companySizeOfRange(staffRange)
  return ofRange ?? (employeeCount === null || employeeCount <= 0 ? null : companySizeOf(employeeCount))
}

const names = { title: 'Job title', country: 'Country', industry: 'Industry', size: 'Company size' } as const

function reasonOf({ part, outcome, value, matched, earned, weight }: FitPart, wanted: readonly string[]): string {
  const points = `${earned} of ${weight} points`
  if (outcome === 'unknown') return `${names[part]} is not known: half, ${points}`
  if (outcome === 'match') return `${names[part]} "${value}" matches "${matched}": ${points}`
  const shown = wanted.slice(0, 3).join(', ') + (wanted.length > 3 ? ', …' : '')
  return `${names[part]} "${value}" is not one of ${shown}: ${points}`
}

/** Makes the judge of a profile; `countryOf` answers the first wanted country that a text names. */
export function fitJudge(
  profile: FitProfile,
  countryOf: (wanted: readonly string[], text: string) => string | null,
): (facts: FitFacts) => Fit {
  const asked = [
    { part: 'title', wanted: profile.titles, find: remembered(titleFinder(profile.titles)) },
    { part: 'country', wanted: profile.countries, find: remembered((value) => countryOf(profile.countries, value)) },
    { part: 'industry', wanted: profile.industries, find: remembered(industryFinder(profile.industries)) },
    {
      part: 'size',
      wanted: profile.companySizes,
      find: (value: string) => profile.companySizes.find((one) => one === value) ?? null,
    },
  ] as const
  const counted = asked.filter(({ wanted }) => wanted.length > 0)
  const weight = counted.reduce((sum, { part }) => sum + fitWeights[part], 0)
  return (facts) => {
    const values = {
      title: facts.jobTitle,
      country: facts.country,
      industry: facts.industry,
      size: sizeBucket(facts.staffRange, facts.employeeCount),
    }
    const parts = counted.map(({ part, find }) => judgePart(part, values[part], find))
    const earned = parts.reduce((sum, one) => sum + one.earned, 0)
    return {
      listed: parts.every((one) => one.part !== 'title' || one.outcome === 'match'),
      percent: weight === 0 ? null : Math.round((100 * earned) / weight),
      parts,
      reasons: parts.map((one, at) => reasonOf(one, counted[at]!.wanted)),
    }
  }
}

function judgePart(part: FitPart['part'], held: string | null, find: Find): FitPart {
  const value = held === null || held.trim() === '' ? null : held
  const matched = value === null ? null : find(value)
  const outcome = value === null ? 'unknown' : matched === null ? 'miss' : 'match'
  const weight = fitWeights[part]
  return {
    part,
    outcome,
    value,
    matched,
    earned: outcome === 'match' ? weight : outcome === 'unknown' ? weight / 2 : 0,
    weight,
  }
}
