import { exclusionKindNames, exclusionListNames, type ExclusionKind } from '@les/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { bounds } from 'virtual:values'
import { ApiError, ask, useRead } from '../../api/index.ts'
import { Button } from '../../ui/button.tsx'
import { useForm, useSettled } from '../../ui/edited.ts'
import { Field, Input } from '../../ui/field.tsx'
import { choicesOf, FormDialog, FormFields, type FormField } from '../../ui/form.tsx'
import { count, countOf } from '../../ui/format.ts'
import { Failure, Notice } from '../../ui/show.tsx'
import { useExclude } from './exclude.tsx'
import { faultOf, partsOf, readFile, textOf, valuesIn, type LinedEntry } from './lines.ts'

type Listed = { list: string; ownList: string }
type Form = Listed & { kind: ExclusionKind; values: string; reason: string }

const hints: Readonly<Record<ExclusionKind, string>> = {
  person: 'Profile addresses, handles or member ids, one per line.',
  company: 'Company pages, slugs or numbers, one per line.',
  domain: 'Domains, one per line; their subdomains are included.',
  email: 'Email addresses, one per line.',
  title: 'Words of a job title, one title per line: “sales” also means “Head of Sales”.',
  country: 'Names or codes of countries, one per line.',
}

const otherList = 'other'

const fields: readonly FormField<Form>[] = [
  { name: 'kind', label: 'What', choices: choicesOf(exclusionKindNames) },
  { name: 'values', label: 'Who', rows: 5, required: true, hint: ({ kind }) => hints[kind] },
  {
    name: 'list',
    label: 'List',
    choices: [...choicesOf(exclusionListNames), { value: otherList, label: 'A list of your own' }],
  },
  {
    name: 'ownList',
    label: 'Name of the list',
    required: true,
    maxLength: bounds.exclusionList,
    when: ({ list }) => list === otherList,
  },
  { name: 'reason', label: 'Reason', optional: true, maxLength: bounds.exclusionReason },
]

const listOf = ({ list, ownList }: Listed): string => (list === otherList ? ownList.trim() : list)

const entriesOf = ({ kind, values, reason }: Form) =>
  valuesIn(values)
    .slice(0, bounds.exclusionEntries)
    .map((value) => ({ kind, value, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) }))

/** How many leads the entries match, before they are saved. */
function Met({ form }: { form: Form }) {
  const { kind, values } = useSettled({ kind: form.kind, values: form.values })
  const entries = entriesOf({ ...form, kind, values, reason: '' })
  const query = useRead(
    'addExclusions',
    { entries, dryRun: true },
    { enabled: entries.length > 0, keepPrevious: true, staleTime: 30_000 },
  )
  if (entries.length === 0) return null
  if (query.error) return <Failure error={query.error} />
  if (query.data === undefined || !('dryRun' in query.data)) return null
  const { matching, notMatching } = query.data.counts
  return (
    <p role="status" className="text-sm text-muted">
      {matching === 0
        ? 'They match no lead captured so far.'
        : `They match ${count(matching)} of ${countOf(matching + notMatching, 'lead')} captured so far.`}
    </p>
  )
}

