import { sourceKindNames } from '@les/contract'
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { hasCode, isUnread, useRead, useWrite, type InputOf } from '../../../api/index.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checkbox, SelectField, type Choice } from '../../../ui/field.tsx'
import { countOf } from '../../../ui/format.ts'
import { NameLink } from '../../../ui/link.tsx'
import { Card, Loaded, Notice, Tally } from '../../../ui/show.tsx'
import { sourceKinds as kinds } from '../../../app/searches.ts'
import { Kind } from '../parts.tsx'
import { dailyWords, keptWords, partLabel, parts as allParts, type Part, type Preview } from './words.ts'

type Chosen = InputOf<'previewDefaults'>['sources']

function Shown({ preview }: { preview: Preview }) {
  const ofPart = (part: Part) =>
    preview.rows.filter(({ changes }) => changes.some((change) => change.part === part)).length
  const becomes = (part: Part) => [
    ...new Set(preview.rows.flatMap(({ changes }) => changes.flatMap((each) => (each.part === part ? each.to : [])))),
  ]
  return (
    <section aria-label="What will change" className="flex flex-col gap-3 text-sm">
      {preview.changes === 0 ? (
        <Notice>None of these {countOf(preview.sources, 'source')} would change.</Notice>
      ) : (
        <Tally
          lines={[
            ...allParts
              .filter(({ part }) => ofPart(part) > 0)
              .map(({ part, label }) => ({
                key: part,
                of: ofPart(part),
                isPart: preview.rows.length >= 500,
                text: `${label}: ${becomes(part).join(' or ')}`,
              })),
            ...preview.kept.map(({ reason, count: of }) => ({
              ...{ key: reason, of, isMinor: true },
              text: `left alone: ${keptWords[reason]}`,
            })),
          ]}
        />
      )}
      {preview.changes > 0 && <p>{dailyWords(preview.daily)}</p>}
      {preview.leadsJudged > 0 && (
        <p className="text-muted">
          {countOf(preview.leadsJudged, 'stored lead')} will be judged again by the new criteria, at no cost. Leads
          captured before are not sent.
        </p>
      )}
    </section>
  )
}

