import { useState } from 'react'
import { followed, isSame } from './edited.ts'

/** What a form holds over what is stored. */
export type Edited<T> = {
  readonly value: T
  /** What `value` began with, by field. */
  readonly before: T
  readonly isEdited: boolean
  readonly change: (part: Partial<T>) => void
  /** To be called once `value`, as it is now, is stored; what has been edited since stays edited. */
  readonly saved: () => void
}

/**
 * A form over what is stored, which may change while it is edited, by somebody else or by its own save: fields that were left alone
 * follow, those that were edited stay as they are.
 */
export function useEdited<T extends object>(stored: T): Edited<T> {
  const [seen, setSeen] = useState(stored)
  const [{ before, value }, setForm] = useState({ before: stored, value: stored })
  if (!isSame(seen, stored)) {
    setSeen(stored)
    setForm((now) => ({ before: stored, value: followed(now.value, now.before, stored) }))
  }
  return {
    value,
    before,
    isEdited: !isSame(value, before),
    change: (part) => setForm((now) => ({ ...now, value: { ...now.value, ...part } })),
    saved: () => setForm((now) => ({ ...now, before: followed(value, before, now.before) })),
  }
}
