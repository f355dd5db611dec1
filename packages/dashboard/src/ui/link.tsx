import { createLink } from '@tanstack/react-router'
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

/** Leads to what is to be done first. */
export const PrimaryLink = createLink(({ className, ...rest }: AnchorProps) => (
  <a {...rest} className={cx(buttonClass('primary'), className)} />
))