/** Applies defaults to sources after showing the changes and costs; all or nothing. */
function ApplyDefaults({ sources, onClose }: { sources: Chosen; onClose: () => void }) {
  const [chosen, setChosen] = useState<readonly Part[]>(allParts.map(({ part }) => part))
  const isAny = chosen.length > 0
  const asked = { sources, parts: [...chosen] }
  const preview = useRead('previewDefaults', asked, { enabled: isAny, gcTime: 0, retry: false })
  const apply = useWrite('applyDefaults', {
    quiet: true,
    done: ({ changed }) => `${countOf(changed, 'source')} changed`,
    onSuccess: onClose,
    onError: (error) => hasCode(error, 'changes_outdated') && preview.refetch(),
  })
  const data = isAny ? preview.data : undefined
  const isBeingRead = isAny && isUnread(preview, apply.error, 'changes_outdated')
  const nothing =
    data === undefined ? 'What would change is not known yet' : data.changes === 0 && 'Nothing would change'
  const withOrWithout = (part: Part, on: boolean) =>
    allParts.map((each) => each.part).filter((each) => (each === part ? on : chosen.includes(each)))
  return (
    <Dialog
      onClose={onClose}
      title="Apply the team defaults"
      text="Each source changes as if you edited it by hand: all of them, or none if something fails."
      cancel
      actions={
        <Button
          variant="primary"
          busy={apply.isPending || isBeingRead}
          reason={isAny ? nothing : 'Choose what to apply'}
          onClick={() => data && apply.mutate({ ...asked, agreed: data.agreed })}
        >
          {data === undefined ? 'Apply' : `Change ${countOf(data.changes, 'source')}`}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {apply.error && (
          <Notice tone="warn" title="Nothing was changed">
            {apply.error.message}
          </Notice>
        )}
        <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
          <legend className="mb-2 text-sm font-medium">What to apply</legend>
          {allParts.map(({ part, label }) => (
            <Checkbox
              key={part}
              label={label}
              value={chosen.includes(part)}
              onValue={(on) => setChosen(withOrWithout(part, on))}
            />
          ))}
        </fieldset>
        {isAny && <Loaded query={preview}>{(shown) => <Shown preview={shown} />}</Loaded>}
      </div>
    </Dialog>
  )
}

type Row = Preview['rows'][number]
type Kinds = (typeof kinds)[number] | ''

const maxShown = 100
const kindChoices: readonly Choice<Kinds>[] = [
  { value: '', label: 'All kinds' },
  ...kinds.map((each) => ({ value: each, label: sourceKindNames[each] })),
]

type RowsProps = { rows: readonly Row[]; left: ReadonlySet<string>; onLeft: (left: ReadonlySet<string>) => void }

function Rows({ rows, left, onLeft }: RowsProps) {
  return (
    <ul className="divide-y divide-line" aria-label="Sources that differ">
      {rows.slice(0, maxShown).map((row) => (
        <li key={row.id} className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(12rem,1fr)_2fr]">
          <div className="flex min-w-0 items-start gap-2.5">
            <Checkbox
              label={`Apply to ${row.label}`}
              hideLabel
              value={row.changes.length > 0 && !left.has(row.id)}
              reason={row.changes.length === 0 && 'It matches the defaults.'}
              onValue={(on) => {
                const next = new Set(left)
                if (on) next.delete(row.id)
                else next.add(row.id)
                onLeft(next)
              }}
            />
            <div className="min-w-0">
              <NameLink to="/sources/$id" params={{ id: row.id }}>
                {row.label}
              </NameLink>
              <div className="text-[0.8125rem] text-muted">
                <Kind kind={row.type} />
              </div>
            </div>
          </div>
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
        </li>
      ))}
    </ul>
  )
}

function summary({ sources, changes, kept }: Preview): string {
  if (sources === 0) return 'Nothing is tracked yet.'
  const stays = kept.reduce((sum, { count }) => sum + count, 0)
  const says = stays === 0 ? '' : ` ${countOf(stays, 'source')} keep a setting of their own.`
  if (changes === 0) return `All of ${countOf(sources, 'tracked source')} match the defaults.${says}`
  return `${changes} of ${countOf(sources, 'tracked source')} differ from the defaults.${says}`
}

export function Differ() {
  const [kind, setKind] = useState<Kinds>('')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const all: Chosen = kind === '' ? { by: 'all' } : { by: 'type', type: kind }
  const query = useRead('previewDefaults', { sources: all, parts: allParts.map(({ part }) => part) }, { retry: false })
  const changing = (query.data?.rows ?? []).filter(({ changes }) => changes.length > 0)
  const ticked = changing.filter(({ id }) => !left.has(id))
  const isAll = ticked.length === changing.length
  const number = isAll ? (query.data?.changes ?? 0) : ticked.length
  const chosen: Chosen = isAll ? all : { by: 'ids', ids: ticked.map(({ id }) => id) }
  const [applying, setApplying] = useState<Chosen | null>(null)
  return (
    <Card
      flush
      title="Sources that differ"
      text={query.data ? summary(query.data) : 'The sources you track, compared with the defaults.'}
      actions={
        <>
          <SelectField
            label="Kind"
            hideLabel
            className="w-44"
            value={kind}
            onValue={(next) => {
              setKind(next)
              setLeft(new Set())
            }}
            choices={kindChoices}
          />
          <Button
            variant="primary"
            reason={number === 0 && 'Tick a source that would change'}
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
              {data.rows.length > maxShown && (
                <p className="border-t border-line px-4 py-2.5 text-[0.8125rem] text-muted">
                  The first {maxShown} are shown; the button counts all of them.
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
