/** Criteria that results suggest; a person applies them to a source. */
import { useState } from 'react'
import { useRead, useSourceNames, type ResultOf } from '../../api/index.ts'
import { SelectField, type Choice } from '../../ui/field.tsx'
import { rowWords } from '../../ui/filter-words.ts'
import { count, share } from '../../ui/format.ts'
import { LinkButton } from '../../ui/link.tsx'
import { Card, EmptyState, Loaded, Meter } from '../../ui/show.tsx'

type Suggestion = ResultOf<'listResultSuggestions'>['suggestions'][number]

const percent = (rate: number): string => share(rate, 1)

function One({ suggestion, sourceId }: { suggestion: Suggestion; sourceId: string }) {
  const { row, why, with: having, without, backtest } = suggestion
  return (
    <Card title={rowWords(row)} text={why} stack>
      <div className="grid gap-4 sm:grid-cols-2">
        <Meter
          label="With it"
          value={having.replied}
          max={having.people}
          text={`${count(having.replied)} of ${count(having.people)} replied (${percent(having.rate)})`}
        />
        <Meter
          label="Without it"
          value={without.replied}
          max={without.people}
          text={`${count(without.replied)} of ${count(without.people)} replied (${percent(without.rate)})`}
          tone="warn"
        />
      </div>
      <p className="text-sm text-muted">
        Back-test: it would have kept {count(backtest.kept)} of {count(backtest.people)} people and{' '}
        {count(backtest.keptReplied)} of {count(backtest.replied)} replies: {percent(backtest.keptRate)} of those kept
        replied, where {percent(backtest.rate)} of all did.
      </p>
      <div>
        <LinkButton
          to="/sources/$id"
          params={{ id: sourceId }}
          search={{ tab: 'fit', add: JSON.stringify(row) }}
          aria-label={`Try as a criterion: ${rowWords(row)}`}
        >
          Try as a criterion
        </LinkButton>
      </div>
    </Card>
  )
}

function List({ suggestions }: { suggestions: readonly Suggestion[] }) {
  const { sources } = useSourceNames()
  const active = sources.filter(({ status }) => status === 'active')
  const [chosen, setChosen] = useState('')
  const choices: readonly Choice[] = active.map(({ id, label }) => ({ value: id, label }))
  const sourceId = chosen === '' ? (active[0]?.id ?? '') : chosen
  return (
    <div className="flex flex-col gap-4">
      {choices.length > 0 && (
        <SelectField
          label="Try them at"
          hint="This opens the criteria of the source with the row added; nothing is saved until you save it."
          className="max-w-md"
          value={sourceId}
          onValue={setChosen}
          choices={choices}
        />
      )}
      {suggestions.map((suggestion) => (
        <One key={JSON.stringify(suggestion.row)} suggestion={suggestion} sourceId={sourceId} />
      ))}
    </div>
  )
}

export function Suggestions() {
  const query = useRead('listResultSuggestions', {})
  return (
    <Loaded query={query}>
      {({ suggestions, people, replied, enough, minimum }) =>
        suggestions.length > 0 ? (
          <List suggestions={suggestions} />
        ) : (
          <Card>
            <EmptyState
              title={enough ? 'Nothing separates those who reply' : 'Too few results for suggestions'}
              text={
                enough
                  ? `Of ${count(people)} people written to, ${count(replied)} replied, and no fact about them explains it better than chance.`
                  : `Suggestions need at least ${count(minimum.people)} people written to and ${count(minimum.replied)} replies; so far there are ${count(people)} and ${count(replied)}.`
              }
            />
          </Card>
        )
      }
    </Loaded>
  )
}
