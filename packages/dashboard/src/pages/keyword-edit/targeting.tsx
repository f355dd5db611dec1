import type { ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { Card, Field, ListField, Select } from '../../ui/index.ts'
import { filters, type Change, type Draft } from './draft.ts'
import { PeopleField } from './people-field.tsx'
import { ages, contents, orders } from './words.ts'

/** Which posts count: their age, their kind, and who wrote or is mentioned in them. */
export function Targeting({ draft, onChange }: { readonly draft: Draft; readonly onChange: Change }): ReactNode {
  const used = filters.filter(({ name }) => draft.targeting[name].length > 0).length
  const set = (name: (typeof filters)[number]['name'], values: readonly string[]) =>
    onChange({ targeting: { ...draft.targeting, [name]: values } })
  return (
    <Card title="Which posts count">
      <div className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-3">
          <Field label="Posted in">
            <Select value={draft.datePosted} onValue={(datePosted) => onChange({ datePosted })} choices={ages} />
          </Field>
          <Field label="Kind of post">
            <Select value={draft.contentType} onValue={(contentType) => onChange({ contentType })} choices={contents} />
          </Field>
          <Field label="Order" hint="Kept; runs go by relevance for now.">
            <Select value={draft.sort} onValue={(sort) => onChange({ sort })} choices={orders} />
          </Field>
        </div>
        <details open={used > 0 || undefined}>
          <summary className="w-fit rounded text-sm font-medium">
            Authors and mentions{used > 0 ? ` (${used} set)` : ''}
          </summary>
          <div className="mt-3 grid gap-4 lg:grid-cols-2">
            {filters.map(({ name, label, takes, hint }) =>
              takes === 'person' ? (
                <PeopleField
                  key={name}
                  label={label}
                  hint={hint}
                  value={draft.targeting[name]}
                  onChange={(values) => set(name, values)}
                />
              ) : (
                <ListField
                  key={name}
                  label={label}
                  hint={hint}
                  optional
                  max={bounds.targetingValues}
                  value={draft.targeting[name]}
                  onChange={(values) => set(name, values)}
                />
              ),
            )}
          </div>
        </details>
      </div>
    </Card>
  )
}
