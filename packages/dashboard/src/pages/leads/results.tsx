/** Shows the results of a person, and records one by hand. */
import { outcomeNames, type Outcome } from '@les/contract'
import { bounds } from 'virtual:values'
import { WindowButton, WriteDialog, type FormField } from '../../ui/form.tsx'
import { Badge, SaidBadge, Section } from '../../ui/show.tsx'
import { TimeAgo } from '../../ui/text.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Lead } from './columns.tsx'

type Form = { outcome: Outcome; day: string; amount: string; currency: string; note: string }

const outcomes = Object.entries(outcomeNames).map(([value, { text }]) => ({ value: value as Outcome, label: text }))

const follows: Partial<Record<Outcome, string>> = {
  replied: 'They are then not sent to campaigns again automatically, unless the exclusion settings allow it.',
  won: 'They are then not sent to campaigns again automatically, unless the exclusion settings allow it.',
  unsubscribed: 'They are then added to the “Do not contact” list.',
  not_interested: 'They are then added to the “Do not contact” list.',
}

const fields: readonly FormField<Form>[] = [
  { name: 'outcome', label: 'What came of it', choices: outcomes, hint: ({ outcome }) => follows[outcome] },
  { name: 'day', label: 'Day', type: 'date', optional: true, hint: 'Today, unless you choose another day.' },
  {
    name: 'amount',
    label: 'Worth',
    type: 'number',
    min: 0,
    max: bounds.resultAmount,
    step: 'any',
    optional: true,
    when: ({ outcome }) => outcome === 'won',
  },
  {
    name: 'currency',
    label: 'Currency',
    optional: true,
    maxLength: 3,
    placeholder: 'EUR',
    when: ({ outcome }) => outcome === 'won',
  },
  { name: 'note', label: 'Note', rows: 2, optional: true, maxLength: bounds.resultNote },
]

const start: Form = { outcome: 'replied', day: '', amount: '', currency: '', note: '' }

function resultOf({ outcome, day, amount, currency, note }: Form) {
  const isWon = outcome === 'won'
  return {
    outcome,
    ...(day === '' ? {} : { at: day }),
    ...(isWon && amount !== '' ? { amount: Number(amount) } : {}),
    ...(isWon && currency.trim() !== '' ? { currency: currency.trim() } : {}),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  }
}

export function DetailResults({ lead }: { lead: Lead }) {
  const { last, lastAt, replied, meeting, won } = lead.results
  const reached = [
    [replied, 'replied'],
    [meeting, 'meeting'],
    [won, 'won'],
  ] as const
  return (
    <Section title="Results">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        {last === null ? (
          <span className="text-muted">No results so far.</span>
        ) : (
          <>
            <SaidBadge said={outcomeNames[last]} />
            <TimeAgo at={lastAt} />
            {reached
              .filter(([isReached, outcome]) => isReached && outcome !== last)
              .map(([, outcome]) => (
                <Badge key={outcome}>{outcomeNames[outcome].text} before</Badge>
              ))}
          </>
        )}
        <span className="ml-auto">
          <WindowButton
            size="sm"
            opens={(close) => (
              <WriteDialog
                onClose={close}
                title={`Record a result of ${lead.name ?? 'this person'}`}
                text="It counts for every source that charged for this person."
                submit="Record"
                does="recordResults"
                start={start}
                fields={fields}
                inputOf={(form) => ({ results: [{ leadId: lead.id, ...resultOf(form) }] })}
                onDone={({ recorded }) =>
                  recorded > 0 ? toast.good('Recorded') : toast.info('It was already recorded')
                }
              />
            )}
          >
            Record a result
          </WindowButton>
        </span>
      </div>
    </Section>
  )
}
