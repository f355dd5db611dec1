/** Trying a third party's key out before it is stored (DSH-02, DSH-03; AIF-02, OUT-01). Network: never inside a unit of work. */
import { AiFailure, type AiJudge } from '../../providers/ai/port.ts'
import { OutreachFailure, type OutreachPlatform } from '../../providers/outreach/port.ts'
import type { CredentialKind } from './secrets.ts'

/** Who can be asked about a key. */
export type KeyCheckers = {
  readonly judge: Pick<AiJudge, 'check'>
  readonly platform: Pick<OutreachPlatform, 'checkKey'>
}

/** What the third party says of a key; `unknown` when it gave no answer to that. */
export type KeyVerdict = 'good' | 'rejected' | 'unknown'

/** Asks the third party whether it takes a key, with the cheapest call it has. */
export async function tryKey({ judge, platform }: KeyCheckers, kind: CredentialKind, key: string): Promise<KeyVerdict> {
  try {
    await (kind === 'outreach' ? platform.checkKey(key) : judge.check(kind, key))
    return 'good'
  } catch (error) {
    if (error instanceof AiFailure) return error.kind === 'key' ? 'rejected' : 'unknown'
    if (error instanceof OutreachFailure) return error.kind === 'invalid_key' ? 'rejected' : 'unknown'
    throw error
  }
}
