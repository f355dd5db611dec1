/** Handlers of results, and the URL the outreach platform posts to (RSL-01, RSL-02, RSL-04, RSL-07). */
import { readPersonName } from '@les/contract'
import type { Caller, Handlers } from '../accounts/index.ts'
import { shareAccount } from '../credits/index.ts'
import { nameAs, type BlockList } from '../network/index.ts'
import { findConnection, type OutreachDeps } from '../outreach/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { recordReported, type UnmatchedResult } from './actions.ts'
import { readSecret, writeSecret, type SecretParts } from './feed.ts'
import { nameIn, type PersonRef } from './people.ts'
import { readSuggestions } from './suggestions.ts'
import { readSummary } from './summary.ts'

/** The path for the platform's posts; it takes no API key, because the secret is in the URL. */
export const resultsPath = '/hooks/outreach'

/** What the URL is made of. */
export type AddressParts = SecretParts &
  Pick<OutreachDeps, 'unitOfWork'> & {
    readonly publicOrigin: () => string
  }

/** The URL of a connected team; null for viewers. */
type ReadAddress = (db: Reader, caller: Caller) => Promise<string | null>

const addressOf = ({ publicOrigin }: AddressParts, secret: string): string =>
  `${publicOrigin()}${resultsPath}/${secret}`

/** Makes `ReadAddress`; it creates the secret if the clock has not yet. */
export const readAddress =
  (parts: AddressParts): ReadAddress =>
  async (db, { teamId, user }) => {
    if (user?.role === 'viewer') return null
    const secret =
      (await readSecret(db, parts.vault, teamId)) ??
      (await parts.unitOfWork((tx) => writeSecret(tx, parts, { teamId, replace: false })))
    return secret === null ? null : addressOf(parts, secret)
  }

function namedOf(one: { readonly leadId?: string | undefined; readonly profileUrl?: string | undefined }): PersonRef {
  if (one.leadId !== undefined) return { leadId: one.leadId }
  const name = readPersonName(one.profileUrl ?? '')
  return name === null ? null : nameAs(name)
}

/** Removes the names of erased people, so that no exclusion entry stores them again. */
async function withoutErased(
  tx: Tx,
  { teamId, blockList }: { readonly teamId: string; readonly blockList: BlockList },
  reported: readonly UnmatchedResult[],
): Promise<UnmatchedResult[]> {
  const names = reported.map(({ named }) => nameIn(named))
  const blocked = await blockList.findBlocked(tx.db, teamId, names)
  return reported.map((one, place) => (blocked.has(names[place]!) ? { ...one, named: null } : one))
}

/** Makes the handlers. */
export function resultOperations(
  parts: AddressParts & { readonly blockList: BlockList },
): Handlers<'recordResults' | 'getResultsSummary' | 'listResultSuggestions' | 'rotateResultsSecret'> {
  return {
    recordResults: ({ results }, { caller: { teamId }, unitOfWork }) =>
      unitOfWork(async (tx) => {
        // Waits for a running erasure before anybody is looked up.
        await shareAccount(tx, teamId, 'team')
        const reported = results.map((one) => ({ ...one, named: namedOf(one), at: one.at ?? tx.now }))
        const named = await withoutErased(tx, { teamId, blockList: parts.blockList }, reported)
        const { notFound, ...counts } = await recordReported(tx, teamId, { origin: 'api', reported: named })
        return { ...counts, notFound: [...notFound] }
      }),
    getResultsSummary: (input, { caller: { teamId }, db }) => readSummary(db, teamId, input),
    listResultSuggestions: (_input, { caller: { teamId }, db }) => readSuggestions(db, teamId),
    rotateResultsSecret: (_input, { caller: { teamId }, unitOfWork }) =>
      unitOfWork(async (tx) => {
        if ((await findConnection(tx.db, teamId)) === undefined) return refuse('not_connected')
        return { resultsUrl: addressOf(parts, (await writeSecret(tx, parts, { teamId, replace: true }))!) }
      }),
  }
}
