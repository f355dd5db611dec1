/** Mail that the service sends. */
import type { MailSettings } from './config.ts'
import { text, url, type Reading } from './reading.ts'

/** The mail server and the sender; both or neither. */
export function mail(reading: Reading): MailSettings | null {
  const server = url(reading, 'LES_SMTP_URL', ['smtp:', 'smtps:'])
  const from = text(reading, 'LES_MAIL_FROM')
  if (server !== undefined && from === undefined)
    reading.mistakes.push(
      'LES_SMTP_URL is set without LES_MAIL_FROM: say who mail comes from, for example Leads <leads@example.com>',
    )
  if (from !== undefined && !/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/.test(from))
    reading.mistakes.push('LES_MAIL_FROM must be a mail address, with or without a name: Leads <leads@example.com>')
  return server === undefined || from === undefined ? null : { url: server, from }
}
