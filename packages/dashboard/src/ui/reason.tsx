import { useId, type ReactNode } from 'react'

/** Why something cannot be used now, in a sentence; none: it can. */
export type Reason = string | null | undefined | false

/** The attributes of a control that may have a reason, and the reason for those who listen; both are always drawn in the same places. */
export type Reasoned = {
  readonly isOff: boolean
  readonly attributes: {
    readonly 'aria-disabled': true | undefined
    readonly 'aria-describedby': string | undefined
    readonly 'data-tip': string | undefined
  }
  readonly words: ReactNode
}

/**
 * Keeps a control that cannot be used in the order of Tab and says why: shown when it has the focus, is pointed at or touched, and
 * read out. `describedBy`: what describes it anyway.
 */
export function useReason(reason: Reason, describedBy?: string | undefined): Reasoned {
  const id = useId()
  const isOff = typeof reason === 'string' && reason !== ''
  return {
    isOff,
    attributes: {
      'aria-disabled': isOff || undefined,
      'aria-describedby': isOff ? [describedBy, id].filter(Boolean).join(' ') : describedBy,
      'data-tip': isOff ? reason : undefined,
    },
    words: isOff && (
      <span id={id} className="sr-only">
        {reason}
      </span>
    ),
  }
}
