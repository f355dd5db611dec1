import type { UseMutationResult } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead, type ResultOf } from '../../api/index.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSettled } from '../../ui/edited.ts'
import { absoluteTime, countOf } from '../../ui/format.ts'
import { Card, Failure, Figures, Notice, Skeleton } from '../../ui/show.tsx'
import { DaysLeft, useSpend } from '../../ui/spend.tsx'
import { looksForSomething, trackOf, type Change, type Draft } from './draft.ts'
import { SettingCards, settingName, valueWords } from './fields.tsx'

type SettingChange = { readonly field: string; readonly from?: unknown; readonly to?: unknown }

const shown = (field: string, value: unknown): string =>
  field === 'endAt' && typeof value === 'string' ? absoluteTime(value) : valueWords(value)

function Changes({ changes }: { changes: readonly SettingChange[] }) {
  return (
    <dl className="flex flex-col gap-2 text-sm">
      {changes.map(({ field, from, to }) => (
        <div key={field} className="rounded-lg border border-line px-3 py-2">
          <dt className="text-[0.8125rem] text-muted">{settingName(field)}</dt>
          <dd className="flex flex-wrap items-center gap-2 break-words">
            <span className="line-through decoration-line-strong">{shown(field, from)}</span>
            <ArrowRight aria-label="becomes" size={14} />
            <span className="font-medium">{shown(field, to)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Runs a write of a search, which may ask before it spends and before it rewrites a search. */
export const useGates = <R, I extends object>(mutation: UseMutationResult<R, Error, I>) =>
  useSpend(mutation, ({ refusal, busy, error, onYes, onNo }) => (
    <Dialog
      onClose={onNo}
      title="This search already exists"
      text="It would continue with these settings. Nothing has been changed yet."
      actions={
        <>
          <Button onClick={onNo}>Leave it as it is</Button>
          <Button variant="primary" busy={busy} onClick={onYes}>
            Change it
          </Button>
        </>
      }
    >
      <Changes changes={(refusal.body.changed ?? []) as readonly SettingChange[]} />
      <Failure error={error} />
    </Dialog>
  ))

type Estimate = ResultOf<'estimateKeyword'>

function Estimated({ estimate, isNew }: { estimate: Estimate; isNew: boolean }) {
  const { daysToExhaustAtCap: days, estimatedDailyMax: daily, remainingBalance: balance } = estimate
  return (
    <div className="flex flex-col gap-3 text-sm">
      <Figures
        figures={[
          ['At most a day', daily !== undefined && countOf(daily, 'credit')],
          ['At most a run', countOf(estimate.creditCap, 'credit')],
          ['You have', balance !== undefined && countOf(balance, 'credit')],
          ['At that rate they last', days !== undefined && (days === 0 ? 'less than a day' : countOf(days, 'day'))],
          ['All searches, at most a day', countOf(estimate.dailyCeiling, 'credit')],
        ]}
      />
      {days !== undefined && days < 7 && (
        <Notice tone="warn">
          {days === 0
            ? 'One day of this search can use up your credits.'
            : `Your credits could end in ${countOf(days, 'day')}.`}
        </Notice>
      )}
      <DaysLeft figures={estimate} who="this search" height={140} />
      {!estimate.filtering.applied && (
        <p className="text-[0.8125rem] text-muted">Tip: an AI filter keeps off-topic posts from using credits.</p>
      )}
      {isNew && estimate.resumed && (
        <Notice tone="info" title="This search already exists">
          <p className="mb-2">Saving continues it{estimate.changed ? ', with these changes:' : '.'}</p>
          {estimate.changed && <Changes changes={estimate.changed} />}
        </Notice>
      )}
    </div>
  )
}

function EstimateCard({ draft, isNew }: { draft: Draft; isNew: boolean }) {
  const ready = looksForSomething(draft)
  const input = useSettled(ready ? trackOf(draft) : null, 600)
  const { data, error } = useRead('estimateKeyword', input ?? {}, {
    enabled: ready && input !== null,
    keepPrevious: true,
  })
  return (
    <Card title="What it can cost" className="lg:sticky lg:top-16">
      <div aria-live="polite">
        {!ready && <p className="text-sm text-muted">Say what to look for, and the most it can cost appears here.</p>}
        {ready && error && <p className="text-sm text-danger-text">{error.message}</p>}
        {ready && !error && (data ? <Estimated estimate={data} isNew={isNew} /> : <Skeleton lines={4} />)}
      </div>
    </Card>
  )
}

type FormProps = { draft: Draft; onChange: Change; isNew: boolean; head: ReactNode; foot: ReactNode }

/** The settings of a search next to their estimate; `head` edits what it looks for, `foot` saves. */
export function Form({ draft, onChange, isNew, head, foot }: FormProps) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-5">
        {head}
        <SettingCards draft={draft} onChange={onChange} />
      </div>
      <EstimateCard draft={draft} isNew={isNew} />
      {foot}
    </div>
  )
}
