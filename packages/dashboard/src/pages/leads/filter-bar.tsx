import { cx } from '../../ui/index.ts'
import { SlidersHorizontal, X } from 'lucide-react'
import { createContext, useContext, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Button, Drawer, Field, Notice, Select } from '../../ui/index.ts'
import type { Address } from './address.ts'
import { chosen, chosenFlag, deliveryChoices, engagementChoices, fitChoices } from './choices.ts'
import { FilterFields } from './filter-fields.tsx'
import { conflictsOf, filterNames, rawFilterNames } from './filters.ts'
import type { Sources } from './sources.ts'
import { TextFilter } from './text-filter.tsx'
import { filterLabels, filterValue } from './words.ts'

/** Props of the parts of the filter bar. */
type Props = { readonly address: Address; readonly sources: Sources; readonly raw: boolean }

function Quick({ address: { filters, change }, sources, raw }: Props): ReactNode {
  return (
    <>
      <Field label="Source" hideLabel className="w-44 max-md:hidden">
        <Select
          value={filters.profileId ?? ''}
          onValue={(value) => change({ profileId: chosen(value) })}
          choices={sources.choices}
        />
      </Field>
      <Field label="Engagement" hideLabel className="w-40 max-md:hidden">
        <Select
          value={filters.engagementType ?? ''}
          onValue={(value) => change({ engagementType: chosen(value) })}
          choices={engagementChoices}
        />
      </Field>
      {!raw && (
        <Field label="Fit" hideLabel className="w-32 max-md:hidden">
          <Select
            value={filters.isIcp === undefined ? '' : String(filters.isIcp)}
            onValue={(value) => change({ isIcp: chosenFlag(value) })}
            choices={fitChoices}
          />
        </Field>
      )}
      {!raw && (
        <Field label="Webhook delivery" hideLabel className="w-36 max-lg:hidden">
          <Select
            value={filters.webhookStatus ?? ''}
            onValue={(value) => change({ webhookStatus: chosen(value) })}
            choices={deliveryChoices}
          />
        </Field>
      )}
    </>
  )
}

function Chips({ address: { filters, change, clear }, sources, raw }: Props): ReactNode {
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

/** Filters that contradict each other, each with the way out. */
function Conflicts({ address: { filters, change } }: { readonly address: Address }): ReactNode {
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

/** Filters above a list: those asked for most at hand, all of them in a panel, those in use as chips. */
export function FilterBar({ actions, ...props }: Props & { readonly actions?: ReactNode }): ReactNode {
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
        <Button icon={<SlidersHorizontal aria-hidden="true" size={16} />} onClick={() => setOpen(true)}>
          All filters
        </Button>
      </div>
      <Chips {...props} />
      {actions && slot && createPortal(actions, slot)}
      <Conflicts address={props.address} />
      <Drawer
        open={open}
        onOpen={setOpen}
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
