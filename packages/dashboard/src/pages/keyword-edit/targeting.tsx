import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { Card, Field, ListField, Select } from '../../ui/index.ts'
import { filters, type Change, type Draft } from './draft.ts'
import { PeopleField } from './people-field.tsx'
import { ages, contents, orders } from './words.ts'

type Name = (typeof filters)[number]['name']

/** Who wrote the posts, and who is mentioned in them. */
function Filters({ draft, onChange }: { readonly draft: Draft; readonly onChange: Change }): ReactNode {
  const set = (name: Name, values: readonly string[]) =>
    onChange((now) => ({ targeting: { ...now.targeting, [name]: values } }))
  const setLooking = (name: Name, on: boolean) =>
    onChange(({ looking }) => ({ looking: [...looking.filter((each) => each !== name), ...(on ? [name] : [])] }))
  return filters.map(({ name, label, takes, hint }) => {
    const list = { label, hint, value: draft.targeting[name] }
    const onValues = (values: readonly string[]) => set(name, values)
    return takes === 'person' ? (
      <PeopleField
        key={name}
        {...list}
        looking={draft.looking.includes(name)}
        onChange={onValues}
        onLooking={(on) => setLooking(name, on)}
      />
    ) : (
      <ListField key={name} {...list} optional max={bounds.targetingValues} onChange={onValues} />
    )
  })
}

/** Which posts count: their age, their kind, and who wrote or is mentioned in them. */
export function Targeting({ draft, onChange }: { readonly draft: Draft; readonly onChange: Change }): ReactNode {
  const used = filters.filter(({ name }) => draft.targeting[name].length > 0).length
  // Whoever takes the last value away goes on where they are.
  const [startsOpen] = useState(used > 0)
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
        <details open={startsOpen || undefined}>
          <summary className="w-fit rounded text-sm font-medium">
            Authors and mentions{used > 0 ? ` (${used} set)` : ''}
          </summary>
          <div className="mt-3 grid gap-4 lg:grid-cols-2">
            <Filters draft={draft} onChange={onChange} />
          </div>
        </details>
      </div>
    </Card>
  )
}
