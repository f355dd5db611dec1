import type { ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { Card, Field, Input, ListField, TextArea, cx } from '../../ui/index.ts'
import type { Change, Draft } from './draft.ts'
import { Parsed } from './parsed.tsx'

const ways: readonly { readonly value: Draft['kind']; readonly label: string; readonly text: string }[] = [
  { value: 'terms', label: 'Terms', text: 'A post must have one of them.' },
  { value: 'expression', label: 'Expression', text: 'Terms joined by AND, OR and NOT.' },
]

function Ways({
  value,
  onValue,
}: {
  readonly value: Draft['kind']
  readonly onValue: (kind: Draft['kind']) => void
}): ReactNode {
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
export function LooksFor({
  draft,
  onChange,
  bare = false,
}: {
  readonly draft: Draft
  readonly onChange: Change
  readonly bare?: boolean
}): ReactNode {
  return (
    <Card title="What to look for">
      <div className="flex flex-col gap-4">
        {!bare && <Ways value={draft.kind} onValue={(kind) => onChange({ kind })} />}
        {draft.kind === 'terms' ? (
          <ListField
            label="Terms"
            value={draft.terms}
            onChange={(terms) => onChange({ terms })}
            max={bounds.keywords.max}
            placeholder="Such as revenue operations"
            hint="A few words a term, Enter after each. In double quotes the words must stand side by side: “head of growth”."
          />
        ) : (
          <>
            <Field
              label="Expression"
              hint={
                'AND, OR and NOT in capitals; NOT binds first, then AND; to exclude a ' +
                'word write AND NOT. Words in double quotes are a phrase. No parentheses.'
              }
            >
              <TextArea
                rows={3}
                spellCheck={false}
                className="font-mono"
                maxLength={bounds.expressionInput}
                value={draft.expression}
                placeholder={'"head of growth" AND hiring AND NOT intern'}
                onChange={(event) => onChange({ expression: event.target.value })}
              />
            </Field>
            <Parsed expression={draft.expression} />
          </>
        )}
        {!bare && (
          <Field label="Name" optional hint="A label for your team.">
            <Input
              value={draft.name}
              maxLength={bounds.searchName}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          </Field>
        )}
      </div>
    </Card>
  )
}
