/** Handlers of the privacy desk. */
import { isMemberId } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/secrets.ts'
import { ProviderFailure, type Network } from '../../providers/ports.ts'
import type { Handlers } from '../accounts/index.ts'
import { addObjection, nameOf } from '../leads/index.ts'
import { shareAccount } from '../credits/index.ts'
import {
  everyNameOf,
  findPersonByHandle,
  findPersonById,
  handleOnNetwork,
  memberIdOnNetwork,
  nameAs,
  type BlockList,
  type Named,
} from '../network/index.ts'
import { erasePerson, type ErasingDeps } from './erase.ts'
import { exportOf } from './export.ts'
import { presentErasures } from './receipt.ts'
import { searchPeople } from './search.ts'
import { findErasure, findErasureOfPerson, listErasures } from './store.ts'

/** What the handlers need. */
type PrivacyDeps = ErasingDeps & {
  readonly network: Network
  readonly vault: Vault
  /** Writes pending lines of the request log, so that none is written after the logs were searched. */
  readonly flushCalls: () => Promise<unknown>
}

/**
 * Names the person meant by a handle or member id. For a handle unknown to the team the network is asked for the member id, once
 * and free, so that both are recognised. Throws `ProviderFailure` when it does not answer; nothing is stored then.
 */
async function nameWhole(
  { network }: Pick<PrivacyDeps, 'network'>,
  { db, teamId, name }: { readonly db: Reader; readonly teamId: string; readonly name: string },
): Promise<Named> {
  if (isMemberId(name)) return withHandle({ network }, { db, teamId, urn: name })
  if (await findPersonByHandle(db, teamId, name)) return { handle: name }
  return { handle: name, urn: await memberIdOnNetwork(network, name) }
}

/** A member id with its handle, asked of the network when unknown: the person must be recognised by it, too. */
async function withHandle(
  { network }: Pick<PrivacyDeps, 'network'>,
  { db, teamId, urn }: { readonly db: Reader; readonly teamId: string; readonly urn: string },
): Promise<Named> {
  const { handles } = await everyNameOf(db, teamId, [{ urn }])
  return { urn, handle: handles[0] ?? (await handleOnNetwork(network, urn)) }
}

const noPerson = () => refuse('not_found', {}, 'No such person: find them with GET /privacy/people')
const noErasure = () => refuse('not_found', {}, 'No such erasure')

/** Refuses with `invalid_request` when one of the names is of an erased person. */
async function refuseErased(
  db: Reader,
  blockList: BlockList,
  teamId: string,
  names: Parameters<BlockList['erasureOf']>[2],
): Promise<void> {
  if ((await blockList.erasureOf(db, teamId, names)) !== undefined)
    refuse('invalid_request', {}, 'The team has had this person erased: nothing of them is kept or delivered')
}

/** The handlers of this module. */
export const privacyOperations = (
  deps: PrivacyDeps,
): Handlers<'searchPeople' | 'exportPerson' | 'createErasure' | 'createObjection' | 'listErasures' | 'getErasure'> => {
  const { vault, blockList } = deps
  return {
    searchPeople: async ({ query }, { caller, db }) => ({
      people: await searchPeople(db, { blockList, teamId: caller.teamId, query }),
    }),
    exportPerson: async ({ personId }, { caller, db, now }) =>
      (personId === null ? undefined : await exportOf(db, { teamId: caller.teamId, personId, now })) ?? noPerson(),
    createErasure: async ({ personId, profileUrl, reason }, { caller, db, unitOfWork }) => {
      const { teamId } = caller
      const named = await whom(deps, { db, teamId, personId, profileUrl })
      await deps.flushCalls()
      return unitOfWork(async (tx) => {
        const { erasure, repeated } =
          'erasure' in named
            ? { erasure: named.erasure, repeated: true }
            : await erasePerson(tx, deps, { teamId, named, reason: reason ?? null })
        const [presented] = await presentErasures(tx.db, { vault, teamId, now: tx.now }, [erasure])
        return { ...presented!, repeated }
      })
    },
    createObjection: async ({ profileUrl }, { caller, db, unitOfWork }) => {
      const { teamId } = caller
      await refuseErased(db, blockList, teamId, [nameAs(profileUrl)])
      // An objection takes effect even when the network does not answer, then only by the given name.
      const named = await nameWhole(deps, { db, teamId, name: profileUrl }).catch((error: unknown): Named => {
        if (error instanceof ProviderFailure) return nameAs(profileUrl)
        throw error
      })
      return unitOfWork(async (tx) => {
        // Waits for a running erasure; the person may also have been erased under the other name.
        await shareAccount(tx, teamId, 'team')
        await refuseErased(tx.db, blockList, teamId, [
          ...(named.urn === undefined ? [] : [{ urn: named.urn }]),
          ...(named.handle === undefined ? [] : [{ handle: named.handle }]),
        ])
        const { entry, repeated } = await addObjection(tx, {
          teamId,
          urn: named.urn ?? null,
          handle: named.handle ?? null,
          origin: caller.user ? 'dashboard' : 'api',
          createdBy: await nameOf(tx.db, caller),
        })
        return { ...entry, repeated }
      })
    },
    listErasures: async ({ limit, offset }, { caller, db, now }) => {
      const { rows, total } = await listErasures(db, caller.teamId, { limit, offset })
      const erasures = await presentErasures(db, { vault, teamId: caller.teamId, now }, rows)
      return { erasures, total, limit, offset, hasMore: offset + rows.length < total }
    },
    getErasure: async ({ id }, { caller, db, now }) => {
      const found = (id === null ? undefined : await findErasure(db, caller.teamId, id)) ?? noErasure()
      const [presented] = await presentErasures(db, { vault, teamId: caller.teamId, now }, [found])
      return presented!
    },
  }
}

/** The person a request means, or the earlier erasure of that id; of who is erased already the network is not asked. */
async function whom(
  deps: PrivacyDeps,
  {
    db,
    teamId,
    personId,
    profileUrl,
  }: {
    readonly db: Reader
    readonly teamId: string
    readonly personId: string | undefined
    readonly profileUrl: string | undefined
  },
) {
  if (personId !== undefined) {
    const erasure = await findErasureOfPerson(db, teamId, personId)
    if (erasure) return { erasure }
    const { urn, handle } = (await findPersonById(db, teamId, personId)) ?? noPerson()
    return handle === null ? withHandle(deps, { db, teamId, urn }) : { urn, handle }
  }
  const name = profileUrl!
  if ((await deps.blockList.erasureOf(db, teamId, [nameAs(name)])) !== undefined) return nameAs(name)
  return nameWhole(deps, { db, teamId, name })
}
