import type { ResultOf } from '../../api/types.ts'
import { count, countOf, day, decimal } from '../../ui/format.ts'
import type { Tone } from '../../ui/show.tsx'

type Forecast = ResultOf<'getBurn'>['forecast']

const perDay = (average: number): string => (average < 10 ? decimal(average) : count(Math.round(average)))

/** Days until the balance ends: at the earliest if caps are used up, at the latest at the present average. */
function range(daysAtCap: number | null, daysLeft: number): string {
  if (daysAtCap === null || daysAtCap >= daysLeft) return `in about ${countOf(daysLeft, 'day')}`
  return daysAtCap === 0 ? `within ${countOf(daysLeft, 'day')}` : `in ${daysAtCap} to ${countOf(daysLeft, 'day')}`
}

/** True when credits could end before renewal if every sync used its cap. */
const endsAtCap = (daysAtCap: number | null, resetAt: string, nowMs: number): boolean =>
  daysAtCap !== null && nowMs + daysAtCap * 86_400_000 < Date.parse(resetAt)

/** The forecast as a headline and a sentence; its tone warns when credits end before renewal at the present average. */
export function forecastWords(
  { firstSyncs, dailyCap, daysAtCap, dailyAverage, daysLeft, emptyAt, resetAt, lastsToReset }: Forecast,
  balance: number,
  nowMs: number,
): { readonly tone: Tone; readonly title: string; readonly text: string } {
  const renewed = `New credits come on ${day(resetAt)}.`
  if (balance <= 0)
    return {
      tone: 'bad',
      title: 'There are no credits left',
      text: `Sources capture no new people until you have credits again. ${renewed}`,
    }
  const atCap =
    endsAtCap(daysAtCap, resetAt, nowMs) && dailyCap !== null && dailyCap > 0
      ? ` If every sync used its whole limit, ${countOf(dailyCap, 'credit')} a day together, they ` +
        `would end ${daysAtCap === 0 ? 'within a day' : `in ${countOf(daysAtCap ?? 0, 'day')}`}.`
      : ''
  if (daysLeft === null || dailyAverage === 0)
    return firstSyncs > 0
      ? {
          tone: 'neutral',
          title: 'Only first syncs have used credits so far',
          text: `They used ${countOf(firstSyncs, 'credit')}; later syncs read only what is new and use less.${atCap} ${renewed}`,
        }
      : {
          tone: 'neutral',
          title: 'Nothing is being spent',
          text: `No credit was used in the last 7 days.${atCap} ${renewed}`,
        }
  const use = `You use about ${perDay(dailyAverage)} ${dailyAverage === 1 ? 'credit' : 'credits'} a day`
  const rate =
    firstSyncs > 0
      ? `${use}, not counting the first syncs of new sources (${countOf(firstSyncs, 'credit')}).`
      : `${use}.`
  if (lastsToReset)
    return { tone: 'good', title: 'Your credits last until they are renewed', text: `${rate}${atCap} ${renewed}` }
  const end = daysLeft === 0 ? 'today' : emptyAt === null ? `in ${countOf(daysLeft, 'day')}` : `on ${day(emptyAt)}`
  return {
    tone: 'warn',
    title: daysLeft === 0 ? 'Your credits may end today' : `Your credits end ${range(daysAtCap, daysLeft)}`,
    text:
      `${rate} At that rate they end ${end}, before new ones come on ${day(resetAt)}.${atCap} ` +
      `Lower the limit of an expensive source, or stop one that yields little.`,
  }
}
