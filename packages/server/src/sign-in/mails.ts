/** The mails that sign-in sends: plain text, one link each. */
import { cutText } from '../platform/text.ts'
import type { Mail } from './mail.ts'

/** The mail with the link that sets a new password; the link is good for an hour. */
export const resetMail = (origin: string, to: string, token: string): Mail => ({
  to,
  subject: 'Set a new password',
  text:
    'Somebody, probably you, asked for a new password.\n\n' +
    `Set it here within one hour:\n${origin}/reset?token=${encodeURIComponent(token)}\n\n` +
    'If it was not you, do nothing: your password stays as it is.\n',
})

/** The mail with the link that proves an address, together with the password of the account; good for a day. */
export const verificationMail = (origin: string, to: string, token: string): Mail => ({
  to,
  subject: 'Confirm your mail address',
  text:
    'Somebody, probably you, made an account for this address on the Lead Engagement Service.\n\n' +
    'Confirm it within a day, with the password you chose:\n' +
    `${origin}/sign-in?verify=${encodeURIComponent(token)}\n\n` +
    'If it was not you, do nothing: without this mail the account opens nothing.\n',
})

/** The mail to an address that has an account already when somebody signs up with it. */
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

/**
 * The mail with the link into a team; the link is good for 7 days and for the address it was sent to. Who invites is
 * told by their proven address; null: the operator.
 */
export const invitationMail = (
  origin: string,
  invitation: {
    readonly to: string
    readonly teamName: string
    readonly invitedBy: string | null
    readonly token: string
  },
): Mail => ({
  to: invitation.to,
  subject: 'You were invited to a team',
  text:
    `${oneLine(invitation.invitedBy ?? operatorWords)} invites you to the team "${oneLine(invitation.teamName)}" ` +
    'on the Lead Engagement Service.\n\n' +
    'Join within 7 days, signed in with this mail address:\n' +
    `${origin}/invite?token=${encodeURIComponent(invitation.token)}\n\n` +
    'If you do not know the sender, do nothing.\n',
})

/** Who invites when no member does. */
export const operatorWords = 'The operator of this service'

/** What people typed, so that it cannot add lines or links of its own, nor turn the words around it. */
const oneLine = (text: string): string =>
  cutText(
    text
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/:\/\//g, ': //'),
    200,
  )
