import type { FilterRow } from '@les/contract'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useRead, useTeam, useWrite, type ResultOf } from '../../api/index.ts'
import { Button, RoleButton } from '../../ui/button.tsx'
import { column, type Column } from '../../ui/columns.tsx'
import { useEdited } from '../../ui/edited.ts'
import { leadColumns, leadRows, rowWords, type EditedRow } from '../../ui/filter-words.ts'
import { FormFields, useTried } from '../../ui/form.tsx'
import { count, countOf } from '../../ui/format.ts'
import { Tabs } from '../../ui/page.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { Card, Loaded, Meter, Notice, Tally } from '../../ui/show.tsx'
import { toast } from '../../ui/toast.tsx'
import { criteriaFields, type Criteria } from '../sources/settings.tsx'
import { comparedColumns, differenceWords, nearWords, perFitWords } from './compared.tsx'
import type { Health } from './source.ts'

type Answer = ResultOf<'compareCriteria'>
type Person = Answer['gainedPeople'][number]

type Tried = { readonly answer: Answer; readonly rows: readonly FilterRow[] }

const missing = (rows: readonly FilterRow[]): Column<Person> =>
  column('All but', ({ missing: place }) => (place === null || rows[place] === undefined ? '–' : rowWords(rows[place])))

type PeopleProps = {
  label: string
  people: readonly Person[]
  total: number
  rows?: readonly FilterRow[] | undefined
  none: string
}

function People({ label, people, total, rows, none }: PeopleProps) {
  if (total === 0) return <p className="text-sm text-muted">{none}</p>
  return (
    <div className="flex flex-col gap-2">
      <RecordList
        label={label}
        columns={rows ? [...comparedColumns, missing(rows)] : comparedColumns}
        rows={people}
        rowId={({ leadId }) => leadId}
      />
      {total > people.length && (
        <p className="text-[0.8125rem] text-muted">
          The newest {people.length} of {count(total)}.
        </p>
      )}
    </div>
  )
}

function NearMisses({ tried: { answer, rows } }: { tried: Tried }) {
  return (
    <div className="flex flex-col gap-3">
      {answer.nearBy.length > 0 && (
        <Tally
          lines={answer.nearBy.map(({ row, count: people }) => ({
            key: String(row),
            of: people,
            text: `fail only: ${rows[row] ? rowWords(rows[row]) : `row ${row + 1}`}`,
          }))}
        />
      )}
      <People
        label={`${countOf(answer.near, 'person', 'people')} who fail only one row`}
        people={answer.nearPeople}
        total={answer.near}
        rows={rows}
        none={nearWords(rows.length, answer)}
      />
    </div>
  )
}

type Change = 'gained' | 'lost' | 'near'

function Compared({ tried }: { tried: Tried }) {
  const { answer } = tried
  const [open, setOpen] = useState<Change>(answer.gained > 0 || answer.lost === 0 ? 'gained' : 'lost')
  const { gained, lost, near } = answer
  const gainedPeople = (
    <People
      label={`${countOf(gained, 'person', 'people')} who do not fit now but would`}
      people={answer.gainedPeople}
      total={gained}
      none="Nobody new would fit."
    />
  )
  const lostPeople = (
    <People
      label={`${countOf(lost, 'person', 'people')} who fit now but would not`}
      people={answer.lostPeople}
      total={lost}
      rows={answer.lostPeople.some(({ missing: place }) => place !== null) ? tried.rows : undefined}
      none="Nobody who fits now would be lost."
    />
  )
  return (
    <section
      aria-label="Result of the trial"
      aria-live="polite"
      className="flex flex-col gap-3 rounded-lg border border-line p-3"
    >
      <div className="flex flex-col gap-0.5 text-sm">
        <p className="font-medium">{differenceWords(answer)}</p>
        <p className="text-muted">{perFitWords(answer)}</p>
      </div>
      {!answer.isWhole && <Notice>Only the newest 50,000 leads of this source were looked at.</Notice>}
      {answer.people > 0 && (
        <Tabs
          label="What would change"
          value={open}
          onValue={setOpen}
          tabs={[
            { value: 'gained', label: `Gained (${count(gained)})`, content: gainedPeople },
            { value: 'lost', label: `Lost (${count(lost)})`, content: lostPeople },
            { value: 'near', label: `Near misses (${count(near)})`, content: <NearMisses tried={tried} /> },
          ]}
        />
      )}
      <p className="text-[0.8125rem] text-muted">
        Nothing was saved, judged or sent, and no credits were used. Saving judges stored leads again at no cost; what a
        sync may spend is set under{' '}
        <Link to="." search={{ tab: 'settings' }} className="underline underline-offset-2">
          Settings
        </Link>
        .
      </p>
    </section>
  )
}

