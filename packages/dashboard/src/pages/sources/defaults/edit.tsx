import { useState } from 'react'
import { bounds } from 'virtual:values'
import { useSessionMutation } from '../../../api/index.ts'
import {
  Button,
  CriteriaRows,
  Dialog,
  FilterRows,
  leadColumns,
  leadRows,
  rowFaults,
  Switch,
  type EditedRow,
  Failure,
  TextField,
  bound,
} from '../../../ui/index.ts'
import { CampaignField } from '../../../sends/index.ts'
import { ofWords, partLabel, type Defaults, type Part } from './words.ts'

type Sent = Parameters<ReturnType<typeof useSessionMutation<'saveDefaults'>>['mutate']>[0]
/** A part as it would be sent, or what is wrong with it. */
type Read = { readonly body: Omit<Sent, 'of'> } | { readonly fault: string }

type EditorProps = { readonly defaults: Defaults; readonly onRead: (read: Read) => void; readonly isTried: boolean }

function WebhookEditor({ defaults, onRead, isTried }: EditorProps) {
  const [value, setValue] = useState(defaults.webhook ?? { url: '', icpOnly: false, autoSend: true, syncEvents: false })
  const change = (part: Partial<typeof value>) => {
    const next = { ...value, ...part }
    setValue(next)
    const url = next.url.trim()
    onRead(url === '' ? { fault: 'Enter the address' } : { body: { webhook: { ...next, url } } })
  }
  return (
    <>
      <TextField
        label="Address"
        error={isTried && value.url.trim() === '' ? 'Enter the address' : undefined}
        type="url"
        inputMode="url"
        maxLength={bounds.webhookUrl}
        {...bound(value, change, 'url')}
        placeholder="https://hooks.example.com/leads"
      />
      <Switch
        {...bound(value, change, 'autoSend')}
        label="Send new leads by themselves"
        hint="Off: only what is pushed by hand."
      />
      <Switch {...bound(value, change, 'icpOnly')} label="Only leads that fit" hint="By the criteria of each source." />
      <Switch
        {...bound(value, change, 'syncEvents')}
        label="Also tell when a sync ends"
        hint="sync.completed and sync.failed"
      />
    </>
  )
}

function CriteriaEditor({ defaults, onRead, isTried }: EditorProps) {
  const [rows, setRows] = useState<readonly EditedRow[]>(defaults.criteria?.rules ?? [])
  const [matchMode, setMatchMode] = useState(defaults.criteria?.matchMode ?? ('all' as const))
  const faults = rowFaults(leadColumns, rows)
  const tell = (nextRows: readonly EditedRow[], nextMode: typeof matchMode) => {
    setRows(nextRows)
    setMatchMode(nextMode)
    const isGood = Object.keys(rowFaults(leadColumns, nextRows)).length === 0
    onRead(
      isGood
        ? { body: { criteria: { rules: leadRows(nextRows), matchMode: nextMode } } }
        : { fault: 'Complete every row' },
    )
  }
  return <CriteriaRows rows={rows} matchMode={matchMode} onChange={tell} errors={isTried ? faults : {}} />
}

function OutreachEditor({ defaults, onRead, isTried }: EditorProps) {
  const stored = defaults.outreach
  const [value, setValue] = useState({
    campaignId: stored?.campaignId ?? '',
    autoSend: stored?.autoSend ?? true,
    filters: (stored?.filters ?? []) as readonly EditedRow[],
  })
  const faults = rowFaults(leadColumns, value.filters)
  const change = (part: Partial<typeof value>) => {
    const next = { ...value, ...part }
    setValue(next)
    if (next.campaignId === '') return onRead({ fault: 'Choose a campaign' })
    if (Object.keys(rowFaults(leadColumns, next.filters)).length > 0) return onRead({ fault: 'Complete every row' })
    onRead({ body: { outreach: { ...next, filters: leadRows(next.filters) } } })
  }
  return (
    <>
      <CampaignField
        value={value.campaignId}
        onValue={(campaignId) => change({ campaignId })}
        known={stored ? { id: stored.campaignId, name: stored.campaignName } : undefined}
        error={isTried && value.campaignId === '' ? 'Choose a campaign' : undefined}
      />
      <Switch
        {...bound(value, change, 'autoSend')}
        label="Send by themselves"
        hint="Each lead goes once it was looked up. Off: only what you send by hand."
      />
      <FilterRows
        label="Only leads that match every row"
        columns={leadColumns}
        value={value.filters}
        onChange={(filters) => change({ filters })}
        errors={isTried ? faults : {}}
        empty="No rows: every enriched lead is sent."
      />
    </>
  )
}

