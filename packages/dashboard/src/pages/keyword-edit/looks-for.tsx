import { Check } from 'lucide-react'
import { bounds } from 'virtual:values'
import { useSessionQuery, type SessionResult } from '../../api/index.ts'
import { Badge, Card, cx, ListField, Notice, useSettled, TextField, bound } from '../../ui/index.ts'
import type { Change, Draft } from './draft.ts'

type Reading = SessionResult<'parseExpression'>

function Fault({ expression, error }: { expression: string; error: NonNullable<Reading['error']> }) {
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

/** How the service reads an expression, while it is typed: its canonical form, or what is wrong and where. */
function Parsed({ expression }: { expression: string }) {
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
        (data.error ? (
          <Fault expression={settled} error={data.error} />
        ) : data.ok ? (
          <div className="flex flex-col gap-1.5 text-sm">
            <p className="flex items-start gap-2 text-accent-text">
              <Check aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
              <span>
                Read as <code className="font-mono text-[0.8125rem] break-words">{data.canonical}</code>
              </span>
            </p>
            {data.warnings.map((warning) => (
              <Notice key={warning} tone="warn">
                {warning}
              </Notice>
            ))}
            {data.terms.length > 0 && (
              <p className="flex flex-wrap items-center gap-1.5 text-[0.8125rem] text-muted">
                Terms that are looked up:{' '}
                {data.terms.map((term) => (
                  <Badge key={term}>{term}</Badge>
                ))}
              </p>
            )}
          </div>
        ) : null)}
    </div>
  )
}

const ways: readonly { readonly value: Draft['kind']; readonly label: string; readonly text: string }[] = [
  { value: 'terms', label: 'Terms', text: 'A post must have one of them.' },
  { value: 'expression', label: 'Expression', text: 'Terms joined by AND, OR and NOT.' },
]

function Ways({ value, onValue }: { value: Draft['kind']; onValue: (kind: Draft['kind']) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">How to say what to look for</legend>
      {ways.map((way) => (
        <label
          key={way.value}
          className={cx(
            'flex min-w-48 flex-1 cursor-pointer items-start gap-2.5 rounded-lg border px-3 py-2 text-sm',
            value === way.value ? 'border-accent bg-accent-soft' : 'border-line hover:bg-sunken',
          )}
        >
          <input
            type="radio"
            name="way"
            className="mt-1 accent-(--accent)"
            checked={value === way.value}
            onChange={() => onValue(way.value)}
          />
          <span>
            <span className="font-medium">{way.label}</span>
            <span className="block text-[0.8125rem] text-muted">{way.text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** What the search looks for: terms, or an expression that is read as it is typed; `bare` leaves the name and the choice of the two out. */
export function LooksFor({ draft, onChange, bare = false }: { draft: Draft; onChange: Change; bare?: boolean }) {
  return (
    <Card title="What to look for">
      <div className="flex flex-col gap-4">
        {!bare && <Ways value={draft.kind} onValue={(kind) => onChange({ kind })} />}
        {draft.kind === 'terms' ? (
          <ListField
            label="Terms"
            {...bound(draft, onChange, 'terms')}
            max={bounds.keywords.max}
            placeholder="Such as revenue operations"
            hint="A few words a term, Enter after each. In double quotes the words must stand side by side: “head of growth”."
          />
        ) : (
          <>
            <TextField
              label="Expression"
              hint={
                'AND, OR and NOT in capitals; NOT binds first, then AND; to exclude a ' +
                'word write AND NOT. Words in double quotes are a phrase. No parentheses.'
              }
              rows={3}
              spellCheck={false}
              controlClass="font-mono"
              maxLength={bounds.expressionInput}
              {...bound(draft, onChange, 'expression')}
              placeholder={'"head of growth" AND hiring AND NOT intern'}
            />
            <Parsed expression={draft.expression} />
          </>
        )}
        {!bare && (
          <TextField
            label="Name"
            optional
            hint="A label for your team."
            {...bound(draft, onChange, 'name')}
            maxLength={bounds.searchName}
          />
        )}
      </div>
    </Card>
  )
}