export function AddDialog({ onClose, list }: { onClose: () => void; list: string | undefined }) {
  const isKnown = list === undefined || Object.hasOwn(exclusionListNames, list)
  const [form, change] = useForm<Form>({
    kind: 'person',
    values: '',
    list: isKnown ? (list ?? 'do_not_contact') : otherList,
    ownList: isKnown ? '' : list,
    reason: '',
  })
  const { add } = useExclude()
  const values = valuesIn(form.values)
  const tooMany = values.length > bounds.exclusionEntries
  const what =
    values.length === 1 ? values[0]! : `${count(values.length)} ${exclusionKindNames[form.kind].toLowerCase()} entries`
  const run = useMutation({
    mutationFn: () => add(entriesOf(form), what, listOf(form)),
    onSuccess: (isDone) => isDone && onClose(),
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Exclude"
      text="They are still captured and charged, but never delivered."
      submit={values.length > 1 ? `Exclude ${count(values.length)} entries` : 'Exclude'}
      busy={run.isPending}
      onSubmit={() => values.length > 0 && !tooMany && run.mutate()}
    >
      <FormFields fields={fields} form={form} onChange={change} />
      {tooMany ? (
        <Failure error={`At most ${count(bounds.exclusionEntries)} at once: use “Import CSV” for more.`} />
      ) : (
        <Met form={form} />
      )}
    </FormDialog>
  )
}

/** The most rows the browser sends; the command line can stream larger files. */
const mostRows = 20_000

type Refused = { readonly line: number; readonly value: string; readonly error: string }
type Imported = { readonly added: number; readonly alreadyListed: number; readonly refused: readonly Refused[] }

const waitMs = 2_000
const shownCharacters = 80

/** Adds entries part by part, waiting when the rate limit refuses. */
async function importEntries(
  entries: readonly LinedEntry[],
  list: string,
  onProgress: (done: number) => void,
): Promise<Imported> {
  const refused: Refused[] = entries.flatMap(({ line, ...entry }) => {
    const error = faultOf(entry)
    return error === null ? [] : [{ line, value: entry.value.slice(0, shownCharacters), error }]
  })
  const parts = partsOf(entries.filter((entry) => faultOf(entry) === null))
  let [done, added, alreadyListed] = [0, 0, 0]
  for (let at = 0; at < parts.length; ) {
    const part = parts[at]!
    try {
      const answer = await ask('addExclusions', {
        entries: part.map(({ line: _, ...entry }) => entry),
        list,
        origin: 'csv',
      })
      if (!('dryRun' in answer)) {
        added += answer.added
        alreadyListed += answer.alreadyListed
        for (const { index, error } of answer.invalid)
          refused.push({ line: part[index]!.line, value: part[index]!.value, error })
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) {
        await new Promise((resolve) => setTimeout(resolve, waitMs))
        continue
      }
      // If no entry of a part is accepted, the refusal names none: all are reported.
      if (!(error instanceof ApiError) || error.status !== 400 || !error.message.startsWith('No entry')) throw error
      refused.push(...part.map(({ line, value }) => ({ line, value, error: 'it is not a valid value of its kind' })))
    }
    at += 1
    done += part.length
    onProgress(done)
  }
  return { added, alreadyListed, refused: refused.toSorted((a, b) => a.line - b.line) }
}

const shownRefusals = 100

function Outcome({ done: { added, alreadyListed, refused } }: { done: Imported }) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p role="status">
        {countOf(added, 'entry', 'entries')} added, {count(alreadyListed)} listed before, {count(refused.length)}{' '}
        refused.
      </p>
      {refused.length > 0 && (
        <ul className="flex flex-col gap-1" aria-label="Refused rows">
          {refused.slice(0, shownRefusals).map(({ line, value, error }) => (
            <li key={line} className="break-words">
              <span className="font-medium">Line {line}</span>{' '}
              <span className="text-muted">
                {value}: {error}
              </span>
            </li>
          ))}
          {refused.length > shownRefusals && <li>and {count(refused.length - shownRefusals)} more</li>}
        </ul>
      )}
    </div>
  )
}

const listFields = fields.filter(({ name }) => name === 'list' || name === 'ownList') as unknown as FormField<Listed>[]

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [form, change] = useForm<Listed>({ list: 'do_not_contact', ownList: '' })
  const [rows, setRows] = useState<readonly LinedEntry[]>([])
  const [progress, setProgress] = useState(0)
  const [unread, setUnread] = useState<Error | null>(null)
  const tooMany = rows.length > mostRows
  const run = useMutation({
    mutationFn: () => {
      setProgress(0)
      return importEntries(rows, listOf(form), setProgress)
    },
  })
  const done = run.data
  return (
    <FormDialog
      onClose={onClose}
      title="Import a CSV file"
      text="Columns kind, value and reason, with or without a header, separated by commas or semicolons."
      submit={rows.length === 0 ? 'Import' : `Import ${countOf(rows.length, 'row')}`}
      busy={run.isPending}
      error={unread ?? run.error}
      onSubmit={() => rows.length > 0 && !tooMany && run.mutate()}
      actions={
        done && (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        )
      }
    >
      {done ? (
        <Outcome done={done} />
      ) : (
        <>
          <Field label="File" hint="Kinds: person, company, domain, email, title, country.">
            <Input
              type="file"
              accept=".csv,text/csv,text/plain"
              required
              className="py-1.5"
              onChange={(event) => {
                const file = event.target.files?.[0]
                setRows([])
                setUnread(null)
                run.reset()
                void file
                  ?.arrayBuffer()
                  .then((bytes) => setRows(readFile(textOf(new Uint8Array(bytes)))))
                  .catch(setUnread)
              }}
            />
          </Field>
          <FormFields fields={listFields} form={form} onChange={change} />
          {tooMany && (
            <Notice tone="warn">
              A browser sends {count(mostRows)} rows at most. For more, use the command line: les exclusions import
              FILE.csv
            </Notice>
          )}
          {run.isPending && (
            <p role="status" className="text-sm text-muted">
              {count(progress)} of {countOf(rows.length, 'row')}
            </p>
          )}
        </>
      )}
    </FormDialog>
  )
}
