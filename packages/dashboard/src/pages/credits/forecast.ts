/** How long the balance lasts, in words. */
import type { SessionResult } from '../../api/types.ts'
import type { Tone } from '../../ui/show.tsx'
import { countOf, day } from '../../ui/format.ts'

/** What is forecast. */
export type Forecast = SessionResult<'getBurn'>['forecast']

const perDay = (average: number): string =>
  average < 10 ? String(Math.round(average * 10) / 10) : new Intl.NumberFormat('en').format(Math.round(average))

/** The forecast as a headline and a sentence; the tone warns when the credits end before they are renewed. */
export function forecastWords(
  { dailyAverage, daysLeft, emptyAt, resetAt, lastsToReset }: Forecast,
  balance: number,
): { readonly tone: Tone; readonly title: string; readonly text: string } {
  const renewed = `New credits come on ${day(resetAt)}.`
  if (balance <= 0)
    return {
      tone: 'bad',
      title: 'There are no credits left',
      text: `Sources stop capturing new people until there are. ${renewed}`,
    }
  if (daysLeft === null || dailyAverage === 0)
    return {
      tone: 'neutral',
      title: 'Nothing is being spent',
      text: `No credit was used in the last 7 days. ${renewed}`,
    }
  const rate = `You use about ${perDay(dailyAverage)} ${dailyAverage === 1 ? 'credit' : 'credits'} a day.`
  if (lastsToReset)
    return { tone: 'good', title: 'Your credits last until they are renewed', text: `${rate} ${renewed}` }
  const end = daysLeft === 0 ? 'today' : emptyAt === null ? `in ${countOf(daysLeft, 'day')}` : `on ${day(emptyAt)}`
  return {
    tone: 'warn',
    title: daysLeft === 0 ? 'Your credits may end today' : `Your credits end in about ${countOf(daysLeft, 'day')}`,
    text: `${rate} At that rate they end ${end}, before new ones come on ${day(resetAt)}. The first sync of a source costs more than those after it; if this goes on, lower the limit of a dear source or stop one that yields little.`,
  }
}
