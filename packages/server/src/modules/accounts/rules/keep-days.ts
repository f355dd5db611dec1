/**
 * How many days rows are kept that no guarantee needs any more (docs/retention.md). A rule has a name, a default in days and the
 * fewest days that may be set; `LES_KEEP_DAYS` changes the default of a service, `PATCH /operator/teams/{id}` that of one team.
 */

/** The most days that can be set: while the team is there. */
export const maxKeepDays = 36_500

/** Rules over rows of teams, which a team may have other days for. */
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

/** Rules over rows of the service. */
export const serviceKeepRules = {
  'delivery-attempts': { days: 30, least: 1 },
  'planned-sends': { days: 30, least: 1 },
  // The platform repeats for a day what was not answered.
  'outreach-posts': { days: 30, least: 2 },
  'serving-costs': { days: 400, least: 31 },
  'vendor-costs': { days: 1_100, least: 31 },
} as const

/** A rule over rows of teams. */
export type TeamKeepRule = keyof typeof teamKeepRules

/** A rule with days that can be set. */
export type KeepRule = TeamKeepRule | keyof typeof serviceKeepRules

/** Days by rule, where they differ from the default. */
export type KeepDays = Readonly<Partial<Record<KeepRule, number>>>

const every: Readonly<Record<string, { readonly days: number; readonly least: number }>> = {
  ...teamKeepRules,
  ...serviceKeepRules,
}

/** Says what is wrong with days for a rule; null when nothing is. */
export function keepMistake(rule: string, days: number): string | null {
  const known = Object.hasOwn(every, rule) ? every[rule] : undefined
  if (!known) return `${JSON.stringify(rule)} is no rule: it is one of ${Object.keys(every).join(', ')}`
  if (Number.isInteger(days) && days >= known.least && days <= maxKeepDays) return null
  return `${rule} must be from ${known.least} to ${maxKeepDays} days`
}

/** How many days a rule keeps: of the team where it has some of its own, else of the service, else the default. */
export const keptDays = (rule: KeepRule, service: KeepDays, team: KeepDays = {}): number =>
  team[rule] ?? service[rule] ?? every[rule]!.days
