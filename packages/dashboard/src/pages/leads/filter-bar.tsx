import { Search as SearchIcon, SlidersHorizontal, X } from 'lucide-react'
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useV1Query } from '../../api/hooks.ts'
import {
  Button,
  count,
  countOf,
  cx,
  Drawer,
  Field,
  Input,
  Notice,
  Switch,
  useFirstWindow,
  SelectField,
  TextField,
} from '../../ui/index.ts'
import type { Address } from './address.ts'
import { conflictsOf, filterNames, rawFilterNames, textFilters, type FilterName, type Filters } from './filters.ts'
import type { Sources } from './lists.tsx'
import {
  chosen,
  chosenFlag,
  dayOf,
  deliveryChoices,
  endOf,
  engagementChoices,
  filterLabels,
  filterValue,
  fitChoices,
  kindChoices,
  startOf,
} from './words.ts'

const pauseMs = 300

/** What is typed, sent once typing pauses; a change of the address by something else, such as Back or a chip, is taken over. */
function useTyped(value: string | undefined, onValue: (value: string | undefined) => void) {
  const [typed, setTyped] = useState(value ?? '')
  const sent = useRef(value ?? '')
  useEffect(() => {
    if ((value ?? '') === sent.current) return
    sent.current = value ?? ''
    setTyped(value ?? '')
  }, [value])
  const send = (next: string) => {
    if (next === sent.current) return
    sent.current = next
    onValue(next === '' ? undefined : next)
  }
  const latest = useRef(send)
  latest.current = send
  useEffect(() => {
    const timer = setTimeout(() => latest.current(typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return { typed, setTyped, sendNow: () => send(typed.trim()) }
}

/** A text that narrows the list once typing pauses, or at Enter. */
function TextFilter({
  label,
  value,
  onValue,
  placeholder,
  hideLabel = false,
  error,
  hint,
  icon = false,
}: {
  label: string
  value: string | undefined
  onValue: (value: string | undefined) => void
  placeholder?: string
  hideLabel?: boolean
  error?: string | undefined
  hint?: string
  icon?: boolean
}) {
  const { typed, setTyped, sendNow } = useTyped(value, onValue)
  return (
    <Field label={label} hideLabel={hideLabel} error={error} hint={hint} className="min-w-0">
      <span className="relative block">
        {icon && (
          <SearchIcon
            aria-hidden="true"
            size={16}
            className="pointer-events-none absolute top-2.5 left-2.5 text-muted"
          />
        )}
        <Input
          type="search"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          {...(placeholder ? { placeholder } : {})}
          {...(icon ? { className: 'pl-8' } : {})}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && sendNow()}
        />
      </span>
    </Field>
  )
}

/** What each part of the form is given: which filters are offered, and why one contradicts another. */
type Part = {
  readonly address: Address
  readonly offered: (name: FilterName) => boolean
  readonly wrong: (name: FilterName) => string | undefined
}

function FilterFields({ address, sources, raw }: { address: Address; sources: Sources; raw: boolean }) {
  const { filters, change } = address
  const conflicts = conflictsOf(filters)
  const part: Part = {
    address,
    offered: (name) => !raw || rawFilterNames.includes(name),
    wrong: (name) => conflicts.find(({ at }) => at === name)?.words,
  }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SourceFields {...part} sources={sources} />
      <StateFields {...part} />
      {!raw &&
        textFilters.map((name) => (
          <TextFilter
            key={name}
            label={filterLabels[name]}
            value={filters[name]}
            onValue={(value) => change({ [name]: value })}
            hint="Any part of it"
          />
        ))}
      <DayFields {...part} />
      <ShownSources {...part} />
    </div>
  )
}

function SourceFields({ address: { filters, change }, offered, wrong, sources }: Part & { sources: Sources }) {
  return (
    <>
      <SelectField
        label="Source"
        hint="One thing you track."
        value={filters.profileId ?? ''}
        onValue={(value) => change({ profileId: chosen(value) })}
        choices={sources.choices}
      />
      <TextFilter
        label="Source handle"
        value={filters.username}
        onValue={(username) => change({ username })}
        error={wrong('username')}
        hint="Another way to name one source: jane-doe"
      />
      {offered('sourceKind') && (
        <SelectField
          label="Kind of source"
          error={wrong('sourceKind')}
          value={filters.sourceKind ?? ''}
          onValue={(value) => change({ sourceKind: chosen(value) })}
          choices={kindChoices}
        />
      )}
    </>
  )
}

function StateFields({ address: { filters, change }, offered }: Part) {
  return (
    <>
      <SelectField
        label="Engagement"
        value={filters.engagementType ?? ''}
        onValue={(value) => change({ engagementType: chosen(value) })}
        choices={engagementChoices}
      />
      {offered('isIcp') && (
        <SelectField
          label="Fit"
          hint="By the ideal customer profile of the source."
          value={filters.isIcp === undefined ? '' : String(filters.isIcp)}
          onValue={(value) => change({ isIcp: chosenFlag(value) })}
          choices={fitChoices}
        />
      )}
      {offered('webhookStatus') && (
        <SelectField
          label="Webhook delivery"
          value={filters.webhookStatus ?? ''}
          onValue={(value) => change({ webhookStatus: chosen(value) })}
          choices={deliveryChoices}
        />
      )}
    </>
  )
}

function DayFields({ address: { filters, change }, wrong }: Part) {
  return (
    <>
      <TextField
        label="Captured from"
        type="date"
        value={dayOf(filters.since)}
        onValue={(value) => change({ since: startOf(value) })}
      />
      <TextField
        label="Captured until"
        hint="The whole day counts."
        error={wrong('until')}
        type="date"
        value={dayOf(filters.until)}
        onValue={(value) => change({ until: endOf(value) })}
      />
    </>
  )
}

function ShownSources({ address: { filters, change }, offered }: Part) {
  const isScoped = filters.profileId !== undefined || filters.username !== undefined
  return (
    <div className="flex flex-col gap-3 sm:col-span-2">
      {offered('includeSyncing') && (
        <Switch
          label="Show leads of sources that are syncing"
          hint={isScoped ? 'One source is always shown whole.' : 'Off: only sources whose sync is over.'}
          value={isScoped || filters.includeSyncing !== false}
          reason={isScoped && 'One source is always shown whole.'}
          onValue={(on) => change({ includeSyncing: on ? undefined : false })}
        />
      )}
      <Switch
        label="Show leads of sources no longer tracked"
        value={filters.includeInactive === true}
        onValue={(on) => change({ includeInactive: on ? true : undefined })}
      />
    </div>
  )
}

export function InAll({ queryKey, filters }: { queryKey: readonly unknown[]; filters: Filters }) {
  const chosen = useFirstWindow(queryKey)
  const isFiltered = Object.keys(filters).length > 0
  const { data: all } = useV1Query(
    'listLeads',
    { includeSyncing: true, limit: 1 },
    { topic: 'leads', enabled: isFiltered, staleTime: 30_000 },
  )
  if (!isFiltered || chosen === undefined || all === undefined || all.total < chosen.total) return null
  const least = (page: { totalExact?: boolean | undefined }) => (page.totalExact === false ? 'at least ' : '')
  return (
    <p className="text-[0.8125rem] text-muted tabular-nums">
      The filters choose {least(chosen)}
      {count(chosen.total)} of {least(all)}
      {countOf(all.total, 'lead')}.
    </p>
  )
}

type Props = { readonly address: Address; readonly sources: Sources; readonly raw: boolean }

function Quick({ address: { filters, change }, sources, raw }: Props) {
  return (
    <>
      <SelectField
        label="Source"
        hideLabel
        className="w-44 max-md:hidden"
        value={filters.profileId ?? ''}
        onValue={(value) => change({ profileId: chosen(value) })}
        choices={sources.choices}
      />
      <SelectField
        label="Engagement"
        hideLabel
        className="w-40 max-md:hidden"
        value={filters.engagementType ?? ''}
        onValue={(value) => change({ engagementType: chosen(value) })}
        choices={engagementChoices}
      />
      {!raw && (
        <SelectField
          label="Fit"
          hideLabel
          className="w-32 max-md:hidden"
          value={filters.isIcp === undefined ? '' : String(filters.isIcp)}
          onValue={(value) => change({ isIcp: chosenFlag(value) })}
          choices={fitChoices}
        />
      )}
      {!raw && (
        <SelectField
          label="Webhook delivery"
          hideLabel
          className="w-36 max-lg:hidden"
          value={filters.webhookStatus ?? ''}
          onValue={(value) => change({ webhookStatus: chosen(value) })}
          choices={deliveryChoices}
        />
      )}
    </>
  )
}

function Chips({ address: { filters, change, clear }, sources, raw }: Props) {
  const set = filterNames.filter((name) => filters[name] !== undefined)
  if (set.length === 0) return null
  return (
    <ul aria-label="Filters in use" className="flex flex-wrap items-center gap-1.5">
      {set.map((name) => {
        const words = `${filterLabels[name]}: ${filterValue(name, filters, sources.nameOf)}`
        const isIdle = raw && !rawFilterNames.includes(name)
        return (
          <li key={name} className="max-w-full">
            <button
              type="button"
              onClick={() => change({ [name]: undefined })}
              aria-label={`Remove the filter ${words}${isIdle ? ' not for raw leads' : ''}`}
              className={cx(
                'inline-flex max-w-full items-center gap-1.5 rounded-full border border-line-strong bg-surface py-0.5',
                'pr-1.5 pl-2.5 text-[0.8125rem] hover:bg-sunken',
              )}
            >
              <span className={isIdle ? 'truncate text-muted line-through' : 'truncate'}>{words}</span>
              {isIdle && <span className="text-muted">not for raw leads</span>}
              <X aria-hidden="true" size={14} className="shrink-0" />
            </button>
          </li>
        )
      })}
      <li>
        <Button size="sm" variant="ghost" onClick={clear}>
          Clear all
        </Button>
      </li>
    </ul>
  )
}

/** Where the actions of the list shown go: beside the heading of the page, so that the list has the room. */
export const ActionsSlot = createContext<HTMLElement | null>(null)

function Conflicts({ address: { filters, change } }: { address: Address }) {
  return conflictsOf(filters).map((conflict) => (
    <Notice
      key={conflict.at}
      tone="warn"
      title="These filters contradict each other"
      action={
        <Button size="sm" onClick={() => change(Object.fromEntries(conflict.drop.map((name) => [name, undefined])))}>
          {conflict.mend}
        </Button>
      }
    >
      {conflict.words}
    </Notice>
  ))
}

export function FilterBar({ actions, ...props }: Props & { actions?: ReactNode }) {
  const [open, setOpen] = useState(false)
  const slot = useContext(ActionsSlot)
  const { filters, change } = props.address

  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {!props.raw && (
          <div className="min-w-40 flex-1 sm:max-w-60">
            <TextFilter
              label="Search by name"
              hideLabel
              icon
              placeholder="Search by name"
              value={filters.name}
              onValue={(name) => change({ name })}
            />
          </div>
        )}
        <Quick {...props} />
        <Button icon={SlidersHorizontal} onClick={() => setOpen(true)}>
          All filters
        </Button>
      </div>
      <Chips {...props} />
      {actions && slot && createPortal(actions, slot)}
      <Conflicts address={props.address} />
      <Drawer
        open={open}
        onClose={() => setOpen(false)}
        title="Filters"
        text="A lead is shown when all of them hold. The list follows at once."
        actions={
          <>
            <Button onClick={props.address.clear}>Clear all</Button>
            <Button variant="primary" onClick={() => setOpen(false)}>
              Show the list
            </Button>
          </>
        }
      >
        <FilterFields {...props} />
      </Drawer>
    </div>
  )
}
