/** Splits an agent's daily limit (specification «Engagement Agent», plan split; AGT-42, AGT-43; G126). */

export const planLimits = {
  dailyCredits: { min: 50, max: 20_000 },
  /** Rows a sync of a watched person may store, which is its maximal cost in credits. */
  perPerson: 25,
  people: 60,
  /** Topics that the one-off people search uses. */
  searchedTopics: 10,
  trialPeople: 20,
  /** People that all agents of a free trial may check together. */
  trialChecked: 1_000,
} as const

/** Credits a day per topic, people to watch, and the most both can cost in a day. */
export type Plan = { readonly perTopic: number; readonly people: number; readonly total: number }

/** Clamps a daily limit to its bounds; it is never refused for being outside (trap 33). */
export const clampDaily = (credits: number): number =>
  Math.min(planLimits.dailyCredits.max, Math.max(planLimits.dailyCredits.min, credits))

/** Splits a daily limit: half is for people, what they cannot use is for the topics (at least one); shares are rounded down. */
export function splitPlan(credits: number, topics: number, maxPeople: number = planLimits.people): Plan {
  const people = Math.min(maxPeople, Math.floor(credits / 2 / planLimits.perPerson))
  const forPeople = people * planLimits.perPerson
  const perTopic = Math.floor((credits - forPeople) / topics)
  return { perTopic, people, total: perTopic * topics + forPeople }
}

/** The plan on a free trial: the ordinary split of its allowance, with fewer people. */
export const splitTrialPlan = (topics: number): Plan =>
  splitPlan(planLimits.trialChecked, topics, planLimits.trialPeople)
