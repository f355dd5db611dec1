import {
  createContext,
  useContext,
  useId,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react'
import { cx } from './classes.ts'
import { useReason, type Reason } from './reason.tsx'

type Wired = { readonly id: string; readonly describedBy: string | undefined; readonly invalid: boolean }
const FieldContext = createContext<Wired | null>(null)

/** Props of `Field`. */
export type FieldProps = {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** What is wrong, in words; marks the control as invalid. */
  readonly error?: ReactNode
  /** Says "optional" beside the label. */
  readonly optional?: boolean
  /** Keeps the label for screen readers only. */
  readonly hideLabel?: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** A label, a hint and an error around one `Input`, `TextArea`, `Select`: wired to it by ids. */
export function Field({ label, hint, error, optional, hideLabel, className, children }: FieldProps): ReactNode {
  const id = useId()
  const hasHint = hint !== undefined && hint !== null && hint !== ''
  const hasError = error !== undefined && error !== null && error !== '' && error !== false
  const describedBy = [hasHint && `${id}-hint`, hasError && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      <label htmlFor={id} className={cx('text-sm font-medium', hideLabel && 'sr-only')}>
        {label}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      <FieldContext value={{ id, describedBy, invalid: hasError }}>{children}</FieldContext>
      {hasHint && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
          {hint}
        </p>
      )}
      {hasError && (
        <p id={`${id}-error`} role="alert" className="text-[0.8125rem] text-danger-text">
          {error}
        </p>
      )}
    </div>
  )
}

function useWired(given: {
  readonly id?: string | undefined
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid'?: unknown
  readonly reason?: Reason
}) {
  const wired = useContext(FieldContext)
  const { isOff, attributes, words } = useReason(given.reason, given['aria-describedby'] ?? wired?.describedBy)
  return {
    isOff,
    words,
    wiring: {
      ...attributes,
      id: given.id ?? wired?.id,
      'aria-invalid': wired?.invalid || given['aria-invalid'] === true || undefined,
    },
  }
}

type Explained = {
  /** Why it cannot be changed: it is greyed, can be read and copied, and says so. */
  readonly reason?: Reason
}

const control =
  'w-full rounded-md border border-line-strong bg-surface px-3 text-sm text-ink placeholder:text-muted ' +
  'aria-disabled:opacity-60 aria-invalid:border-danger pointer-coarse:min-h-11 pointer-coarse:text-base'

/** A line of text; inside a `Field` it has its label. */
export function Input({
  className,
  type = 'text',
  reason,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'disabled'> & Explained): ReactNode {
  const { isOff, wiring, words } = useWired({ ...rest, reason })
  const readOnly = isOff || rest.readOnly
  return (
    <>
      <input {...rest} {...wiring} readOnly={readOnly} type={type} className={cx(control, 'h-9', className)} />
      {words}
    </>
  )
}

/** Lines of text; inside a `Field` it has its label. */
export function TextArea({
  className,
  rows = 4,
  reason,
  ...rest
}: Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'disabled'> & Explained): ReactNode {
  const { isOff, wiring, words } = useWired({ ...rest, reason })
  const readOnly = isOff || rest.readOnly
  return (
    <>
      <textarea {...rest} {...wiring} readOnly={readOnly} rows={rows} className={cx(control, 'py-2', className)} />
      {words}
    </>
  )
}

/** One choice of a `Select`. */
export type Choice<V extends string = string> = {
  readonly value: V
  /** What it is called; of one that cannot be chosen also why. */
  readonly label: string
  readonly disabled?: boolean
}

/** Props of `Select`. */
export type SelectProps<V extends string> = Omit<
  SelectHTMLAttributes<HTMLSelectElement>,
  'onChange' | 'value' | 'children' | 'disabled'
> & {
  readonly value: V
  readonly onValue: (value: V) => void
  readonly choices: readonly Choice<V>[]
} & Explained

/** One of a few choices: the platform's own control, which every phone and screen reader knows. */
export function Select<V extends string>({
  value,
  onValue,
  choices,
  className,
  reason,
  ...rest
}: SelectProps<V>): ReactNode {
  const { isOff, wiring, words } = useWired({ ...rest, reason })
  // A list of the platform cannot be read-only: what would open it is kept from it, and Tab goes on.
  const keep = isOff
    ? {
        onMouseDown: (event: MouseEvent) => {
          event.preventDefault()
          ;(event.currentTarget as HTMLElement).focus()
        },
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== 'Tab' && event.key !== 'Escape') event.preventDefault()
        },
      }
    : {}
  return (
    <>
      <select
        {...rest}
        {...wiring}
        {...keep}
        value={value}
        onChange={(event) => !isOff && onValue(event.target.value as V)}
        className={cx(control, 'h-9 pr-2', className)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} disabled={choice.disabled}>
            {choice.label}
          </option>
        ))}
      </select>
      {words}
    </>
  )
}
