/** A file of leads made in the background; it stays shown after leaving the page. */
import type { exportPresets } from '@les/contract'
import { useState } from 'react'
import { currentTeam, isNotFound, useRead, useWrite, type InputOf } from '../../api/index.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { useForm } from '../../ui/edited.ts'
import { FilterRows, useRowFaults } from '../../ui/filter-rows.tsx'
import { agentColumns, type EditedRow } from '../../ui/filter-words.ts'
import { choicesOf, FormDialog, FormFields, type FormField } from '../../ui/form.tsx'
import { countOf } from '../../ui/format.ts'
import { Notice } from '../../ui/show.tsx'
import { TimeUntil } from '../../ui/text.tsx'
import { readStored, writeStored } from '../../app/stored.ts'

type Preset = (typeof exportPresets)[number]
type Form = { format: 'csv' | 'jsonl'; preset: Preset | '' }

const presetNames: Readonly<Record<Preset | '', string>> = {
  '': 'Every field, one row per lead',
  hubspot: 'HubSpot import',
  heyreach: 'HeyReach import',
  instantly: 'Instantly import',
  smartlead: 'Smartlead import',
  clay: 'Clay import',
  apollo: 'Apollo import',
}

const fields: readonly FormField<Form>[] = [
  {
    name: 'preset',
    label: 'Columns',
    choices: choicesOf(presetNames),
    hint: ({ preset }) =>
      preset === ''
        ? undefined
        : 'One row per person, in the columns its importer expects, without people who must not be contacted.',
  },
  { name: 'format', label: 'Format', choices: choicesOf({ csv: 'CSV', jsonl: 'Lines of JSON' }) },
]

function ExportDialog({ onClose, onBegun }: { onClose: () => void; onBegun: (id: string) => void }) {
  const [form, change] = useForm<Form>({ format: 'csv', preset: '' })
  const [rows, setRows] = useState<readonly EditedRow[]>([])
  const begin = useWrite('createExport', { quiet: true, onSuccess: ({ id }) => onBegun(id) })
  const { errors, attempt } = useRowFaults(agentColumns, rows)
  const submit = () =>
    begin.mutate({
      format: form.format,
      ...(form.preset === '' ? {} : { preset: form.preset }),
      ...(rows.length === 0 ? {} : { filters: rows.map((row) => ({ ...row })) as InputOf<'createExport'>['filters'] }),
    })
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title="Make a file of leads"
      text="It is made in the background, however many there are. Its link needs no key and expires after 24 hours."
      submit="Make the file"
      busy={begin.isPending}
      error={begin.error}
      onSubmit={() => attempt(submit)}
    >
      <FormFields fields={fields} form={form} onChange={change} />
      <FilterRows
        columns={agentColumns}
        value={rows}
        onChange={setRows}
        errors={errors}
        label="Which leads"
        empty="All leads of the team. Add rows to take only those who match all of them."
      />
    </FormDialog>
  )
}

function Progress({ id, onForget }: { id: string; onForget: () => void }) {
  const query = useRead(
    'getExport',
    { id },
    {
      refetchInterval: ({ state: { data, error } }) =>
        (data === undefined ? error === null : data.state === 'running' && !isNotFound(error)) ? 2_000 : false,
    },
  )
  const { data } = query
  const forget = (
    <Button size="sm" variant="ghost" onClick={onForget}>
      Dismiss
    </Button>
  )
  if (isNotFound(query.error))
    return (
      <Notice tone="warn" title="The file is gone" action={forget}>
        Files are deleted 24 hours after they were made.
      </Notice>
    )
  if (data === undefined)
    return (
      query.error && (
        <Notice
          tone="warn"
          title="The progress of the file could not be read"
          action={
            <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
              Try again
            </Button>
          }
        >
          {query.error.message}
        </Notice>
      )
    )
  if (data.state === 'running')
    return (
      <Notice title="The file is being made">
        {countOf(data.rows, 'row')} so far. You can keep working in the meantime.
      </Notice>
    )
  if (data.state === 'failed' || data.url === null)
    return (
      <Notice tone="bad" title="The file could not be made" action={forget}>
        Make it again; if that fails too, narrow it with filters.
      </Notice>
    )
  return (
    <Notice
      tone="good"
      title={`The file is ready: ${countOf(data.rows, 'row')}`}
      action={
        <span className="flex gap-2">
          <a href={data.url} download className={buttonClass('primary', 'sm')}>
            Download
          </a>
          {forget}
        </span>
      }
    >
      {data.expiresAt && (
        <>
          Its address ends <TimeUntil at={data.expiresAt} />.
        </>
      )}
    </Notice>
  )
}

const storedAs = () => `export.${currentTeam()}`

/** Asks what to make, and shows this browser's latest file until dismissed. */
export function ExportFile({ isAsking, onAsked }: { isAsking: boolean; onAsked: () => void }) {
  const [id, setId] = useState(() => readStored(storedAs()))
  const keep = (next: string | null) => {
    writeStored(storedAs(), next)
    setId(next)
  }
  return (
    <>
      {id !== null && <Progress key={id} id={id} onForget={() => keep(null)} />}
      {isAsking && (
        <ExportDialog
          onClose={onAsked}
          onBegun={(begun) => {
            keep(begun)
            onAsked()
          }}
        />
      )}
    </>
  )
}
