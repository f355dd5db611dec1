import type { ComponentProps, ReactNode } from 'react'
import { SelectField, type Choice } from './field.tsx'
import { RecordList, type RecordListProps } from './record-list.tsx'
import { Card } from './show.tsx'

type CardProps = Pick<ComponentProps<typeof Card>, 'title' | 'text' | 'actions' | 'children'>

export function ListCard<T extends object>(props: CardProps & RecordListProps<T>) {
  const { title, text, actions, children, ...list } = props
  return (
    <Card flush title={title} text={text} actions={actions}>
      {children}
      <RecordList {...list} />
    </Card>
  )
}

/** A filter of a list, kept in the address under `name`; `any` is its label when nothing is chosen. */
export type ListFilter<S> = {
  readonly name: keyof S & string
  readonly label: string
  readonly any: string
  readonly choices: readonly Choice[]
  readonly className?: string
}

type ListFiltersProps<S> = {
  address: { readonly search: S; readonly change: (patch: Partial<S>, how?: { replace?: boolean }) => void }
  filters: readonly ListFilter<S>[]
  /** Changes add no history entries. */
  replace?: boolean
  children?: ReactNode
}

export function ListFilters<S extends object>({ address, filters, replace = false, children }: ListFiltersProps<S>) {
  return (
    <div className="flex flex-wrap items-end gap-3 border-b border-line px-4 py-3">
      {filters.map(({ name, any, choices, ...field }) => (
        <SelectField
          key={name}
          {...field}
          value={(address.search[name] as string | undefined) ?? ''}
          onValue={(value) => address.change({ [name]: value || undefined } as Partial<S>, { replace })}
          choices={[{ value: '', label: any }, ...choices]}
        />
      ))}
      {children}
    </div>
  )
}
