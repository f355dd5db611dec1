/** A file of leads made in the background; it stays shown after leaving the page. */
import type { exportPresets } from '@les/contract'
import { useState } from 'react'
import { currentTeam, isNotFound, useRead, type InputOf } from '../../api/index.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { agentColumns, type EditedRow } from '../../ui/filter-words.ts'
import { choicesOf, WriteDialog, type FormField } from '../../ui/form.tsx'
import { countOf } from '../../ui/format.ts'
import { Notice } from '../../ui/show.tsx'
import { TimeUntil } from '../../ui/text.tsx'
import { readStored, writeStored } from '../../app/stored.ts'

type Preset = (typeof exportPresets)[number]
type Form = { format: 'csv' | 'jsonl'; preset: Preset | ''; rows: readonly EditedRow[] }

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
  {
    name: 'rows',
    label: 'Which leads',
    columns: agentColumns,
    empty: 'All leads of the team. Add rows to take only those who match all of them.',
  },
]

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
        <WriteDialog
          onClose={onAsked}
          size="lg"
          title="Make a file of leads"
          text="It is made in the background, however many there are. Its link needs no key and expires after 24 hours."
          submit="Make the file"
          does="createExport"
          start={{ format: 'csv', preset: '', rows: [] }}
          fields={fields}
          inputOf={({ format, preset, rows }) => ({
            format,
            ...(preset === '' ? {} : { preset }),
            ...(rows.length === 0 ? {} : { filters: [...rows] as InputOf<'createExport'>['filters'] }),
          })}
          onDone={(begun) => keep(begun.id)}
        />
      )}
    </>
  )
}
