import type { ReactNode } from 'react'
import { AiFilter } from './ai-filter.tsx'
import { Capture } from './capture.tsx'
import type { Change, Draft } from './draft.ts'
import { EstimateCard } from './estimate.tsx'
import { Schedule } from './schedule.tsx'
import { Targeting } from './targeting.tsx'

/** The settings of a search beside their estimate; `head` says what it looks for, `foot` saves. */
export function Form({
  draft,
  onChange,
  isNew,
  head,
  foot,
}: {
  readonly draft: Draft
  readonly onChange: Change
  readonly isNew: boolean
  readonly head: ReactNode
  readonly foot: ReactNode
}): ReactNode {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-5">
        {head}
        <Targeting draft={draft} onChange={onChange} />
        <Capture draft={draft} onChange={onChange} />
        <AiFilter draft={draft} onChange={onChange} />
        <Schedule draft={draft} onChange={onChange} />
      </div>
      <EstimateCard draft={draft} isNew={isNew} />
      {foot}
    </div>
  )
}
