import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { Check, Minus } from 'lucide-react'
import {
  createContext,
  useContext,
  useId,
  type ChangeEvent,
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { cx, useReason, type Reason } from './button.tsx'

type Wired = { readonly id: string; readonly describedBy: string | undefined; readonly invalid: boolean }
const FieldContext = createContext<Wired | null>(null)

type FieldProps = {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly error?: ReactNode
  readonly optional?: boolean | undefined
  readonly hideLabel?: boolean | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A label, hint and error around one control, connected by ids. */
export function Field({ label, hint, error, optional, hideLabel, className, children }: FieldProps) {
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
  id?: string | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: unknown
  reason?: Reason
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
  /** Why it cannot be changed; it can still be read and copied. */
  readonly reason?: Reason
}
type Unlocked<P> = Omit<P, 'disabled'> & Explained

const control =
  'w-full rounded-md border border-line-strong bg-surface px-3 text-sm text-ink placeholder:text-muted aria-disabled:opacity-60 aria-invalid:border-danger pointer-coarse:min-h-11 pointer-coarse:text-base'

/** A text input; inside a `Field` it has its label. */
export function Input({ className, type = 'text', reason, ...rest }: Unlocked<ComponentProps<'input'>>) {
  const { isOff, wiring, words } = useWired({ ...rest, reason })
  return (
    <>
      <input
        {...rest}
        {...wiring}
        readOnly={isOff || rest.readOnly}
        type={type}
        className={cx(control, 'h-9', className)}
      />
      {words}
    </>
  )
}

function TextArea({ className, reason, ...rest }: Unlocked<ComponentProps<'textarea'>>) {
  const { isOff, wiring, words } = useWired({ ...rest, reason })
  return (
    <>
      <textarea {...rest} {...wiring} readOnly={isOff || rest.readOnly} className={cx(control, 'py-2', className)} />
      {words}
    </>
  )
}

export type Choice<V extends string = string> = {
  readonly value: V
  /** Its name; for a disabled choice also the reason. */
  readonly label: string
  readonly disabled?: boolean
}

type SelectProps<V extends string> = Omit<Unlocked<ComponentProps<'select'>>, 'onChange' | 'value' | 'children'> & {
  readonly value: V
  readonly onValue: (value: V) => void
  readonly choices: readonly Choice<V>[]
}

/** A native select, which every phone and screen reader supports. */
export function Select<V extends string>({ value, onValue, choices, className, reason, ...rest }: SelectProps<V>) {
  const { isOff, wiring, words } = useWired({ ...rest, reason })
  // A native select cannot be read-only: the events that would open it are suppressed, and Tab still moves on.
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

type Labels = Pick<FieldProps, 'label' | 'hint' | 'error' | 'optional' | 'hideLabel' | 'className'> & {
  readonly controlClass?: string
}

function apart<P extends Labels>({ label, hint, error, optional, hideLabel, className, controlClass, ...rest }: P) {
  return {
    field: { label, hint, error, optional, hideLabel, className },
    control: { ...rest, className: controlClass },
  }
}

type TextFieldProps = Labels &
  Omit<Unlocked<ComponentProps<'input'>>, 'onChange' | 'ref'> & {
    rows?: number
    onValue?: (value: string) => void
  }

export function TextField({ rows, onValue, ...rest }: TextFieldProps) {
  const { field, control } = apart(rest)
  const onChange = (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onValue?.(event.target.value)
  return (
    <Field {...field}>
      {rows === undefined ? (
        <Input {...control} onChange={onChange} />
      ) : (
        <TextArea {...(control as Unlocked<ComponentProps<'textarea'>>)} rows={rows} onChange={onChange} />
      )}
    </Field>
  )
}

export function SelectField<V extends string>(props: Labels & Omit<SelectProps<V>, 'className'>) {
  const { field, control } = apart(props)
  return (
    <Field {...field}>
      <Select {...(control as SelectProps<V>)} />
    </Field>
  )
}

export const bound = <T, K extends keyof T>(form: T, change: (part: Partial<T>) => void, name: K) => ({
  value: form[name],
  onValue: (value: T[K]) => change({ [name]: value } as unknown as Partial<T>),
})

type ToggleProps = {
  readonly value: boolean
  readonly onValue: (value: boolean) => void
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly hideLabel?: boolean
  readonly reason?: Reason
  /** Only part of what it stands for is chosen (checkbox only). */
  readonly indeterminate?: boolean
  /** Not in the Tab order, since keys of the surrounding grid do the same (checkbox only). */
  readonly skipsTab?: boolean
}

/** What a checkbox and a switch share: their label, hint and reason, connected to the control by ids. */
function useToggle({ label, hint, hideLabel, reason, value, onValue }: ToggleProps) {
  const id = useId()
  const { isOff, attributes, words } = useReason(reason, hint ? `${id}-hint` : undefined)
  return {
    control: {
      checked: value,
      onCheckedChange: (next: boolean) => onValue(next),
      readOnly: isOff,
      'aria-labelledby': `${id}-label`,
      ...attributes,
    },
    labelled: (control: ReactNode) => (
      <div className="flex items-start gap-2.5">
        {control}
        {words}
        <div className={cx('min-w-0', hideLabel && 'sr-only')}>
          <span id={`${id}-label`} className="text-sm">
            {label}
          </span>
          {hint && (
            <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
              {hint}
            </p>
          )}
        </div>
      </div>
    ),
  }
}

export function Checkbox({ indeterminate = false, skipsTab = false, ...toggle }: ToggleProps) {
  const { control, labelled } = useToggle(toggle)
  const Mark = indeterminate ? Minus : Check
  return labelled(
    <BaseCheckbox.Root
      {...control}
      indeterminate={indeterminate}
      {...(skipsTab ? { tabIndex: -1 } : {})}
      className={cx(
        'mt-0.5 flex size-4.5 shrink-0 items-center justify-center rounded border border-line-strong bg-surface',
        'data-checked:border-accent data-checked:bg-accent aria-disabled:opacity-55',
        'data-indeterminate:border-accent data-indeterminate:bg-accent',
      )}
    >
      <BaseCheckbox.Indicator className="text-accent-ink">
        <Mark aria-hidden="true" size={14} strokeWidth={3} />
      </BaseCheckbox.Indicator>
    </BaseCheckbox.Root>,
  )
}

export function Switch(toggle: Omit<ToggleProps, 'indeterminate' | 'skipsTab'>) {
  const { control, labelled } = useToggle(toggle)
  return labelled(
    <BaseSwitch.Root
      {...control}
      className={cx(
        'flex h-5 w-9 shrink-0 items-center rounded-full border border-line-strong bg-sunken p-0.5',
        'data-checked:border-accent data-checked:bg-accent aria-disabled:opacity-55',
      )}
    >
      <BaseSwitch.Thumb
        className={cx(
          'size-3.5 rounded-full bg-line-strong transition-transform',
          'data-checked:translate-x-4 data-checked:bg-accent-ink',
        )}
      />
    </BaseSwitch.Root>,
  )
}
