/**
 * Member ids, the network's own ids of people: `AC`, a letter, `A`, then at least 30 base64url characters. Case counts: two that
 * differ in it are two people. The one definition of the project (G146).
 */
import { decodeFully } from './percent.ts'
import { withoutUnseen } from './text.ts'

const shape = 'AC[A-Za-z]A[A-Za-z0-9_-]{30,94}'
const whole = new RegExp(`^${shape}$`)
// In an address only where it says whose profile it is: the parameter `rcm` of a shared link holds the id of the person who shared it.
const within = new RegExp(`(?:^|[:(,\\s]|/in/|[?&]miniProfileUrn=|/profile/view\\?id=)(${shape})(?![A-Za-z0-9_-])`)
const personUrn = /^urn:li:(?:person|fsd?_[a-z_]*profile):/i

export const isMemberId = (text: string): boolean => whole.test(text)

/** The member id that a text is: bare, or in the URN of a person or profile, percent-encoded or not; null for any other text. */
export function readMemberId(text: string): string | null {
  const id = withoutUnseen(decodeFully(text.trim())).trim().replace(personUrn, '')
  return isMemberId(id) ? id : null
}

/** The first member id found in ids, URNs and addresses of profiles, percent-encoded or not; null when none carries one. */
export function memberIdIn(...candidates: readonly (string | null | undefined)[]): string | null {
  for (const candidate of candidates) {
    const found = candidate ? within.exec(withoutUnseen(decodeFully(candidate.trim()))) : null
    if (found) return found[1]!
  }
  return null
}
