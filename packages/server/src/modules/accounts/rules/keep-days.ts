/**
 * Retention rules for rows that no guarantee needs any more (docs/retention.md), with default and least days. `LES_KEEP_DAYS`
 * overrides the default per service, `PATCH /operator/teams/{id}` per team.
 */

/** The highest setting: as long as the team exists. */
export const maxKeepDays = 36_500

/** Rules for rows of teams; each team may override them. */
export const teamKeepRules = {
  leads: { days: maxKeepDays, least: 30 },
  'unfit-leads': { days: maxKeepDays, least: 30 },
  'delivery-bodies': { days: 90, least: 7 },
  pushes: { days: 365, least: 30 },
  jobs: { days: 30, least: 1 },
  runs: { days: 365, least: 30 },
  'raw-leads': { days: 365, least: 30 },
  'discover-runs': { days: 365, least: 30 },
  'ai-verdicts': { days: 180, least: 7 },
  posts: { days: 180, least: 30 },
  people: { days: 180, least: 30 },
  audit: { days: 400, least: 30 },
  'keyword-spend': { days: 90, least: 2 },
} as const

/** Rules for rows of the service. */
export const serviceKeepRules = {
  'delivery-attempts': { days: 30, least: 1 },
  'planned-sends': { days: 30, least: 1 },
  // The outreach platform repeats unanswered posts for a day.
  'outreach-posts': { days: 30, least: 2 },
  'serving-costs': { days: 400, least: 31 },
  'vendor-costs': { days: 1_100, least: 31 },
} as const

export type TeamKeepRule = keyof typeof teamKeepRules

export type KeepRule = TeamKeepRule | keyof typeof serviceKeepRules

export type KeepDays = Readonly<Partial<Record<KeepRule, number>>>

const every: Readonly<Record<string, { readonly days: number; readonly least: number }>> = {
  ...teamKeepRules,
  ...serviceKeepRules,
}

/** The error in a rule's days; null when valid. */
export function keepMistake(rule: string, days: number): string | null {
  const known = Object.hasOwn(every, rule) ? every[rule] : undefined
  if (!known) return `${JSON.stringify(rule)} is no rule: it is one of ${Object.keys(every).join(', ')}`
  if (Number.isInteger(days) && days >= known.least && days <= maxKeepDays) return null
  return `${rule} must be from ${known.least} to ${maxKeepDays} days`
}

/** Days of a rule: the team's, else the service's, else the default. */
export const keptDays = (rule: KeepRule, service: KeepDays, team: KeepDays = {}): number =>
  team[rule] ?? service[rule] ?? every[rule]!.days
