import { count, countOf } from './format.ts'

/** The figures of a refusal that waits for a yes, as far as the answer has them. */
export type SpendQuote = Readonly<Record<string, unknown>>

const numberIn = (figures: SpendQuote, name: string): number | undefined =>
  typeof figures[name] === 'number' ? figures[name] : undefined

const modes: Readonly<Record<string, string>> = {
  engagers: 'everyone who engages',
  posts_only: 'posts only',
  depth: 'many people per post',
  breadth: 'few people of many posts',
}

/** The quote in one sentence, in the form that every quote has. */
function mostWords(once: number | undefined, daily: number | undefined, have: string): string | false {
  if (once !== undefined && daily !== undefined)
    return `At most ${countOf(once, 'credit')} now, then up to ${count(daily)} a day${have}.`
  if (once !== undefined) return `At most ${countOf(once, 'credit')}, once${have}.`
  return daily !== undefined && `At most ${countOf(daily, 'credit')} a day${have}.`
}

/** What a yes means, one sentence for each figure the answer has; `who` says whose the balance is when it is not the team's. */
export function spendWords(figures: SpendQuote, who = 'you have'): readonly string[] {
  const once = numberIn(figures, 'estimatedCredits')
  const daily = numberIn(figures, 'estimatedDailyMax')
  const perRun = numberIn(figures, 'creditCap') ?? numberIn(figures, 'creditCapPerSync')
  const days = numberIn(figures, 'daysToExhaustAtCap')
  const left = numberIn(figures, 'remainingBalance')
  const discover = numberIn(figures, 'discoverCost')
  const limit = numberIn(figures, 'dailyCredits')
  const mode = figures.captureMode ?? figures.mode
  const plan = typeof figures.plan === 'object' && figures.plan !== null ? (figures.plan as SpendQuote) : undefined
  const whose = who === 'you have' ? 'your credits' : 'they'
  const lines = [
    mostWords(once, daily, left === undefined ? '' : `; ${who} ${count(left)}`),
    perRun !== undefined && `One run can use at most ${countOf(perRun, 'credit')}.`,
    limit !== undefined && `The daily limit is ${countOf(limit, 'credit')}.`,
    plan &&
      numberIn(plan, 'total') !== undefined &&
      `Split of a day: ${countOf(numberIn(plan, 'perTopic') ?? 0, 'credit')} for each topic, ` +
        `${countOf(numberIn(plan, 'people') ?? 0, 'credit')} for people, ${countOf(numberIn(plan, 'total')!, 'credit')} in all.`,
    discover !== undefined &&
      `Searching for people to watch costs at most ${countOf(discover, 'credit')} besides, once.`,
    typeof mode === 'string' && modes[mode] !== undefined && `It captures ${modes[mode]}.`,
    days !== undefined &&
      (days === 0 ? `At that rate ${whose} end within a day.` : `At that rate ${whose} last ${countOf(days, 'day')}.`),
  ]
  return lines.filter((line): line is string => typeof line === 'string')
}

/** The balance on each of the next days at the most this can use; nothing when the figures do not say. */
export function daysLeft(figures: SpendQuote): readonly { readonly day: number; readonly credits: number }[] {
  const daily = numberIn(figures, 'estimatedDailyMax')
  const left = numberIn(figures, 'remainingBalance')
  if (daily === undefined || left === undefined || daily <= 0) return []
  const days = Math.min(30, Math.max(7, Math.ceil(left / daily)))
  return Array.from({ length: days + 1 }, (_, index) => ({ day: index, credits: Math.max(0, left - daily * index) }))
}
