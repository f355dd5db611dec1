import { getRouteApi } from '@tanstack/react-router'
import { useSessionPages, useSourceNames, type SessionResult } from '../../api/index.ts'
import { compact } from '../../app/search.ts'
import {
  Badge,
  Button,
  Card,
  count,
  countOf,
  cx,
  RecordList,
  EmptyState,
  Loaded,
  SafeLink,
  TimeAgo,
  type Choice,
  type Column,
  type Tone,
  SelectField,
} from '../../ui/index.ts'
import { lineKinds, type Search } from './search.ts'
import { SourceName } from './spend.tsx'

const route = getRouteApi('/signed-in/team/credits')

export function useAddress() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  /** `undefined` takes a parameter out. */
  const change = (patch: { readonly [Name in keyof Search]: Search[Name] | undefined }) =>
    void navigate({ search: (before) => compact({ ...before, ...patch }), resetScroll: false })
  return { search, change }
}

type Address = ReturnType<typeof useAddress>

type Line = SessionResult<'listLedger'>['lines'][number]

const kinds: Readonly<Record<Line['kind'], { readonly text: string; readonly tone: Tone }>> = {
  charge: { text: 'Charge', tone: 'neutral' },
  grant: { text: 'Allowance', tone: 'good' },
  topup: { text: 'Top-up', tone: 'good' },
  lapse: { text: 'Lapsed', tone: 'warn' },
  adjust: { text: 'Correction', tone: 'info' },
  refund: { text: 'Given back', tone: 'good' },
}
const kindChoices: readonly Choice[] = [
  { value: '', label: 'Every kind' },
  ...lineKinds.map((value) => ({ value, label: kinds[value].text })),
]
const pageSize = 50

function Reason({ line }: { line: Line }) {
  const about = [line.person?.name, line.source?.label].filter(Boolean).join(', ')
  return (
    <>
      {line.reason}
      {line.account === 'agent_trial' && <span className="text-muted"> (the agent’s trial credits)</span>}
      {about !== '' && <span className="block text-[0.8125rem] text-muted sm:hidden">{about}</span>}
    </>
  )
}

const columns: readonly Column<Line>[] = [
  { id: 'at', header: 'When', width: '8rem', cell: (row) => <TimeAgo at={row.at} /> },
  {
    id: 'kind',
    header: 'Kind',
    width: '7rem',
    wide: true,
    cell: (row) => <Badge tone={kinds[row.kind].tone}>{kinds[row.kind].text}</Badge>,
  },
  { id: 'reason', header: 'Reason', cell: (row) => <Reason line={row} /> },
  {
    id: 'person',
    header: 'Person',
    wide: true,
    cell: (row) =>
      row.person === null ? (
        '–'
      ) : (
        <SafeLink href={row.person.linkedinUrl} icon={false}>
          {row.person.name ?? 'Name not known'}
        </SafeLink>
      ),
  },
  {
    id: 'source',
    header: 'Source',
    wide: true,
    cell: (row) =>
      row.source === null ? '–' : <SourceName id={row.source.id} type={row.source.type} label={row.source.label} />,
  },
  {
    id: 'amount',
    header: 'Credits',
    align: 'end',
    width: '6rem',
    cell: (row) => (
      <span className={cx('font-medium', row.amount > 0 && 'text-accent-text')}>
        {row.amount > 0 ? '+' : row.amount < 0 ? '−' : ''}
        {count(Math.abs(row.amount))}
      </span>
    ),
  },
]

function Filters({ address: { search, change } }: { address: Address }) {
  const { sources } = useSourceNames()
  return (
    <div className="flex flex-wrap gap-3 border-b border-line px-4 py-3">
      <SelectField
        label="Kind"
        className="w-44"
        value={search.kind ?? ''}
        onValue={(value) => change({ kind: lineKinds.find((each) => each === value) })}
        choices={kindChoices}
      />
      <SelectField
        label="Source"
        className="w-56"
        value={search.sourceId ?? ''}
        onValue={(value) => change({ sourceId: value === '' ? undefined : value })}
        choices={[
          { value: '', label: 'Any source' },
          ...sources.map((source) => ({ value: source.id, label: source.label.slice(0, 60) })),
        ]}
      />
    </div>
  )
}

export function Ledger({ address }: { address: Address }) {
  const { search, change } = address
  const query = useSessionPages(
    'listLedger',
    { limit: pageSize, ...compact({ kind: search.kind, sourceId: search.sourceId }) },
    'credits',
  )
  const lines = query.data?.pages.flatMap((page) => page.lines) ?? []
  const isFiltered = search.kind !== undefined || search.sourceId !== undefined
  const empty = isFiltered ? (
    <EmptyState
      title="No line matches"
      action={
        <Button variant="primary" onClick={() => change({ kind: undefined, sourceId: undefined })}>
          Clear the filters
        </Button>
      }
    />
  ) : (
    <EmptyState title="The ledger is empty" text="The first line is the allowance of your plan." />
  )
  return (
    <Card title="Ledger" text="Every credit that came or went, with its reason. Its lines add up to the balance." flush>
      <Filters address={address} />
      <Loaded query={query} lines={8}>
        {() => <RecordList label="Ledger" columns={columns} rows={lines} rowId={(row) => row.id} empty={empty} />}
      </Loaded>
      {lines.length > 0 && (
        <div className="flex items-center justify-between gap-3 border-t border-line px-4 py-3 text-[0.8125rem] text-muted">
          <span role="status" className="tabular-nums">
            {countOf(lines.length, 'line')}
            {query.hasNextPage ? ', older ones follow' : ', all there are'}
          </span>
          {query.hasNextPage && (
            <Button size="sm" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show older lines
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}
