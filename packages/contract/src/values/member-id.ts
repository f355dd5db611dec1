/**
 * Member ids, the network's ids of people: `AC`, a letter, `A`, then at least 30 base64url characters. Case matters: ids that
 * differ only in case belong to different people (G146).
 */
import { decodeFully } from './percent.ts'
import { withoutUnseen } from './text.ts'

const shape = 'AC[A-Za-z]A[A-Za-z0-9_-]{30,94}'
const whole = new RegExp(`^${shape}$`)
// Only where an address names the profile's owner: the parameter `rcm` of a shared link is the id of the person who shared it.
const within = new RegExp(`(?:^|[:(,\\s]|/in/|[?&]miniProfileUrn=|/profile/view\\?id=)(${shape})(?![A-Za-z0-9_-])`)
const personUrn = /^urn:li:(?:person|fsd?_[a-z_]*profile):/i

export const isMemberId = (text: string): boolean => whole.test(text)

/** The member id in a text that is one, bare or in a URN of a person or profile, perhaps percent-encoded; else null. */
export function readMemberId(text: string): string | null {
  const id = withoutUnseen(decodeFully(text.trim())).trim().replace(personUrn, '')
  return isMemberId(id) ? id : null
}

/** The first member id found in ids, URNs and profile addresses; null when there is none. */
export function memberIdIn(...candidates: readonly (string | null | undefined)[]): string | null {
  for (const candidate of candidates) {
    const found = candidate ? within.exec(withoutUnseen(decodeFully(candidate.trim()))) : null
    if (found) return found[1]!
  }
  return null
}
