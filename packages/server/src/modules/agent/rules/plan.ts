/** How an agent's daily limit is split (specification «Engagement Agent», plan split; AGT-42, AGT-43; G126). */

/** The limits of a plan (specification «Limits»). */
export const planLimits = {
  dailyCredits: { min: 50, max: 20_000 },
  /** Rows a watched person's sync may store, so credits it can cost. */
  perPerson: 25,
  people: 60,
  /** Topics the one-off people search looks for. */
  searchedTopics: 10,
  trialPeople: 20,
  /** People a free trial's agents may check in all. */
  trialChecked: 1_000,
} as const

/** A split: credits a day for each topic, people watched, and what both can come to in a day. */
export type Plan = { readonly perTopic: number; readonly people: number; readonly total: number }

/** A daily limit inside its bounds; never refused for lying outside (trap 33). */
export const clampDaily = (credits: number): number =>
  Math.min(planLimits.dailyCredits.max, Math.max(planLimits.dailyCredits.min, credits))

/**
 * Splits a daily limit: half pays for people, what they cannot use returns to the topics, every share is rounded down.
 * At least one topic.
 */
export function splitPlan(credits: number, topics: number, maxPeople: number = planLimits.people): Plan {
  const people = Math.min(maxPeople, Math.floor(credits / 2 / planLimits.perPerson))
  const forPeople = people * planLimits.perPerson
  const perTopic = Math.floor((credits - forPeople) / topics)
  return { perTopic, people, total: perTopic * topics + forPeople }
}

/** The plan of an agent on a free trial: the ordinary split of its allowance, with fewer people. */
export const splitTrialPlan = (topics: number): Plan =>
  splitPlan(planLimits.trialChecked, topics, planLimits.trialPeople)
