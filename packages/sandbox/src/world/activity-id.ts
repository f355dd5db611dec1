import { hash32 } from './random.ts'
import { readMemberId } from './member-id.ts'

/** Who wrote a post, as far as 22 bits can say: exact for the population, a 20-bit hash for any other author. */
export type AuthorCode = { kind: 'person' | 'company'; exact: boolean; tag: number }

const SHARE_GAP = 89n << 22n
const TAG_MASK = 0xfffff

/** Packs a time and an author into a 19-digit activity number that grows with time (milliseconds, then 22 low bits). */
export function activityId(postedAtMs: number, code: AuthorCode): string {
  const kindBits = (code.exact ? 2 : 0) + (code.kind === 'company' ? 1 : 0)
  return String((BigInt(postedAtMs) << 22n) | BigInt(((code.tag & TAG_MASK) << 2) | kindBits))
}

/** Reads the time and the author's code back out of an activity number. */
export function readActivityId(id: string): { postedAtMs: number; code: AuthorCode } {
  const number = BigInt(id)
  const low = Number(number & 0x3fffffn)
  return {
    postedAtMs: Number(number >> 22n),
    code: { kind: low & 1 ? 'company' : 'person', exact: (low & 2) !== 0, tag: low >>> 2 },
  }
}

/** The code of an author: a population index is written as it is, anything else as a hash of its id. */
export function authorCode(kind: 'person' | 'company', id: string, companyIndex?: number): AuthorCode {
  if (kind === 'company') {
    return companyIndex === undefined
      ? { kind, exact: false, tag: hash32(id, 21) & TAG_MASK }
      : { kind, exact: true, tag: companyIndex }
  }
  const content = readMemberId(id)
  if (content && 'index' in content) return { kind, exact: true, tag: content.index }
  return { kind, exact: false, tag: hash32(id, 20) & TAG_MASK }
}

/** The number of the share (or ugcPost) behind an activity: another number, as on the real network. */
export function shareIdOf(id: string): string {
  return String(BigInt(id) - SHARE_GAP)
}

/** The activity number of a share or ugcPost number. */
export function activityOfShare(shareId: string): string {
  return String(BigInt(shareId) + SHARE_GAP)
}
