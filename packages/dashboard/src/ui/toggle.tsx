import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { Check, Minus } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { cx } from './classes.ts'
import { useReason, type Reason } from './reason.tsx'

/** Props of `Checkbox` and `Switch`. */
export type ToggleProps = {
  readonly checked: boolean
  readonly onChecked: (checked: boolean) => void
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** Keeps the label for screen readers only. */
  readonly hideLabel?: boolean
  /** Why it cannot be changed. */
  readonly reason?: Reason
  /** Neither: some of what it stands for is chosen (checkbox only). */
  readonly indeterminate?: boolean
  /** Out of the order of Tab: the keys of the grid around it do the same (checkbox only). */
  readonly skipsTab?: boolean
}

function Labelled({
  id,
  label,
  hint,
  hideLabel,
  children,
}: {
  readonly id: string
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly hideLabel?: boolean | undefined
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="flex items-start gap-2.5">
      {children}
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
  )
}

/** A box to tick, with its label. */
export function Checkbox({
  checked,
  onChecked,
  label,
  hint,
  hideLabel,
  reason,
  indeterminate = false,
  skipsTab = false,
}: ToggleProps): ReactNode {
  const id = useId()
  const { isOff, attributes, words } = useReason(reason, hint ? `${id}-hint` : undefined)
  return (
    <Labelled id={id} label={label} hint={hint} hideLabel={hideLabel}>
      <BaseCheckbox.Root
        checked={checked}
        indeterminate={indeterminate}
        onCheckedChange={(next) => onChecked(next)}
        readOnly={isOff}
        {...(skipsTab ? { tabIndex: -1 } : {})}
        aria-labelledby={`${id}-label`}
        {...attributes}
        className={cx(
          'mt-0.5 flex size-4.5 shrink-0 items-center justify-center rounded border border-line-strong bg-surface',
          'data-checked:border-accent data-checked:bg-accent aria-disabled:opacity-55',
          'data-indeterminate:border-accent data-indeterminate:bg-accent',
        )}
      >
        <BaseCheckbox.Indicator className="text-accent-ink">
          {indeterminate ? (
            <Minus aria-hidden="true" size={14} strokeWidth={3} />
          ) : (
            <Check aria-hidden="true" size={14} strokeWidth={3} />
          )}
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      {words}
    </Labelled>
  )
}

/** Something that is on or off at once, with its label. */
export function Switch({
  checked,
  onChecked,
  label,
  hint,
  hideLabel,
  reason,
}: Omit<ToggleProps, 'indeterminate'>): ReactNode {
  const id = useId()
  const { isOff, attributes, words } = useReason(reason, hint ? `${id}-hint` : undefined)
  return (
    <Labelled id={id} label={label} hint={hint} hideLabel={hideLabel}>
      <BaseSwitch.Root
        checked={checked}
        onCheckedChange={(next) => onChecked(next)}
        readOnly={isOff}
        aria-labelledby={`${id}-label`}
        {...attributes}
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
      </BaseSwitch.Root>
      {words}
    </Labelled>
  )
}
