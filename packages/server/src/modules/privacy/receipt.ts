/** Builds and signs the receipt of an erasure when it is read, because the state of told receivers changes. */
import type { erasure as erasureResource } from '@les/contract'
import type { z } from 'zod'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { hmacSha256, sha256, type Vault } from '../../platform/secrets.ts'
import { canonicalJson, readSigningSecret, readSigningSecrets } from '../accounts/index.ts'
import { listToldReceivers } from '../delivery/index.ts'
import type { Erasure } from './store.ts'

const keyIdDigits = 16

/** Erasures as answers show them, with receipts signed with the team's present signing secret (G47). */
export async function presentErasures(
  db: Reader,
  { vault, teamId, now }: { readonly vault: Vault; readonly teamId: string; readonly now: Date },
  erasures: readonly Erasure[],
): Promise<z.input<typeof erasureResource>[]> {
  if (erasures.length === 0) return []
  const { current } = await readSigningSecrets(db, { vault, teamId, now })
  const key = readSigningSecret(current)
  const keyId = sha256(key).toString('hex').slice(0, keyIdDigits)
  const told = await listToldReceivers(
    db,
    teamId,
    erasures.map(({ subjectHash }) => subjectHash.toString('hex')),
  )
  return erasures.map(({ id, personId, subjectHash: hash, reason, counts, notTold, erasedAt }) => {
    const subjectHash = hash.toString('hex')
    const receipt = {
      id,
      erasedAt: erasedAt.toISOString(),
      subjectHash,
      counts,
      toldDownstream: [...(told.get(subjectHash) ?? [])],
      notTold: [...notTold],
      keyId,
    }
    const signature = hmacSha256(key, canonicalJson(receipt)).toString('hex')
    return { id, state: 'completed', personId, reason, receipt: { ...receipt, signature } }
  })
}
