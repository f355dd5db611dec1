import { hash32 } from './random.ts'
import { readMemberId } from './member-id.ts'

/** The author's code in 22 bits: exact for the population, a 20-bit hash for other authors. */
export type AuthorCode = { kind: 'person' | 'company'; exact: boolean; tag: number }

const SHARE_GAP = 89n << 22n
const TAG_MASK = 0xfffff

/** Packs time (milliseconds) and author (22 low bits) into a 19-digit activity number that grows with time. */
export function activityId(postedAtMs: number, code: AuthorCode): string {
  const kindBits = (code.exact ? 2 : 0) + (code.kind === 'company' ? 1 : 0)
  return String((BigInt(postedAtMs) << 22n) | BigInt(((code.tag & TAG_MASK) << 2) | kindBits))
}

/** Unpacks an activity number. */
export function readActivityId(id: string): { postedAtMs: number; code: AuthorCode } {
  const number = BigInt(id)
  const low = Number(number & 0x3fffffn)
  return {
    postedAtMs: Number(number >> 22n),
    code: { kind: low & 1 ? 'company' : 'person', exact: (low & 2) !== 0, tag: low >>> 2 },
  }
}

/** The code of an author: the population index, else a hash of the id. */
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

/** The number of the share (or ugcPost) behind an activity, which differs as on the real network. */
export function shareIdOf(id: string): string {
  return String(BigInt(id) - SHARE_GAP)
}

/** The inverse of `shareIdOf`. */
export function activityOfShare(shareId: string): string {
  return String(BigInt(shareId) + SHARE_GAP)
}
