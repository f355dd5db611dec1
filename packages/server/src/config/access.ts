/** Who may do what: operators, sign-up, and the contact for holes found. */
import type { Config } from './config.ts'
import { text, type Reading } from './reading.ts'

/** Mail addresses of the people who run the service, separated by commas; nobody unless some are named. */
export function operators(reading: Reading): string[] {
  const named = (text(reading, 'LES_OPERATORS') ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '')
  const wrong = named.filter((each) => !/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(each))
  if (wrong.length > 0)
    reading.mistakes.push(
      `LES_OPERATORS must name mail addresses such as ops@example.com, not ${wrong.map((each) => JSON.stringify(each)).join(', ')}`,
    )
  return named
}

// As long as the one that is made when none is set: whoever guesses it runs the service.
const leastTokenBytes = 24

/** The token of the operator's own surface; null when none is set. */
export function operatorToken(reading: Reading): string | null {
  const value = text(reading, 'LES_OPERATOR_TOKEN')
  if (value !== undefined && Buffer.byteLength(value) < leastTokenBytes)
    reading.mistakes.push(
      `LES_OPERATOR_TOKEN must be at least ${leastTokenBytes} bytes long, for example from \`openssl rand -base64 32\``,
    )
  return value ?? null
}

/** Where people write to who found a hole; a plain mail address is taken for one. */
export function securityContact(reading: Reading): string | null {
  const value = text(reading, 'LES_SECURITY_CONTACT')
  if (value === undefined) return null
  const uri = /^[^\s:/@]+@[^\s:/@]+$/.test(value) ? `mailto:${value}` : value
  if (/^(?:https:\/\/|mailto:)[\x21-\x7e]+$/.test(uri)) return uri
  reading.mistakes.push('LES_SECURITY_CONTACT must be a mail address or begin with https://')
  return null
}

const signUpPolicies = ['open', 'invited', 'off'] as const

/** Strangers sign up where credits are invented, and elsewhere only when that is asked for. */
export function signUp(reading: Reading, kind: Config['vendors']['kind']): Config['signUp'] {
  const policy = text(reading, 'LES_SIGN_UP') ?? (kind === 'sandbox' ? 'open' : 'invited')
  const known = signUpPolicies.find((each) => each === policy)
  if (known === undefined)
    reading.mistakes.push(`LES_SIGN_UP must be ${signUpPolicies.join(', ')}, not ${JSON.stringify(policy)}`)
  return known ?? 'off'
}
