import type { LucideIcon } from 'lucide-react'
import { useId, type ButtonHTMLAttributes, type ReactNode } from 'react'
import { useTeam } from '../api/me.ts'

/** Joins class names, skipping empty values. */
export function cx(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

/** Why a control cannot be used, as a sentence; empty when it can. */
export type Reason = string | null | undefined | false

/** Attributes of a control with a possible reason, and the reason for screen readers; both always render in the same places. */
type Reasoned = {
  readonly isOff: boolean
  readonly attributes: {
    readonly 'aria-disabled': true | undefined
    readonly 'aria-describedby': string | undefined
    readonly 'data-tip': string | undefined
  }
  readonly words: ReactNode
}

/** Keeps a disabled control in the Tab order and shows its reason on focus, hover or touch. `describedBy`: other descriptions. */
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

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'

const looks: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover border-transparent',
  secondary: 'bg-surface text-ink border-line-strong hover:bg-sunken',
  ghost: 'bg-transparent text-ink border-transparent hover:bg-sunken',
  danger: 'bg-danger text-danger-ink hover:bg-danger-hover border-transparent',
}
const sizes = { sm: 'h-8 px-2.5 text-[0.8125rem]', md: 'h-9 px-3.5 text-sm', lg: 'h-11 px-5 text-base' }

export function buttonClass(variant: ButtonVariant = 'secondary', size: keyof typeof sizes = 'md'): string {
  return cx(
    'inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap select-none',
    'pointer-coarse:min-h-11 transition-colors no-underline [&_svg]:shrink-0',
    'aria-disabled:opacity-55 aria-disabled:cursor-not-allowed',
    looks[variant],
    sizes[size],
  )
}

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'title'> & {
  readonly variant?: ButtonVariant
  readonly size?: keyof typeof sizes
  /** Shows that work is under way and ignores clicks; keeps the focus. */
  readonly busy?: boolean
  /** Why it is disabled; it stays in the Tab order and says so. */
  readonly reason?: Reason
  readonly icon?: LucideIcon | undefined
  readonly iconSize?: number
  /** The tooltip; by default the reason. */
  readonly 'data-tip'?: string | undefined
}

export function Button({
  variant = 'secondary',
  size = 'md',
  busy = false,
  reason,
  icon: Icon,
  iconSize = size === 'sm' ? 14 : 16,
  children,
  className,
  onClick,
  type = 'button',
  'data-tip': tip,
  ...rest
}: ButtonProps) {
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
          Icon && <Icon aria-hidden="true" size={iconSize} />
        )}
        {children}
      </button>
      {words}
    </>
  )
}

type IconButtonProps = Omit<ButtonProps, 'icon' | 'children'> & {
  /** What it does: its accessible name and tooltip. */
  readonly label: string
  readonly icon: LucideIcon
  /** False for the close button of a window: it often has the focus, and Escape would close its tooltip first. */
  readonly tip?: boolean
}

export function IconButton({
  label,
  icon,
  iconSize = 16,
  tip = true,
  variant = 'ghost',
  size = 'md',
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Button
      {...rest}
      aria-label={label}
      data-tip={tip ? [label, rest.reason].filter(Boolean).join(': ') : undefined}
      variant={variant}
      size={size}
      icon={icon}
      iconSize={iconSize}
      className={cx('px-0! pointer-coarse:min-w-11', size === 'sm' ? 'w-8' : size === 'lg' ? 'w-11' : 'w-9', className)}
    />
  )
}

const who = {
  viewer: '',
  member: 'Only members and owners of the team may do this.',
  owner: 'Only owners of the team may do this.',
} as const

/** Why the viewer's role does not suffice, or null. */
export function useRefusal(role: keyof typeof who = 'member'): string | null {
  return useTeam().can(role) ? null : who[role]
}

/** A button for members, for owners alone, or for everybody; others see it disabled, with the reason. */
export function RoleButton({ needs, reason, ...rest }: ButtonProps & { needs?: keyof typeof who | undefined }) {
  return <Button {...rest} reason={useRefusal(needs) ?? reason} />
}
