import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { cx } from './classes.ts'
import { useReason, type Reason } from './reason.tsx'

/** What a button looks like. */
export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'

const looks: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover border-transparent',
  secondary: 'bg-surface text-ink border-line-strong hover:bg-sunken',
  ghost: 'bg-transparent text-ink border-transparent hover:bg-sunken',
  danger: 'bg-danger text-danger-ink hover:bg-danger-hover border-transparent',
}
const sizes = { sm: 'h-8 px-2.5 text-[0.8125rem]', md: 'h-9 px-3.5 text-sm', lg: 'h-11 px-5 text-base' }

/** The class names of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: keyof typeof sizes = 'md'): string {
  return cx(
    'inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap select-none',
    'pointer-coarse:min-h-11 transition-colors no-underline [&_svg]:shrink-0',
    'aria-disabled:opacity-55 aria-disabled:cursor-not-allowed',
    looks[variant],
    sizes[size],
  )
}

/** Props of `Button`. */
export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'title'> & {
  readonly variant?: ButtonVariant
  readonly size?: keyof typeof sizes
  /** Shows that work is under way and takes no further clicks; focus stays. */
  readonly busy?: boolean
  /** Why it cannot be pressed: it is greyed, stays in the order of Tab and says so. */
  readonly reason?: Reason
  readonly icon?: ReactNode
  /** Words shown beside it; the reason unless told otherwise. */
  readonly 'data-tip'?: string | undefined
}

/** A button; `type` is `button` unless told otherwise. */
export function Button({
  variant = 'secondary',
  size = 'md',
  busy = false,
  reason,
  icon,
  children,
  className,
  onClick,
  type = 'button',
  'data-tip': tip,
  ...rest
}: ButtonProps): ReactNode {
  const { isOff, attributes, words } = useReason(reason, rest['aria-describedby'])
  return (
    <>
      <button
        {...rest}
        {...attributes}
        data-tip={tip ?? attributes['data-tip']}
        type={type}
        data-primary={variant === 'primary' || undefined}
        aria-busy={busy || undefined}
        aria-disabled={busy || isOff || undefined}
        onClick={busy || isOff ? (event) => event.preventDefault() : onClick}
        className={cx(buttonClass(variant, size), className)}
      >
        {busy ? (
          <span
            aria-hidden="true"
            className="size-4 rounded-full border-2 border-current border-t-transparent animate-spin"
          />
        ) : (
          icon
        )}
        {children}
      </button>
      {words}
    </>
  )
}

/** Props of `IconButton`. */
export type IconButtonProps = Omit<ButtonProps, 'icon' | 'children'> & {
  /** What it does, in words: read out, and shown as a tooltip. */
  readonly label: string
  readonly icon: ReactNode
  /** False for the button that closes a window: it often has the focus, and Escape would close its tooltip first. */
  readonly tip?: boolean
}

/** A button that shows only an icon. */
export function IconButton({
  label,
  icon,
  tip = true,
  variant = 'ghost',
  size = 'md',
  className,
  ...rest
}: IconButtonProps): ReactNode {
  return (
    <Button
      {...rest}
      aria-label={label}
      data-tip={tip ? [label, rest.reason].filter(Boolean).join(': ') : undefined}
      variant={variant}
      size={size}
      icon={icon}
      className={cx('px-0! pointer-coarse:min-w-11', size === 'sm' ? 'w-8' : size === 'lg' ? 'w-11' : 'w-9', className)}
    />
  )
}
