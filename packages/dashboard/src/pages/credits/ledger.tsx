import { disputeStates, ledgerKindNames, ledgerReasonNames } from '@les/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useSourceNames, useV1Query, type V1Result } from '../../api/index.ts'
import { compact } from '../../app/search.ts'
import {
  Badge,
  Button,
  Card,
  count,
  cx,
  EmptyState,
  Notice,
  RecordList,
  RoleButton,
  SafeLink,
  SelectField,
  TextLink,
  TimeAgo,
  type Choice,
  type Column,
} from '../../ui/index.ts'
import { DisputeDialog } from './dispute.tsx'
import { lineKinds, type Search } from './search.ts'
import { SourceName } from './spend.tsx'
import { RunSum } from './sums.tsx'

const route = getRouteApi('/signed-in/team/credits')

export function useAddress() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  /** `undefined` takes a parameter out. */
  const change = (patch: { readonly [Name in keyof Search]: Search[Name] | undefined }) =>
    void navigate({ search: (before) => compact({ ...before, ...patch }), resetScroll: false })
  return { search, change }
}

export type Address = ReturnType<typeof useAddress>

export type Line = V1Result<'listLedgerEntries'>['entries'][number]

const kindChoices: readonly Choice[] = [
  { value: '', label: 'Every kind' },
  ...lineKinds.map((value) => ({ value, label: ledgerKindNames[value].text })),
]
const pageSize = 50

export const signed = (credits: number): string =>
  `${credits > 0 ? '+' : credits < 0 ? '−' : ''}${count(Math.abs(credits))}`

function Who({ line }: { line: Line }) {
  if (line.person === null) return '–'
  const name = line.person.name ?? 'Name not known'
  if (line.leadId !== null)
    return (
      <TextLink to="/leads" search={{ lead: line.leadId }}>
        {name}
      </TextLink>
    )
  return (
    <SafeLink href={line.person.linkedinUrl} icon={false}>
      {name}
    </SafeLink>
  )
}

function Reason({ line }: { line: Line }) {
  return (
    <div className="flex flex-col items-start gap-1">
      <span>
        {ledgerReasonNames[line.reason]}
        {line.count > 1 && <span className="text-muted"> ({count(line.count)} times)</span>}
      </span>
      {line.dispute && (
        <Badge tone={disputeStates[line.dispute.state].tone}>{disputeStates[line.dispute.state].text}</Badge>
      )}
    </div>
  )
}

function Dispute({ line }: { line: Line }) {
  const [open, setOpen] = useState(false)
  if (line.kind !== 'charge' || line.dispute !== null) return null
  return (
    <>
      <RoleButton needs="member" size="sm" onClick={() => setOpen(true)}>
        Dispute
      </RoleButton>
      {open && <DisputeDialog line={line} onClose={() => setOpen(false)} />}
    </>
  )
}

const columns: readonly Column<Line>[] = [
  { id: 'at', header: 'When', width: '7rem', cell: (row) => <TimeAgo at={row.at} /> },
  {
    id: 'kind',
    header: 'Kind',
    width: '7rem',
    cell: (row) => <Badge tone={ledgerKindNames[row.kind].tone}>{ledgerKindNames[row.kind].text}</Badge>,
  },
  {
    id: 'reason',
    header: 'Why',
    width: 'minmax(180px, 2fr)',
    phone: 'whole',
    cell: (row) => <Reason line={row} />,
  },
  { id: 'person', header: 'Who', width: 'minmax(110px, 1fr)', cell: (row) => <Who line={row} /> },
  {
    id: 'source',
    header: 'Source',
    width: 'minmax(110px, 1fr)',
    cell: (row) => (row.sourceId === null ? '–' : <SourceName id={row.sourceId} type="person" label="A source" />),
  },
  {
    id: 'run',
    header: 'Run',
    width: '5rem',
    cell: (row) =>
      row.syncId === null ? (
        '–'
      ) : (
        <TextLink to="/credits" search={{ tab: 'ledger', syncId: row.syncId }}>
          Its run
        </TextLink>
      ),
  },
  {
    id: 'credits',
    header: 'Credits',
    align: 'end',
    width: '5rem',
    cell: (row) => (
      <span className={cx('font-medium', row.credits > 0 && 'text-accent-text')}>{signed(row.credits)}</span>
    ),
  },
  {
    id: 'dispute',
    header: 'Dispute',
    hideHeader: true,
    align: 'end',
    width: '6rem',
    cell: (row) => <Dispute line={row} />,
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
        onValue={(value) => change({ kind: lineKinds.find((each) => each === value), offset: undefined })}
        choices={kindChoices}
      />
      <SelectField
        label="Source"
        className="w-56"
        value={search.sourceId ?? ''}
        onValue={(value) => change({ sourceId: value === '' ? undefined : value, offset: undefined })}
        choices={[
          { value: '', label: 'Any source' },
          ...sources.map((source) => ({ value: source.id, label: source.label.slice(0, 60) })),
        ]}
      />
    </div>
  )
}

const nothingSet = { kind: undefined, sourceId: undefined, syncId: undefined, leadId: undefined, offset: undefined }

/** What a link has narrowed the ledger to, and what that comes to. */
function About({ address: { search, change } }: { address: Address }) {
  const all = (
    <Button size="sm" onClick={() => change(nothingSet)}>
      Show the whole ledger
    </Button>
  )
  if (search.leadId !== undefined)
    return (
      <Notice title="What this person cost at one source" action={all}>
        A person costs one credit for each source that finds them, at the first engagement; all others are free.
      </Notice>
    )
  if (search.syncId !== undefined)
    return (
      <Notice title="What one run cost" action={all}>
        <RunSum syncId={search.syncId} />
      </Notice>
    )
  return null
}

export function Ledger({ address }: { address: Address }) {
  const { search, change } = address
  const { kind, sourceId, syncId, leadId, offset = 0 } = search
  const query = useV1Query(
    'listLedgerEntries',
    { limit: pageSize, offset, ...compact({ kind, sourceId, syncId, leadId }) },
    { topic: 'credits', keepPrevious: true },
  )
  const { entries = [], total = 0, hasMore = false } = query.data ?? {}
  const isFiltered = [kind, sourceId, syncId, leadId].some((each) => each !== undefined)
  const empty = isFiltered ? (
    <EmptyState
      title="No line matches"
      action={
        <Button variant="primary" onClick={() => change(nothingSet)}>
          Clear the filters
        </Button>
      }
    />
  ) : (
    <EmptyState title="The ledger is empty" text="The first line is the allowance of your plan." />
  )
  return (
    <div className="flex flex-col gap-4">
      <About address={address} />
      <Card
        title="Ledger"
        text="Every credit that came or went, and all that was free, with why. Its lines add up to the balance."
        flush
      >
        <Filters address={address} />
        <RecordList
          label="Ledger"
          query={query}
          lines={8}
          columns={columns}
          rows={entries}
          rowId={(row) => row.id}
          empty={empty}
          pages={{
            offset,
            limit: pageSize,
            shown: entries.length,
            total,
            hasMore,
            onOffset: (next) => change({ offset: next === 0 ? undefined : next }),
          }}
        />
      </Card>
    </div>
  )
}
