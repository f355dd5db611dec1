import { useRead, useSourceNames, type ResultOf } from '../../api/index.ts'
import { column, countColumn, type Column } from '../../ui/columns.tsx'
import { TextLink } from '../../ui/link.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { Card, EmptyState, Loaded } from '../../ui/show.tsx'

type Overlap = ResultOf<'getSourceOverlap'>
type Pair = Overlap['pairs'][number]
type Saving = Overlap['sources'][number]

function Name({ id }: { id: string }) {
  const { labelOf } = useSourceNames()
  return (
    <TextLink to="/sources/$id" params={{ id }} className="break-words">
      {labelOf(id, 'A source')}
    </TextLink>
  )
}

const pairColumns: readonly Column<Pair>[] = [
  column('Source', { width: 'minmax(120px, 1fr)' }, (pair) => <Name id={pair.a} />),
  column('And', { width: 'minmax(120px, 1fr)', phone: 'whole' }, (pair) => <Name id={pair.b} />),
  countColumn('People of both', (pair) => pair.people),
  countColumn('Credits paid twice', (pair) => pair.creditsPaidTwice),
]

const savingColumns: readonly Column<Saving>[] = [
  column('Source', { width: 'minmax(160px, 1fr)' }, (saving) => <Name id={saving.sourceId} />),
  countColumn('Saved in 30 days if it were stopped', (saving) => saving.savedIfStopped),
]

/** People whom several sources pay for: a person is charged once per source. */
export function Overlap() {
  const query = useRead('getSourceOverlap', {}, { staleTime: 60_000 })
  return (
    <Loaded query={query}>
      {({ pairs, sources }) =>
        pairs.length === 0 ? (
          <Card>
            <EmptyState
              title="No two sources pay for the same people"
              text="A person costs one credit for each source that finds them. Active sources that find the same people are listed here."
            />
          </Card>
        ) : (
          <div className="flex flex-col gap-4">
            <ListCard
              title="Which sources find the same people"
              text="Active sources in pairs, the largest overlap first."
              label="Overlap"
              columns={pairColumns}
              rows={pairs}
              rowId={(pair) => `${pair.a} ${pair.b}`}
            />
            <ListCard
              title="What stopping one would save"
              text="Credits of the last 30 days for people another active source also found."
              label="Savings"
              columns={savingColumns}
              rows={sources.filter(({ savedIfStopped }) => savedIfStopped > 0)}
              rowId={(saving) => saving.sourceId}
              empty={{ title: 'Nothing in the last 30 days' }}
            />
          </div>
        )
      }
    </Loaded>
  )
}
