import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSessionQuery, type SessionResult } from '../../api/index.ts'
import { Badge, Notice, useSettled } from '../../ui/index.ts'

type Reading = SessionResult<'parseExpression'>

function Fault({
  expression,
  error,
}: {
  readonly expression: string
  readonly error: NonNullable<Reading['error']>
}): ReactNode {
  // Positions count from 1.
  const start = Math.min(Math.max(0, error.position - 1), expression.length)
  const end = Math.min(expression.length, start + Math.max(1, error.token.length))
  return (
    <div className="rounded-lg bg-danger-soft px-3 py-2 text-sm text-danger-text">
      <p>{error.message}</p>
      <p className="mt-1 font-mono text-[0.8125rem] break-words whitespace-pre-wrap">
        {expression.slice(0, start)}
        <mark className="rounded-sm bg-danger px-0.5 text-danger-ink">{expression.slice(start, end) || ' '}</mark>
        {expression.slice(end)}
      </p>
    </div>
  )
}

function Good({ reading }: { readonly reading: Reading }): ReactNode {
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <p className="flex items-start gap-2 text-accent-text">
        <Check aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
        <span>
          Read as <code className="font-mono text-[0.8125rem] break-words">{reading.canonical}</code>
        </span>
      </p>
      {reading.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      {reading.terms.length > 0 && (
        <p className="flex flex-wrap items-center gap-1.5 text-[0.8125rem] text-muted">
          Terms that are looked up:{' '}
          {reading.terms.map((term) => (
            <Badge key={term}>{term}</Badge>
          ))}
        </p>
      )}
    </div>
  )
}

/** How the service reads an expression, while it is typed: its canonical form, or what is wrong and where. */
export function Parsed({ expression }: { readonly expression: string }): ReactNode {
  const settled = useSettled(expression)
  const { data, error } = useSessionQuery(
    'parseExpression',
    { expression: settled },
    { topic: 'keywords', enabled: settled.trim() !== '', keepPrevious: true, staleTime: Number.POSITIVE_INFINITY },
  )
  if (settled.trim() === '' || expression.trim() === '') return null
  return (
    <div role="status" aria-live="polite">
      {error && <p className="text-sm text-danger-text">{error.message}</p>}
      {!error &&
        data &&
        (data.error ? <Fault expression={settled} error={data.error} /> : data.ok ? <Good reading={data} /> : null)}
    </div>
  )
}
