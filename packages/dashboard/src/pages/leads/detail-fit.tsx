import { Check, X } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { State } from './cells.tsx'
import type { Detail } from './detail.tsx'
import { Section } from './section.tsx'
import { fitWords } from './words.ts'

type Judged = Detail['fit'][number]

function Row({ row }: { readonly row: Judged['rows'][number] }): ReactNode {
  return (
    <li className="flex items-start gap-2 text-sm">
      {row.passed ? (
        <Check aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-accent-text" />
      ) : (
        <X aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-danger-text" />
      )}
      <span className="min-w-0 break-words">
        <span className="sr-only">{row.passed ? 'Passes: ' : 'Misses: '}</span>
        {row.text}
        <span className="text-muted"> · {row.value === null ? 'not known' : row.value}</span>
      </span>
    </li>
  )
}

/** Whether the person fits the ideal customer profile of each source, row by row. */
export function DetailFit({ fit }: { readonly fit: Detail['fit'] }): ReactNode {
  return (
    <Section title="Fit, and why">
      {fit.length === 0 && (
        <p className="text-sm text-muted">
          No source of this person has an ideal customer profile, so nobody is judged. Set one on the page of a source.
        </p>
      )}
      {fit.map((judged) => (
        <div key={judged.sourceId} className="rounded-lg border border-line p-3">
          <p className="mb-2 flex flex-wrap items-center gap-2 text-sm">
            <Link
              to="/sources/$id"
              params={{ id: judged.sourceId }}
              search={{ tab: 'fit' }}
              className="min-w-0 truncate font-medium text-accent-text underline underline-offset-2"
            >
              {judged.sourceLabel}
            </Link>
            <State said={fitWords(judged.isIcp)} />
            <span className="text-[0.8125rem] text-muted">
              {judged.matchMode === 'all' ? 'every row must pass' : 'one row is enough'}
            </span>
          </p>
          <ul className="flex flex-col gap-1">
            {judged.rows.map((row) => (
              <Row key={row.text} row={row} />
            ))}
          </ul>
        </div>
      ))}
    </Section>
  )
}