/** The criterion in an address, put there by a suggestion from results; undefined if invalid. */
function readCriterion(text: string | undefined): EditedRow | undefined {
  try {
    const row = JSON.parse(text ?? 'null') as EditedRow | null
    return row !== null && Object.hasOwn(leadColumns, row.column) ? row : undefined
  } catch {
    return undefined
  }
}

function Editor({ source, stored }: { source: Health; stored: ResultOf<'getSourceIcp'> }) {
  const { can } = useTeam()
  const form = useEdited<Criteria>({ rules: stored.rules, matchMode: stored.matchMode })
  const { rules, matchMode } = form.value
  // A trial is outdated once the stored criteria change.
  const against = JSON.stringify([stored.rules, stored.matchMode])
  const [result, setResult] = useState<(Tried & { readonly against: string }) | null>(null)
  const trial = useWrite('compareCriteria')
  const save = useWrite('updateSourceIcp', {
    onSuccess: (answer) =>
      'rescored' in answer &&
      toast.good(
        'Saved',
        answer.rescoring
          ? `${countOf(answer.rescoring.leads, 'lead')} are being judged again; lists already use the new criteria.`
          : `${answer.rescored} leads were judged again.`,
      ),
  })
  const body = { id: source.id, rules: leadRows(rules), matchMode }
  const change = (part: Partial<Criteria>) => {
    form.change(part)
    setResult(null)
  }
  const tryOut = () => trial.mutate(body, { onSuccess: (answer) => setResult({ answer, rows: body.rules, against }) })
  const { add } = useSearch({ from: '/signed-in/team/sources/$id' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each criterion that is brought; edits are left alone.
  useEffect(() => {
    const row = readCriterion(add)
    if (row && !rules.some((each) => JSON.stringify(each) === JSON.stringify(row))) change({ rules: [...rules, row] })
  }, [add])
  const { isTried, attempt } = useTried(criteriaFields, form.value)
  const isActive = source.status === 'active'
  const stopped = !isActive && 'Track the source again first'
  return (
    <div className="flex flex-col gap-4">
      {!(can('member') && isActive) && (
        <Notice>
          {isActive
            ? 'Try any criteria on the stored leads; only members may save them.'
            : 'This source is stopped: track it again to change its criteria.'}
        </Notice>
      )}
      <FormFields fields={criteriaFields} form={form.value} onChange={change} isTried={isTried} reason={stopped} />
      <div className="flex flex-wrap gap-2">
        <Button
          reason={stopped || (rules.length === 0 && 'Add a criterion to try')}
          busy={trial.isPending}
          onClick={() => attempt(tryOut)}
        >
          Try on stored leads
        </Button>
        <RoleButton
          variant="primary"
          reason={stopped || (!form.isEdited && 'Nothing has been changed')}
          busy={save.isPending}
          onClick={() => attempt(() => save.mutate(body, { onSuccess: form.saved }))}
        >
          Save criteria
        </RoleButton>
      </div>
      {result?.against === against && <Compared tried={result} />}
    </div>
  )
}

export function CriteriaEditor({ source }: { source: Health }) {
  const [isRescoring, setRescoring] = useState(false)
  const query = useRead(
    'getSourceIcp',
    { id: source.id },
    { staleTime: isRescoring ? 0 : 60_000, refetchInterval: isRescoring ? 2_000 : false },
  )
  const progress = query.data?.rescoring
  if (isRescoring !== (progress !== undefined)) setRescoring(progress !== undefined)
  return (
    <Card
      title="Who fits"
      text="Your ideal customer. Every lead of this source is judged by these rows; trying them out saves nothing and costs nothing."
    >
      {progress && (
        <Meter label="Judging stored leads again" value={progress.judged} max={progress.leads} tone="good" />
      )}
      <Loaded query={query}>{(stored) => <Editor key={source.id} source={source} stored={stored} />}</Loaded>
    </Card>
  )
}
