import type { ReactNode } from 'react'
import { useV1Query, type V1Result } from '../../api/index.ts'
import { Card, Chart, Notice, Skeleton, count, countOf, useSettled } from '../../ui/index.ts'
import { daysLeft } from '../../ui/spend-words.ts'
import { Changes } from './changes.tsx'
import { looksForSomething, type Draft } from './draft.ts'
import { trackOf } from './requests.ts'

type Estimate = V1Result<'estimateKeyword'>

function Figure({ label, value }: { readonly label: string; readonly value: string }): ReactNode {
  return (
    <div className="flex justify-between gap-3 border-b border-line py-1.5 last:border-0">
      <dt className="text-muted">{label}</dt>
      <dd className="text-end font-medium tabular-nums">{value}</dd>
    </div>
  )
}

function Figures({ estimate, isNew }: { readonly estimate: Estimate; readonly isNew: boolean }): ReactNode {
  const days = estimate.daysToExhaustAtCap
  const left = daysLeft(estimate)
  return (
    <div className="flex flex-col gap-3 text-sm">
      <dl>
        {estimate.estimatedDailyMax !== undefined && (
          <Figure label="At most a day" value={countOf(estimate.estimatedDailyMax, 'credit')} />
        )}
        <Figure label="At most a run" value={countOf(estimate.creditCap, 'credit')} />
        {estimate.remainingBalance !== undefined && (
          <Figure label="You have" value={countOf(estimate.remainingBalance, 'credit')} />
        )}
        {days !== undefined && (
          <Figure label="At that rate they last" value={days === 0 ? 'less than a day' : countOf(days, 'day')} />
        )}
        <Figure label="All searches, at most a day" value={countOf(estimate.dailyCeiling, 'credit')} />
      </dl>
      {days !== undefined && days < 7 && (
        <Notice tone="warn">
          {days === 0
            ? 'One day of this search can use up your credits.'
            : `Your credits could end in ${countOf(days, 'day')}.`}
        </Notice>
      )}
      {left.length > 0 && (
        <Chart
          kind="area"
          height={140}
          label="Credits left on each day, if this search uses the most it can"
          data={left}
          x="day"
          xLabel="Days from now"
          series={[{ key: 'credits', label: 'Credits left' }]}
          formatX={(value) => (value === 0 ? 'today' : `+${value} d`)}
          formatY={count}
        />
      )}
      {!estimate.filtering.applied && (
        <p className="text-[0.8125rem] text-muted">Tip: an AI filter keeps posts off the topic from using credits.</p>
      )}
      {isNew && estimate.resumed && (
        <Notice tone="info" title="There is such a search already">
          <p className="mb-2">Saving goes on with it{estimate.changed ? ', with these changes:' : '.'}</p>
          {estimate.changed && <Changes changes={estimate.changed} />}
        </Notice>
      )}
    </div>
  )
}

/** What the search would come to, as it is edited; nothing is made or charged. */
export function EstimateCard({ draft, isNew }: { readonly draft: Draft; readonly isNew: boolean }): ReactNode {
  const ready = looksForSomething(draft)
  const input = useSettled(ready ? trackOf(draft) : null, 600)
  const { data, error } = useV1Query('estimateKeyword', input ?? {}, {
    topic: 'keywords',
    enabled: ready && input !== null,
    keepPrevious: true,
  })
  return (
    <Card title="What it can cost" className="lg:sticky lg:top-16">
      <div aria-live="polite">
        {!ready && <p className="text-sm text-muted">Say what to look for, and the most it can cost appears here.</p>}
        {ready && error && <p className="text-sm text-danger-text">{error.message}</p>}
        {ready && !error && (data ? <Figures estimate={data} isNew={isNew} /> : <Skeleton lines={4} />)}
      </div>
    </Card>
  )
}
