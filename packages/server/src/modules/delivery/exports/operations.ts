/** Handlers of `/exports`, and the file behind an address that needs no key (DST-17). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Answer, OperationOf } from '@les/contract'
import { readingHere, type Shards } from '../../../platform/db/shards.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { Vault } from '../../../platform/secrets.ts'
import type { Handlers } from '../../accounts/index.ts'
import { lockAccount } from '../../credits/index.ts'
import { areExcludedSince } from '../../leads/index.ts'
import { findExport, insertExport, readPart, type LeadExport } from './work.ts'

/** What exports need of the composition: `origin` is where the service is reached. */
export type ExportParts = { readonly vault: Vault; readonly origin: () => string }

/** Below which files are served. */
export const exportPath = '/exports'

/** What proves that an address was given out by us: nothing else opens a file. */
const proofOf = (vault: Vault, teamId: string, id: string): Buffer =>
  createHmac('sha256', vault.derive('export-links')).update(`${teamId}|${id}`).digest()

const urlOf = ({ vault, origin }: ExportParts, teamId: string, { id, format }: LeadExport): string =>
  `${origin()}${exportPath}/${teamId}/${id}/${proofOf(vault, teamId, id).toString('base64url')}/leads.${format}`

/** Makes the handlers. */
export function exportOperations(parts: ExportParts): Handlers<'createExport' | 'getExport'> {
  const present = async (
    { db, now }: { readonly db: Reader; readonly now: Date },
    teamId: string,
    id: string | null,
  ): Promise<Answer<OperationOf<'getExport'>>> => {
    const one = await findExport(db, teamId, id)
    if (!one || (one.expiresAt !== null && one.expiresAt <= now))
      return refuse('not_found', {}, 'No such export: its time may be over')
    return {
      id: one.id,
      state: one.state,
      url: one.state === 'done' ? urlOf(parts, teamId, one) : null,
      expiresAt: one.expiresAt?.toISOString() ?? null,
      rows: one.rowCount,
    }
  }
  return {
    createExport: ({ format, preset, filters }, { caller: { teamId }, unitOfWork }) =>
      unitOfWork(async (tx) => {
        // An erasure deletes every export there is, and who is being excluded is not in the file, which would be served for a day: all
        // that lock or share the account are over first.
        await lockAccount(tx, teamId)
        const asked = { format, preset: preset ?? null, filters: filters ?? [] }
        return present(tx, teamId, await insertExport(tx, teamId, asked))
      }),
    getExport: ({ id }, { caller: { teamId }, db, now }) => present({ db, now }, teamId, id),
  }
}

/** A file that may be served. */
export type ExportFile = {
  readonly format: LeadExport['format']
  readonly day: string
  /** Its parts, compressed, one behind the other. */
  readonly parts: AsyncGenerator<Buffer, void>
}

const shape = new RegExp(`^${exportPath}/([0-9a-f-]{36})/([0-9a-f-]{36})/([\\w-]{43})/leads\\.(?:csv|jsonl)$`)

/**
 * Opens the file of an address; null for any that we have not given out, or whose time is over. Refuses one in which somebody may be who
 * was excluded since it was made (EXC-07): nobody can take them out of it.
 */
export async function openExport(
  {
    vault,
    db,
    shards,
    now,
  }: Pick<ExportParts, 'vault'> & { readonly db: Reader; readonly shards: Shards; readonly now: Date },
  path: string,
): Promise<ExportFile | null> {
  const [, teamId, id, proof] = shape.exec(path) ?? []
  if (teamId === undefined || id === undefined || proof === undefined) return null
  if (!timingSafeEqual(proofOf(vault, teamId, id), Buffer.from(proof, 'base64url'))) return null
  return shards.ofTeam(teamId, () => openFile({ db, now }, teamId, id))
}

async function openFile(
  { db, now }: { readonly db: Reader; readonly now: Date },
  teamId: string,
  id: string,
): Promise<ExportFile | null> {
  const one = await findExport(db, teamId, id)
  if (one?.state !== 'done' || one.expiresAt === null || one.expiresAt <= now) return null
  if (await areExcludedSince(db, teamId, one.createdAt)) return refuse('export_outdated')
  const parts = (async function* () {
    for (let number = 0; ; number += 1) {
      const data = await readPart(db, { teamId, id, number })
      if (data === undefined) return
      yield data
    }
  })()
  return { format: one.format, day: one.createdAt.toISOString().slice(0, 10), parts: readingHere(parts) }
}
