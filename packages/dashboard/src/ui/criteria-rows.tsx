import type { ReactNode } from 'react'
import { Field, Select } from './field.tsx'
import { FilterRows, type FilterRowsProps } from './filter-rows.tsx'
import type { Reason } from './reason.tsx'
import { leadColumns, type EditedRow } from './filter-words.ts'

/** The criteria of a source or of a default: their rows and, where there are several, whether all of them or one is enough. */
export function CriteriaRows({
  rows,
  matchMode,
  onChange,
  errors,
  reason,
}: {
  readonly rows: readonly EditedRow[]
  readonly matchMode: 'all' | 'any'
  readonly onChange: (rows: readonly EditedRow[], matchMode: 'all' | 'any') => void
  /** What is wrong with a row, by its place. */
  readonly errors: NonNullable<FilterRowsProps['errors']>
  /** Why nothing can be changed. */
  readonly reason?: Reason
}): ReactNode {
  return (
    <>
      {rows.length > 1 && (
        <Field label="A lead fits when" className="max-w-xs">
          <Select
            value={matchMode}
            reason={reason}
            onValue={(mode) => onChange(rows, mode)}
            choices={[
              { value: 'all', label: 'every row matches' },
              { value: 'any', label: 'at least one row matches' },
            ]}
          />
        </Field>
      )}
      <FilterRows
        label="Criteria"
        columns={leadColumns}
        value={rows}
        onChange={(next) => onChange(next, matchMode)}
        errors={errors}
        reason={reason}
        empty="No criteria: nobody is judged, and every lead counts as a maybe."
        add="Add a criterion"
      />
    </>
  )
}
