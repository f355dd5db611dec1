import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Tooltip } from './tooltip.tsx'
import { cx } from './classes.ts'

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
    'inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap select-none pointer-coarse:min-h-11 transition-colors no-underline [&_svg]:shrink-0 disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55',
    looks[variant],
    sizes[size],
  )
}

/** Props of `Button`. */
export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly variant?: ButtonVariant
  readonly size?: keyof typeof sizes
  /** Shows that work is under way and takes no further clicks; focus stays. */
  readonly busy?: boolean
  readonly icon?: ReactNode
}

/** A button; `type` is `button` unless told otherwise. */
export function Button({
  variant = 'secondary',
  size = 'md',
  busy = false,
  icon,
  children,
  className,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
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
  const button = (
    <Button
      {...rest}
      aria-label={label}
      variant={variant}
      size={size}
      icon={icon}
      className={cx('px-0! pointer-coarse:min-w-11', size === 'sm' ? 'w-8' : size === 'lg' ? 'w-11' : 'w-9', className)}
    />
  )
  return tip ? <Tooltip text={label}>{button}</Tooltip> : button
}
