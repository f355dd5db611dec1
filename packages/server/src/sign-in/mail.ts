/** The plain-text mails of sign-in, sent through the configured mail server or else written to files in the data folder. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { refuseInsideUnit } from '../platform/db/unit-of-work.ts'
import type { Log } from '../platform/log.ts'
import type { Ids } from '../platform/random.ts'
import type { SystemClock } from '../platform/clock.ts'
import { cutText } from '../platform/text.ts'

export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

/** Sends a mail; throws inside a unit of work, since a mail must wait for the commit. */
export type SendMail = (mail: Mail) => Promise<void>

type MailParts = {
  readonly server: { readonly url: string; readonly from: string } | null
  readonly dataDir: string
  readonly ids: Ids
  readonly system: SystemClock
  readonly log: Log
}

const timeoutMs = 15_000

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** True for a mail server on this machine; any other must offer STARTTLS, or be `smtps:`. */
export const mayGoInTheClear = (url: string): boolean => loopback.test(new URL(url).hostname)

/** Without TLS, sign-in links could be read in transit. */
const noTls =
  'The mail server of LES_SMTP_URL offers no TLS, so nothing was sent: set smtps://… where it has a port for that (often 465), ' +
  'send by a mail server on this machine (smtp://127.0.0.1), or, where nobody can read on the way to it, add ?ignoreTLS=true'

/** Options go into the URL: Nodemailer ignores options beside one. */
function withOptions(given: string): string {
  const url = new URL(given)
  const options = {
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    requireTLS: !mayGoInTheClear(given),
  }
  for (const [name, value] of Object.entries(options)) url.searchParams.set(name, String(value))
  return url.href
}

/**
 * Opens the way out for mail. Nodemailer opens its own sockets, past `platform/egress`: allowed for the operator's one mail
 * server. The recipient is passed as data, not header text, so that it cannot add more recipients.
 */
export function openMail(parts: MailParts): { send: SendMail; close(): void } {
  if (parts.server === null) return { send: (mail) => writeMail(parts, mail), close: () => {} }
  const { url, from } = parts.server
  const transport = createTransport(withOptions(url))
  return {
    send: async ({ to, subject, text }) => {
      refuseInsideUnit('a mail')
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
      } catch (error) {
        throw (error as { code?: unknown }).code === 'ETLS' ? new Error(noTls, { cause: error }) : error
      }
    },
    close: () => transport.close(),
  }
}

/** Writes a mail to a file that only its user can read, and logs the file's name, never its content. */
async function writeMail({ dataDir, ids, system, log }: MailParts, { to, subject, text }: Mail): Promise<void> {
  refuseInsideUnit('a mail')
  const now = new Date(system.nowMs())
  const composed = await createTransport({ streamTransport: true, buffer: true, newline: 'windows' }).sendMail({
    from: 'Lead Engagement Service <no-reply@localhost>',
    to: { name: '', address: to },
    subject,
    text,
    date: now,
    messageId: `<${ids.uuid(now)}@localhost>`,
  })
  const folder = join(dataDir, 'mail')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = `${ids.uuid(now)}.eml`
  await writeFile(join(folder, name), composed.message as Buffer, { mode: 0o600, flag: 'wx' })
  log.info('a mail was written to the folder mail of the data folder', {
    file: name,
    because: 'LES_SMTP_URL is not set',
  })
}

/** The mail with the link that sets a new password, good for an hour. */
export const resetMail = (origin: string, to: string, token: string): Mail => ({
  to,
  subject: 'Set a new password',
  text:
    'Somebody, probably you, asked for a new password.\n\n' +
    `Set it here within one hour:\n${origin}/reset?token=${encodeURIComponent(token)}\n\n` +
    'If it was not you, do nothing: your password stays as it is.\n',
})

/** The mail with the link that proves an address, together with the account's password; good for a day. */
export const verificationMail = (origin: string, to: string, token: string): Mail => ({
  to,
  subject: 'Confirm your mail address',
  text:
    'Somebody, probably you, made an account for this address on the Lead Engagement Service.\n\n' +
    'Confirm it within a day, with the password you chose:\n' +
    `${origin}/sign-in?verify=${encodeURIComponent(token)}\n\n` +
    'If it was not you, do nothing: without this mail the account opens nothing.\n',
})

/** The mail to an address that already has an account, when somebody signs up with it. */
export const accountMail = (origin: string, to: string): Mail => ({
  to,
  subject: 'You have an account already',
  text:
    'Somebody, probably you, wanted to make an account for this address on the Lead Engagement Service. ' +
    'There is one.\n\n' +
    `Sign in: ${origin}/sign-in\n` +
    `Set a new password: ${origin}/forgot\n\n` +
    'If it was not you, do nothing: nothing has changed.\n',
})

export type MailedInvitation = {
  readonly to: string
  readonly teamName: string
  readonly invitedBy: string | null
  readonly token: string
}

/** The mail with the link into a team, good for 7 days and its address. `invitedBy` is a proven address; null: the operator. */
export const invitationMail = (origin: string, invitation: MailedInvitation): Mail => ({
  to: invitation.to,
  subject: 'You were invited to a team',
  text:
    `${oneLine(invitation.invitedBy ?? operatorWords)} invites you to the team "${oneLine(invitation.teamName)}" ` +
    'on the Lead Engagement Service.\n\n' +
    'Join within 7 days, signed in with this mail address:\n' +
    `${origin}/invite?token=${encodeURIComponent(invitation.token)}\n\n` +
    'If you do not know the sender, do nothing.\n',
})

/** The inviter when it is not a member. */
export const operatorWords = 'The operator of this service'

/** Typed text that cannot add lines or links, or reverse the words around it. */
const oneLine = (text: string): string =>
  cutText(
    text
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/:\/\//g, ': //'),
    200,
  )
