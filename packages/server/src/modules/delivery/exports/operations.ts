/** Handlers of `/exports`, and the files behind links that need no key (DST-17). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readingHere, type Shards } from '../../../platform/db/shards.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { Vault } from '../../../platform/secrets.ts'
import type { Handlers } from '../../accounts/index.ts'
import { lockAccount } from '../../credits/index.ts'
import { areExcludedSince } from '../../leads/index.ts'
import { findExport, insertExport, readPart, type LeadExport } from './work.ts'

/** `origin` is the base URL of the service. */
type ExportParts = { readonly vault: Vault; readonly origin: () => string }

type At = { readonly db: Reader; readonly now: Date }

export const exportPath = '/exports'

const proofOf = (vault: Vault, teamId: string, id: string): Buffer =>
  createHmac('sha256', vault.derive('export-links')).update(`${teamId}|${id}`).digest()

const urlOf = ({ vault, origin }: ExportParts, teamId: string, { id, format }: LeadExport): string =>
  `${origin()}${exportPath}/${teamId}/${id}/${proofOf(vault, teamId, id).toString('base64url')}/leads.${format}`

/** Makes the handlers. */
export function exportOperations(parts: ExportParts) {
  const present = async ({ db, now }: At, teamId: string, id: string | null) => {
    const one = await findExport(db, teamId, id)
    if (!one || (one.expiresAt !== null && one.expiresAt <= now))
      return refuse('not_found', {}, 'No such export: its time may be over')
    return { ...one, url: one.state === 'done' ? urlOf(parts, teamId, one) : null, rows: one.rowCount }
  }
  return {
    createExport: ({ format, preset, filters }, { caller: { teamId }, unitOfWork }) =>
      unitOfWork(async (tx) => {
        // Waits for running erasures and exclusions, which lock or share the account, so that the file lacks their people.
        await lockAccount(tx, teamId)
        const asked = { format, preset: preset ?? null, filters: filters ?? [] }
        return present(tx, teamId, await insertExport(tx, teamId, asked))
      }),
    getExport: ({ id }, { caller: { teamId }, db, now }) => present({ db, now }, teamId, id),
  } satisfies Partial<Handlers>
}

export type ExportFile = {
  readonly format: LeadExport['format']
  readonly day: string
  /** Gzip members, to be concatenated. */
  readonly parts: AsyncGenerator<Buffer, void>
}

const shape = new RegExp(`^${exportPath}/([0-9a-f-]{36})/([0-9a-f-]{36})/([\\w-]{43})/leads\\.(?:csv|jsonl)$`)

/** Opens a link's file; null when unknown or expired. Refuses `export_outdated` when exclusions came after it (EXC-07). */
export async function openExport(
  { vault, shards, ...at }: Pick<ExportParts, 'vault'> & At & { readonly shards: Shards },
  path: string,
): Promise<ExportFile | null> {
  const [, teamId, id, proof] = shape.exec(path) ?? []
  if (teamId === undefined || id === undefined || proof === undefined) return null
  if (!timingSafeEqual(proofOf(vault, teamId, id), Buffer.from(proof, 'base64url'))) return null
  return shards.ofTeam(teamId, () => openFile(at, teamId, id))
}

async function openFile({ db, now }: At, teamId: string, id: string): Promise<ExportFile | null> {
  const one = await findExport(db, teamId, id)
  if (one?.state !== 'done' || one.expiresAt === null || one.expiresAt <= now) return null
  if (await areExcludedSince(db, teamId, one.createdAt)) return refuse('export_outdated')
  const parts = (async function* () {
    for (let number = 0; number < one.parts; number += 1) {
      const data = await readPart(db, { teamId, id, number })
      // Cuts the connection: a file that ended here would seem to be whole.
      if (data === undefined) throw new Error('an export was deleted while it was being read')
      yield data
    }
  })()
  return { format: one.format, day: one.createdAt.toISOString().slice(0, 10), parts: readingHere(parts) }
}
