import type { ReactNode } from 'react'
import type { SessionResult } from '../../api/types.ts'
import { count, day, Meter, Notice, planName, Stat, useNow } from '../../ui/index.ts'
import { forecastWords } from './forecast.ts'

/** What is left, what the plan gives, and how long it lasts. */
export function Balance({ burn: { credits, forecast } }: { readonly burn: SessionResult<'getBurn'> }): ReactNode {
  const now = useNow()
  const said = forecastWords(forecast, credits.balance, now)
  const topUps = credits.balance - credits.remaining
  const isShort = credits.limit > 0 && credits.used / credits.limit >= 0.8
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Stat
          label="Credits left"
          value={count(credits.balance)}
          hint={topUps > 0 ? `${count(topUps)} of them topped up` : 'to spend now'}
        />
        <Stat
          label="Used in this period"
          value={count(credits.used)}
          hint={`of ${count(credits.limit)} the plan gives`}
        />
        <Stat label="Plan" value={planName(credits.plan)} hint={`${count(credits.limit)} credits a period`} />
        <Stat label="New credits" value={day(credits.nextReset)} hint="the rest of the plan lapses" />
      </div>
      <Meter
        label="Allowance used"
        value={credits.used}
        max={credits.limit}
        tone={credits.used >= credits.limit ? 'bad' : isShort ? 'warn' : 'good'}
      />
      <Notice tone={said.tone} title={said.title}>
        {said.text}
      </Notice>
    </div>
  )
}
