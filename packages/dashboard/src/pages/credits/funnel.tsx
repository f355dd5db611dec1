import type { ReactNode } from 'react'
import type { SessionResult } from '../../api/types.ts'
import { Card, count, share } from '../../ui/index.ts'

type Total = SessionResult<'listYield'>['total']

const steps: readonly { readonly key: keyof Total; readonly label: string; readonly text: string }[] = [
  { key: 'seen', label: 'Seen', text: 'people on the posts that were read' },
  { key: 'charged', label: 'Charged', text: 'new people, a credit each' },
  { key: 'enriched', label: 'Details found', text: 'job and company looked up' },
  { key: 'icp', label: 'Fit', text: 'match your ideal customer profile' },
  { key: 'delivered', label: 'Delivered', text: 'sent to a webhook' },
  { key: 'sent', label: 'In a campaign', text: 'sent to outreach' },
]

/** How many people each step leaves, from seen to sent. */
export function Funnel({ total }: { readonly total: Total }): ReactNode {
  const most = Math.max(1, ...steps.map(({ key }) => total[key]))
  return (
    <Card
      title="From seen to sent"
      text="How many people are left after each step, and what part of those charged that is."
    >
      <ol className="flex flex-col gap-2.5">
        {steps.map(({ key, label, text }) => (
          <li
            key={key}
            className="grid grid-cols-[7rem_1fr_6.5rem] items-center gap-3 text-sm sm:grid-cols-[19rem_1fr_7rem]"
          >
            <span className="min-w-0">
              <span className="font-medium">{label}</span>{' '}
              <span className="text-[0.8125rem] text-muted max-sm:hidden">{text}</span>
            </span>
            <span aria-hidden="true" className="h-5 overflow-hidden rounded bg-sunken">
              <span className="block h-full rounded bg-accent" style={{ width: `${(total[key] / most) * 100}%` }} />
            </span>
            <span className="text-end tabular-nums">
              {count(total[key])}{' '}
              <span className="text-[0.8125rem] text-muted">
                {key === 'seen' || key === 'charged' ? '' : share(total[key], total.charged)}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
