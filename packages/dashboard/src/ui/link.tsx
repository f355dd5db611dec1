import { createLink } from '@tanstack/react-router'
import { ChevronLeft, Download } from 'lucide-react'
import type { AnchorHTMLAttributes } from 'react'
import { buttonClass, cx, type ButtonVariant } from './button.tsx'

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement>

export const LinkButton = createLink(
  ({ variant, size, className, ...rest }: AnchorProps & { variant?: ButtonVariant; size?: 'sm' | 'md' | 'lg' }) => (
    <a {...rest} className={cx(buttonClass(variant, size), className)} />
  ),
)

export const TextLink = createLink(({ className, ...rest }: AnchorProps) => (
  <a {...rest} className={cx('text-accent-text underline underline-offset-2', className)} />
))

export const NameLink = createLink(({ className, ...rest }: AnchorProps) => (
  <a {...rest} className={cx('font-medium break-words text-ink underline-offset-2 hover:underline', className)} />
))

/** A link above the heading to the list the page belongs to. */
export const BackLink = createLink(({ children, ...rest }: AnchorProps) => (
  <a {...rest} className="mb-1 inline-flex items-center gap-1 rounded text-sm text-muted hover:text-ink">
    <ChevronLeft aria-hidden="true" size={15} />
    {children}
  </a>
))

export const PrimaryLink = createLink(({ className, ...rest }: AnchorProps) => (
  <a {...rest} className={cx(buttonClass('primary'), className)} />
))

export function DownloadLink({ size = 'md', children, ...rest }: AnchorProps & { size?: 'sm' | 'md' }) {
  return (
    <a download {...rest} className={buttonClass('secondary', size)}>
      <Download aria-hidden="true" size={size === 'sm' ? 14 : 16} />
      {children}
    </a>
  )
}