function CapEditor({ defaults, onRead, isTried }: EditorProps) {
  const [text, setText] = useState(
    defaults.cap === null ? String(bounds.creditCap.default) : String(defaults.cap.credits ?? ''),
  )
  const needsOne = defaults.of === 'keyword'
  const faultOf = (value: string): string | null => {
    const isNumber = /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= bounds.creditCap.max
    if (value === '') return needsOne ? 'Enter a number: each run of a search needs a cap' : null
    return isNumber ? null : 'Enter a whole number of at least 1'
  }
  const change = (value: string) => {
    setText(value)
    const fault = faultOf(value.trim())
    onRead(fault === null ? { body: { cap: { credits: value.trim() === '' ? null : Number(value) } } } : { fault })
  }
  return (
    <TextField
      label="Most credits a sync, for each source"
      error={isTried ? (faultOf(text.trim()) ?? undefined) : undefined}
      hint={
        needsOne
          ? 'A search runs once a day.'
          : 'A source is synced about once a day. Empty: no limit; keyword searches then keep theirs.'
      }
      className="max-w-xs"
      inputMode="numeric"
      value={text}
      onValue={change}
    />
  )
}

const editors = { webhook: WebhookEditor, criteria: CriteriaEditor, outreach: OutreachEditor, cap: CapEditor } as const

/** What the editor begins with, as it would be sent. */
function startOf(defaults: Defaults, part: Part): Read {
  if (part === 'criteria') return { body: { criteria: defaults.criteria ?? { rules: [], matchMode: 'all' } } }
  if (part === 'cap') return { body: { cap: defaults.cap ?? { credits: bounds.creditCap.default } } }
  if (part === 'webhook')
    return defaults.webhook ? { body: { webhook: defaults.webhook } } : { fault: 'Enter the address' }
  if (defaults.outreach === null) return { fault: 'Choose a campaign' }
  const { campaignId, autoSend, filters } = defaults.outreach
  return { body: { outreach: { campaignId, autoSend, filters } } }
}

export function EditDefault({ defaults, part, onClose }: { defaults: Defaults; part: Part; onClose: () => void }) {
  const [read, setRead] = useState(() => startOf(defaults, part))
  const [isTried, setTried] = useState(false)
  const save = useSessionMutation('saveDefaults', {
    refreshes: ['sources'],
    quiet: true,
    done: 'Default saved',
    onSuccess: onClose,
  })
  const Editor = editors[part]
  const submit = () => {
    setTried(true)
    if ('body' in read) save.mutate({ of: defaults.of, ...read.body })
  }
  return (
    <Dialog
      onClose={onClose}
      size={part === 'criteria' || part === 'outreach' ? 'lg' : 'md'}
      title={`${partLabel(part)}: ${ofWords[defaults.of].toLowerCase()}`}
      text="For what is tracked here from now on. Sources that you track already stay as they are until you apply it."
      cancel
      actions={
        <Button variant="primary" busy={save.isPending} onClick={submit}>
          Save default
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Failure error={save.error} title="Nothing was saved" />
        <Editor defaults={defaults} onRead={setRead} isTried={isTried} />
      </div>
    </Dialog>
  )
}
