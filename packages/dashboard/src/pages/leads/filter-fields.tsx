import type { ReactNode } from 'react'
import { Field, Input, Select, Switch } from '../../ui/index.ts'
import type { Address } from './address.ts'
import { chosen, chosenFlag, deliveryChoices, engagementChoices, fitChoices, kindChoices } from './choices.ts'
import { dayOf, endOf, startOf } from './days.ts'
import { conflictsOf, rawFilterNames, textFilters, type FilterName } from './filters.ts'
import type { Sources } from './sources.ts'
import { TextFilter } from './text-filter.tsx'
import { filterLabels } from './words.ts'

/** What each part of the form is given: which filters are offered, and why one contradicts another. */
type Part = {
  readonly address: Address
  readonly offered: (name: FilterName) => boolean
  readonly wrong: (name: FilterName) => string | undefined
}

/** Every filter of a list with its label; one that contradicts another says so beside itself. */
export function FilterFields({
  address,
  sources,
  raw,
}: {
  readonly address: Address
  readonly sources: Sources
  readonly raw: boolean
}): ReactNode {
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

/** Where a lead comes from: a source, and the kind of sources. */
function SourceFields({
  address: { filters, change },
  offered,
  wrong,
  sources,
}: Part & { readonly sources: Sources }): ReactNode {
  return (
    <>
      <Field label="Source" hint="One thing you track.">
        <Select
          value={filters.profileId ?? ''}
          onValue={(value) => change({ profileId: chosen(value) })}
          choices={sources.choices}
        />
      </Field>
      <TextFilter
        label="Source handle"
        value={filters.username}
        onValue={(username) => change({ username })}
        error={wrong('username')}
        hint="Another way to name one source: jane-doe"
      />
      {offered('sourceKind') && (
        <Field label="Kind of source" error={wrong('sourceKind')}>
          <Select
            value={filters.sourceKind ?? ''}
            onValue={(value) => change({ sourceKind: chosen(value) })}
            choices={kindChoices}
          />
        </Field>
      )}
    </>
  )
}

/** What a lead did, whether it fits, and whether it was delivered. */
function StateFields({ address: { filters, change }, offered }: Part): ReactNode {
  return (
    <>
      <Field label="Engagement">
        <Select
          value={filters.engagementType ?? ''}
          onValue={(value) => change({ engagementType: chosen(value) })}
          choices={engagementChoices}
        />
      </Field>
      {offered('isIcp') && (
        <Field label="Fit" hint="By the ideal customer profile of the source.">
          <Select
            value={filters.isIcp === undefined ? '' : String(filters.isIcp)}
            onValue={(value) => change({ isIcp: chosenFlag(value) })}
            choices={fitChoices}
          />
        </Field>
      )}
      {offered('webhookStatus') && (
        <Field label="Webhook delivery">
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

function DayFields({ address: { filters, change }, wrong }: Part): ReactNode {
  return (
    <>
      <Field label="Captured from">
        <Input
          type="date"
          value={dayOf(filters.since)}
          onChange={(event) => change({ since: startOf(event.target.value) })}
        />
      </Field>
      <Field label="Captured until" hint="The whole day counts." error={wrong('until')}>
        <Input
          type="date"
          value={dayOf(filters.until)}
          onChange={(event) => change({ until: endOf(event.target.value) })}
        />
      </Field>
    </>
  )
}

/** Leads of which sources are shown beside those that are tracked and whose sync is over. */
function ShownSources({ address: { filters, change }, offered }: Part): ReactNode {
  const isScoped = filters.profileId !== undefined || filters.username !== undefined
  return (
    <div className="flex flex-col gap-3 sm:col-span-2">
      {offered('includeSyncing') && (
        <Switch
          label="Show leads of sources that are syncing"
          hint={isScoped ? 'One source is always shown whole.' : 'Off: only sources whose sync is over.'}
          checked={isScoped || filters.includeSyncing !== false}
          reason={isScoped && 'One source is always shown whole.'}
          onChecked={(on) => change({ includeSyncing: on ? undefined : false })}
        />
      )}
      <Switch
        label="Show leads of sources no longer tracked"
        checked={filters.includeInactive === true}
        onChecked={(on) => change({ includeInactive: on ? true : undefined })}
      />
    </div>
  )
}
