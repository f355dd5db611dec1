import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { Check, Minus } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { cx } from './classes.ts'

/** Props of `Checkbox` and `Switch`. */
export type ToggleProps = {
  readonly checked: boolean
  readonly onChecked: (checked: boolean) => void
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** Keeps the label for screen readers only. */
  readonly hideLabel?: boolean
  readonly disabled?: boolean
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
  disabled = false,
  indeterminate = false,
  skipsTab = false,
}: ToggleProps): ReactNode {
  const id = useId()
  return (
    <Labelled id={id} label={label} hint={hint} hideLabel={hideLabel}>
      <BaseCheckbox.Root
        checked={checked}
        indeterminate={indeterminate}
        onCheckedChange={(next) => onChecked(next)}
        disabled={disabled}
        {...(skipsTab ? { tabIndex: -1 } : {})}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5 flex size-4.5 shrink-0 items-center justify-center rounded border border-line-strong bg-surface data-checked:border-accent data-checked:bg-accent data-indeterminate:border-accent data-indeterminate:bg-accent data-disabled:opacity-55"
      >
        <BaseCheckbox.Indicator className="text-accent-ink">
          {indeterminate ? (
            <Minus aria-hidden="true" size={14} strokeWidth={3} />
          ) : (
            <Check aria-hidden="true" size={14} strokeWidth={3} />
          )}
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
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
  disabled = false,
}: Omit<ToggleProps, 'indeterminate'>): ReactNode {
  const id = useId()
  return (
    <Labelled id={id} label={label} hint={hint} hideLabel={hideLabel}>
      <BaseSwitch.Root
        checked={checked}
        onCheckedChange={(next) => onChecked(next)}
        disabled={disabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="flex h-5 w-9 shrink-0 items-center rounded-full border border-line-strong bg-sunken p-0.5 data-checked:border-accent data-checked:bg-accent data-disabled:opacity-55"
      >
        <BaseSwitch.Thumb className="size-3.5 rounded-full bg-line-strong transition-transform data-checked:translate-x-4 data-checked:bg-accent-ink" />
      </BaseSwitch.Root>
    </Labelled>
  )
}
