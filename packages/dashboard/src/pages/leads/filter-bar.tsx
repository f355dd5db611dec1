import { Search as SearchIcon, SlidersHorizontal, X } from 'lucide-react'
import { createContext, useContext, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useRead } from '../../api/hooks.ts'
import { Button, cx } from '../../ui/button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { useTyped } from '../../ui/edited.ts'
import { Field, Input, SelectField, Switch, TextField } from '../../ui/field.tsx'
import { choicesOf } from '../../ui/form.tsx'
import { count, countOf } from '../../ui/format.ts'
import { Notice } from '../../ui/show.tsx'
import { useFirstWindow } from '../../ui/windows.ts'
import type { Address } from './address.ts'
import {
  conflictsOf,
  dayOf,
  endOf,
  filterNames,
  filterTable,
  filterValue,
  isScoped,
  startOf,
  textFilters,
  type FilterName,
  type Filters,
} from './filters.ts'
import type { Sources } from './lists.tsx'

type TextName = (typeof textFilters)[number] | 'username'

type TextFilterProps = { name: TextName; address: Address; quick?: boolean; error?: string | undefined }

/** A text filter, applied when typing pauses or at Enter; `quick`: above the list, without a label. */
function TextFilter({ name, address: { filters, change }, quick = false, error }: TextFilterProps) {
  const { typed, setTyped, sendNow } = useTyped(filters[name], (value) => change({ [name]: value }))
  const hint = name === 'username' ? 'Another way to name one source: jane-doe' : 'Any part of it'
  return (
    <Field
      label={quick ? 'Search by name' : filterTable[name].label}
      hideLabel={quick}
      error={error}
      hint={quick ? undefined : hint}
      className="min-w-0"
    >
      <span className="relative block">
        {quick && (
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
          {...(quick ? { placeholder: 'Search by name', className: 'pl-8' } : {})}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && sendNow()}
        />
      </span>
    </Field>
  )
}

type ChoiceName = 'profileId' | 'sourceKind' | 'engagementType' | 'isIcp' | 'webhookStatus' | 'excluded'

const hints: Readonly<Partial<Record<ChoiceName, string>>> = {
  profileId: 'One thing you track.',
  isIcp: 'By the ideal customer profile of the source.',
}

const quickChoices: readonly (readonly [ChoiceName, string])[] = [
  ['profileId', 'w-44 max-md:hidden'],
  ['engagementType', 'w-40 max-md:hidden'],
  ['isIcp', 'w-32 max-md:hidden'],
  ['webhookStatus', 'w-36 max-lg:hidden'],
]

type Props = { readonly address: Address; readonly sources: Sources; readonly raw: boolean }

type ChoiceFilterProps = Props & { name: ChoiceName; quick?: string; error?: string | undefined }

/** A filter with few values; `quick`: its classes above the list, where it has no label. */
function ChoiceFilter({ name, address: { filters, change }, sources, raw, quick, error }: ChoiceFilterProps) {
  const { label, values, isRaw = false } = filterTable[name]
  if (raw && !isRaw) return null
  const read = (value: string) => (value === '' ? undefined : name === 'isIcp' ? value === 'true' : value)
  return (
    <SelectField
      label={name === 'webhookStatus' ? 'Webhook delivery' : label}
      error={error}
      {...(quick === undefined ? { hint: hints[name] } : { hideLabel: true, className: quick })}
      value={String(filters[name] ?? '')}
      onValue={(value) => change({ [name]: read(value) })}
      choices={values === undefined ? sources.choices : choicesOf(values)}
    />
  )
}

function FilterFields(props: Props) {
  const { address, raw } = props
  const { filters, change } = address
  const conflicts = conflictsOf(filters)
  const wrong = (name: FilterName) => conflicts.find(({ at }) => at === name)?.words
  const isOne = isScoped(filters)
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <ChoiceFilter {...props} name="profileId" />
      <TextFilter name="username" address={address} error={wrong('username')} />
      <ChoiceFilter {...props} name="sourceKind" error={wrong('sourceKind')} />
      <ChoiceFilter {...props} name="engagementType" />
      <ChoiceFilter {...props} name="isIcp" />
      <ChoiceFilter {...props} name="webhookStatus" />
      <ChoiceFilter {...props} name="excluded" />
      {!raw && textFilters.map((name) => <TextFilter key={name} name={name} address={address} />)}
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
      <div className="flex flex-col gap-3 sm:col-span-2">
        {!raw && (
          <Switch
            label="Show leads of sources that are syncing"
            hint={isOne ? 'A single source is always shown in full.' : 'Off: only sources whose sync is over.'}
            value={isOne || filters.includeSyncing !== false}
            reason={isOne && 'A single source is always shown in full.'}
            onValue={(on) => change({ includeSyncing: on ? undefined : false })}
          />
        )}
        <Switch
          label="Show leads of sources no longer tracked"
          value={filters.includeInactive === true}
          onValue={(on) => change({ includeInactive: on ? true : undefined })}
        />
      </div>
    </div>
  )
}

export function InAll({ queryKey, filters }: { queryKey: readonly unknown[]; filters: Filters }) {
  const chosen = useFirstWindow(queryKey)
  const isFiltered = Object.keys(filters).length > 0
  const { data: all } = useRead(
    'listLeads',
    { includeSyncing: true, limit: 1 },
    { enabled: isFiltered, staleTime: 30_000 },
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

function Chips({ address: { filters, change, clear }, sources, raw }: Props) {
  const set = filterNames.filter((name) => filters[name] !== undefined)
  if (set.length === 0) return null
  return (
    <ul aria-label="Filters in use" className="flex flex-wrap items-center gap-1.5">
      {set.map((name) => {
        const words = `${filterTable[name].label}: ${filterValue(name, filters, sources.nameOf)}`
        const isIdle = raw && !filterTable[name].isRaw
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

/** The place next to the page's heading for the list's actions, which leaves the list more room. */
export const ActionsSlot = createContext<HTMLElement | null>(null)

export function FilterBar({ actions, ...props }: Props & { actions?: ReactNode }) {
  const [open, setOpen] = useState(false)
  const slot = useContext(ActionsSlot)
  const { filters, change, clear } = props.address
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        {!props.raw && (
          <div className="min-w-40 flex-1 sm:max-w-60">
            <TextFilter name="name" quick address={props.address} />
          </div>
        )}
        {quickChoices.map(([name, quick]) => (
          <ChoiceFilter key={name} {...props} name={name} quick={quick} />
        ))}
        <Button icon={SlidersHorizontal} onClick={() => setOpen(true)}>
          All filters
        </Button>
      </div>
      <Chips {...props} />
      {actions && slot && createPortal(actions, slot)}
      {conflictsOf(filters).map(({ at, words, drop, mend }) => (
        <Notice
          key={at}
          tone="warn"
          title="These filters contradict each other"
          action={
            <Button size="sm" onClick={() => change(Object.fromEntries(drop.map((name) => [name, undefined])))}>
              {mend}
            </Button>
          }
        >
          {words}
        </Notice>
      ))}
      <Drawer
        open={open}
        onClose={() => setOpen(false)}
        title="Filters"
        text="A lead is shown when it matches all of them. The list updates at once."
        actions={
          <>
            <Button onClick={clear}>Clear all</Button>
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
