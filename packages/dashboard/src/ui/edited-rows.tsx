import { Plus } from 'lucide-react'
import { Fragment, useState, type ReactNode } from 'react'
import { Button, type Reason } from './button.tsx'

type EditedRowsProps<R> = {
  readonly rows: readonly R[]
  readonly onRows: (rows: readonly R[]) => void
  readonly label?: string
  readonly row: (row: R, at: number, onRow: (row: R) => void, onRemove: () => void) => ReactNode
  readonly blank: R
  readonly add: string
  readonly max: number
  readonly reason?: Reason
}

export function EditedRows<R>({ rows, onRows, label, row, blank, add, max, reason }: EditedRowsProps<R>) {
  // Rows have no ids: new keys after a removal keep a row's text from moving to its neighbour.
  const [removals, setRemovals] = useState(0)
  const remove = (at: number) => {
    setRemovals(removals + 1)
    onRows(rows.toSpliced(at, 1))
  }
  const keyed = rows.map((each, at) => ({ key: `${removals}-${at}`, each, at }))
  return (
    <>
      {rows.length > 0 && (
        <ul className="flex flex-col gap-2" aria-label={label}>
          {keyed.map(({ key, each, at }) => (
            <Fragment key={key}>
              {row(
                each,
                at,
                (next) => onRows(rows.with(at, next)),
                () => remove(at),
              )}
            </Fragment>
          ))}
        </ul>
      )}
      <div>
        <Button
          size="sm"
          icon={Plus}
          reason={reason || (rows.length >= max && `At most ${max} rows.`)}
          onClick={() => onRows([...rows, blank])}
        >
          {add}
        </Button>
      </div>
    </>
  )
}
