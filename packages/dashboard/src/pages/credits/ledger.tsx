import { disputeReasonNames, disputeStates, ledgerKindNames, ledgerReasonNames } from '@les/contract'
import { bounds } from 'virtual:values'
import { useReadAt, useSourceNames, type InputOf, type NamedSource, type ResultOf } from '../../api/index.ts'
import { Button, cx } from '../../ui/button.tsx'
import { column, type Column } from '../../ui/columns.tsx'
import { choicesOf, WindowButton, WriteDialog, type FormField } from '../../ui/form.tsx'
import { count, countOf } from '../../ui/format.ts'
import { TextLink } from '../../ui/link.tsx'
import { ListCard, ListFilters } from '../../ui/list-card.tsx'
import { Notice, SaidBadge } from '../../ui/show.tsx'
import { SafeLink, TimeAgo } from '../../ui/text.tsx'
import type { Address as AddressOf } from '../../app/address.ts'
import { lineKinds } from '../../app/searches.ts'
import { SourceName } from './spend.tsx'
import { RunSum } from './sums.tsx'

export type Address = AddressOf<'/signed-in/team/credits'>

export type Line = ResultOf<'listLedgerEntries'>['entries'][number]

const kindChoices = lineKinds.map((value) => ({ value, label: ledgerKindNames[value].text }))
const sourceChoices = (sources: readonly NamedSource[]) =>
  sources.map(({ id, label }) => ({ value: id, label: label.slice(0, 60) }))

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

type Form = { reason: InputOf<'disputeCharge'>['reason']; note: string }

const fields: readonly FormField<Form>[] = [
  { name: 'reason', label: 'What is wrong with it', choices: choicesOf(disputeReasonNames) },
  { name: 'note', label: 'Note', optional: true, rows: 3, maxLength: bounds.disputeNote },
]

/** Disputes a charge; the answer says whether the credits are back, or who decides. */
const DisputeDialog = ({ line, onClose }: { line: Line; onClose: () => void }) => (
  <WriteDialog
    onClose={onClose}
    size="sm"
    title="Dispute this charge"
    text={[line.person?.name, ledgerReasonNames[line.reason]].filter(Boolean).join(' · ')}
    submit="Dispute"
    does="disputeCharge"
    start={{ reason: 'duplicate', note: '' }}
    fields={fields}
    inputOf={({ reason, note }) => ({ entryId: line.id, reason, ...(note.trim() === '' ? {} : { note: note.trim() }) })}
    done={({ state, credits }) =>
      state === 'credited'
        ? `${countOf(credits, 'credit')} given back`
        : 'The operator decides; this entry will show the decision'
    }
  >
    <p className="text-[0.8125rem] text-muted">
      Small sums are given back at once, up to 5 % of a month’s charges; above that, and for “Something else”, the
      operator decides. A charge can be disputed only once.
    </p>
  </WriteDialog>
)

const columns: readonly Column<Line>[] = [
  column('When', { width: '7rem' }, (row) => <TimeAgo at={row.at} />),
  column('Kind', { width: '7rem' }, (row) => <SaidBadge said={ledgerKindNames[row.kind]} />),
  column('Why', { width: 'minmax(180px, 2fr)', phone: 'whole' }, (row) => (
    <div className="flex flex-col items-start gap-1">
      <span>
        {ledgerReasonNames[row.reason]}
        {row.count > 1 && <span className="text-muted"> ({count(row.count)} times)</span>}
      </span>
      {row.dispute && <SaidBadge said={disputeStates[row.dispute.state]} />}
    </div>
  )),
  column('Who', { width: 'minmax(110px, 1fr)' }, (row) => <Who line={row} />),
  column('Source', { width: 'minmax(110px, 1fr)' }, (row) =>
    row.sourceId === null ? '–' : <SourceName id={row.sourceId} type="person" label="A source" />,
  ),
  column('Run', { width: '5rem' }, (row) =>
    row.syncId === null ? (
      '–'
    ) : (
      <TextLink to="/credits" search={{ tab: 'ledger', syncId: row.syncId }}>
        Its run
      </TextLink>
    ),
  ),
  column('Credits', { align: 'end', width: '5rem' }, (row) => (
    <span className={cx('font-medium', row.credits > 0 && 'text-accent-text')}>{signed(row.credits)}</span>
  )),
  column(
    'Dispute',
    { hideHeader: true, align: 'end', width: '6rem' },
    (row) =>
      row.kind === 'charge' &&
      row.dispute === null && (
        <WindowButton size="sm" opens={(close) => <DisputeDialog line={row} onClose={close} />}>
          Dispute
        </WindowButton>
      ),
  ),
]

const nothingSet = { kind: undefined, sourceId: undefined, syncId: undefined, leadId: undefined }

/** What a link has narrowed the ledger to, and its sum. */
function About({ address: { search, change } }: { address: Address }) {
  const all = (
    <Button size="sm" onClick={() => change(nothingSet)}>
      Show the whole ledger
    </Button>
  )
  if (search.leadId !== undefined)
    return (
      <Notice title="What this person cost at one source" action={all}>
        A person costs one credit for each source that finds them, at their first engagement; every other engagement is
        free.
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
  const { sources } = useSourceNames()
  const { kind, sourceId, syncId, leadId } = search
  const pages = address.pages()
  const query = useReadAt('listLedgerEntries', pages, { kind, sourceId, syncId, leadId })
  const isFiltered = [kind, sourceId, syncId, leadId].some((each) => each !== undefined)
  const empty = isFiltered
    ? {
        title: 'No line matches',
        action: (
          <Button variant="primary" onClick={() => change(nothingSet)}>
            Clear the filters
          </Button>
        ),
      }
    : { title: 'The ledger is empty', text: 'The first entry is the allowance of your plan.' }
  return (
    <div className="flex flex-col gap-4">
      <About address={address} />
      <ListCard
        title="Ledger"
        text="Every credit added or used, and everything that was free, with the reason. The entries add up to the balance."
        label="Ledger"
        query={query}
        lines={8}
        columns={columns}
        rows={query.data?.entries ?? []}
        empty={empty}
        pages={pages}
      >
        <ListFilters
          address={address}
          filters={[
            { name: 'kind', label: 'Kind', any: 'Every kind', choices: kindChoices, className: 'w-44' },
            {
              name: 'sourceId',
              label: 'Source',
              any: 'Any source',
              choices: sourceChoices(sources),
              className: 'w-56',
            },
          ]}
        />
      </ListCard>
    </div>
  )
}
