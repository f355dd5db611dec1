import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button, Card, Checkbox, countOf, Field, Loaded, Select, type Choice } from '../../../ui/index.ts'
import { Kind, kindName } from '../kinds.tsx'
import { kinds } from '../search.ts'
import { ApplyDefaults, previewQuery, type Chosen } from './apply.tsx'
import { keptWords, partLabel, parts, type Preview } from './words.ts'

type Row = Preview['rows'][number]
type Kinds = (typeof kinds)[number] | ''

const mostShown = 100
const kindChoices: readonly Choice<Kinds>[] = [
  { value: '', label: 'All kinds' },
  ...kinds.map((each) => ({ value: each, label: kindName(each) })),
]

function Difference({ row }: { readonly row: Row }): ReactNode {
  return (
    <ul className="flex flex-col gap-0.5 text-[0.8125rem]">
      {row.changes.map(({ part, from, to }) => (
        <li key={part} className="flex flex-wrap items-center gap-x-1.5">
          <span className="font-medium">{partLabel(part)}:</span>
          <span className="text-muted">{from}</span>
          <ArrowRight aria-hidden="true" size={13} className="text-muted" />
          <span className="sr-only">would become</span>
          <span className="min-w-0 break-all">{to}</span>
        </li>
      ))}
      {row.kept.map(({ part, reason }) => (
        <li key={part} className="text-muted">
          {partLabel(part)} stays: {keptWords[reason]}
        </li>
      ))}
    </ul>
  )
}

function Rows({
  rows,
  left,
  onLeft,
}: {
  readonly rows: readonly Row[]
  readonly left: ReadonlySet<string>
  readonly onLeft: (left: ReadonlySet<string>) => void
}): ReactNode {
  return (
    <ul className="divide-y divide-line" aria-label="Sources that differ">
      {rows.slice(0, mostShown).map((row) => (
        <li key={row.id} className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(12rem,1fr)_2fr]">
          <div className="flex min-w-0 items-start gap-2.5">
            <Checkbox
              label={`Apply to ${row.label}`}
              hideLabel
              checked={row.changes.length > 0 && !left.has(row.id)}
              reason={row.changes.length === 0 && 'It is set as the defaults say.'}
              onChecked={(on) => {
                const next = new Set(left)
                if (on) next.delete(row.id)
                else next.add(row.id)
                onLeft(next)
              }}
            />
            <div className="min-w-0">
              <Link
                to="/sources/$id"
                params={{ id: row.id }}
                className="text-sm font-medium break-words underline-offset-2 hover:underline"
              >
                {row.label}
              </Link>
              <div className="text-[0.8125rem] text-muted">
                <Kind kind={row.type} />
              </div>
            </div>
          </div>
          <Difference row={row} />
        </li>
      ))}
    </ul>
  )
}

function summary({ sources, changes, kept }: Preview): string {
  if (sources === 0) return 'Nothing is tracked yet.'
  const stays = kept.reduce((sum, { count }) => sum + count, 0)
  const says = stays === 0 ? '' : ` ${countOf(stays, 'source')} keep something of their own.`
  if (changes === 0) return `All of ${countOf(sources, 'tracked source')} are set as the defaults say.${says}`
  return `${changes} of ${countOf(sources, 'tracked source')} differ from the defaults.${says}`
}

/** The kind that is looked at, what of it differs, and what of that is ticked. */
function useDifferences() {
  const [kind, setKind] = useState<Kinds>('')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const all: Chosen = kind === '' ? { by: 'all' } : { by: 'type', type: kind }
  const query = useQuery(
    previewQuery(
      all,
      parts.map(({ part }) => part),
    ),
  )
  const rows = query.data?.rows ?? []
  const ticked = rows.filter(({ id, changes }) => changes.length > 0 && !left.has(id))
  const isAll = !rows.some(({ id, changes }) => changes.length > 0 && left.has(id))
  return {
    ...{ query, kind, left, setLeft },
    chooseKind: (next: Kinds) => {
      setKind(next)
      setLeft(new Set())
    },
    number: isAll ? (query.data?.changes ?? 0) : ticked.length,
    chosen: isAll ? all : ({ by: 'ids', ids: ticked.map(({ id }) => id) } satisfies Chosen),
  }
}

/** Which sources are set otherwise than the defaults say, and the act that changes those that are ticked. */
export function Differ(): ReactNode {
  const { query, kind, chooseKind, left, setLeft, number, chosen } = useDifferences()
  const [applying, setApplying] = useState<Chosen | null>(null)
  return (
    <Card
      flush
      title="Sources that differ"
      text={query.data ? summary(query.data) : 'What is tracked, compared with the defaults.'}
      actions={
        <>
          <Field label="Kind" hideLabel className="w-44">
            <Select value={kind} onValue={chooseKind} choices={kindChoices} />
          </Field>
          <Button
            variant="primary"
            reason={number === 0 && 'No source is ticked that would change'}
            onClick={() => setApplying(chosen)}
          >
            Apply to {countOf(number, 'source')}…
          </Button>
        </>
      }
    >
      <Loaded query={query}>
        {(data) =>
          data.rows.length === 0 ? null : (
            <>
              <Rows rows={data.rows} left={left} onLeft={setLeft} />
              {data.rows.length > mostShown && (
                <p className="border-t border-line px-4 py-2.5 text-[0.8125rem] text-muted">
                  The first {mostShown} are shown; the act counts all of them.
                </p>
              )}
            </>
          )
        }
      </Loaded>
      {applying && (
        <ApplyDefaults
          sources={applying}
          onClose={() => {
            setApplying(null)
            setLeft(new Set())
          }}
        />
      )}
    </Card>
  )
}
