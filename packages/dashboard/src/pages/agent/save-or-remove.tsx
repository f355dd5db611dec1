import type { ReactNode } from 'react'
import { RoleButton, type Reason } from '../../ui/index.ts'

/** The two acts below what an agent sends to: saving it and, where one is stored, taking it away. */
export function SaveOrRemove({
  busy,
  reason,
  save,
  remove,
  onSave,
  onRemove,
}: {
  readonly busy: boolean
  /** Why it cannot be saved now. */
  readonly reason: Reason
  /** What the buttons are called. */
  readonly save: string
  readonly remove: string
  readonly onSave: () => void
  /** Undefined: nothing is stored yet. */
  readonly onRemove: (() => void) | undefined
}): ReactNode {
  return (
    <div className="flex flex-wrap gap-2">
      <RoleButton needs="member" variant="primary" busy={busy} reason={reason} onClick={onSave}>
        {save}
      </RoleButton>
      {onRemove && (
        <RoleButton needs="member" busy={busy} onClick={onRemove}>
          {remove}
        </RoleButton>
      )}
    </div>
  )
}
