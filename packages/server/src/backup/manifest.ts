/** What a backup says of itself: which schema it was taken from, and what every file of it holds. */
import { z } from 'zod'

/** The layout of the folder; a later one gets another number. */
export const format = 1

/** The file that describes a backup; written last, so a folder without it is no backup. */
export const manifestName = 'backup.json'

const table = z.object({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number(),
  file: z.string().regex(/^tables\/[\w.-]+$/),
  sha256: z.string(),
})

const manifest = z.object({
  format: z.literal(format, {
    error: 'was made by another version of the service, in a layout this one does not know',
  }),
  madeAt: z.string(),
  postgres: z.string(),
  /** Names of the migrations that the database had, in order. */
  migrations: z.array(z.string()).min(1),
  /** In an order in which each comes after those it refers to. */
  tables: z.array(table),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), value: z.number().nullable() })),
  masterKey: z.object({ fingerprint: z.string().nullable(), sealedIn: z.string().nullable() }),
})

/** A table of a backup. */
export type TableCopy = z.infer<typeof table>

/** A backup's description of itself. */
export type Manifest = z.infer<typeof manifest>

/** Reads a description; throws in words for one that is damaged or of another layout. */
export function readManifest(text: string): Manifest {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new Error(`${manifestName} is damaged: it is no JSON`)
  }
  const read = manifest.safeParse(given)
  if (read.success) return read.data
  throw new Error(
    `${manifestName} cannot be read: ${read.error.issues[0]!.path.join('.')} ${read.error.issues[0]!.message}`,
  )
}

/** A table, and the tables it refers to. */
export type Related = { readonly id: string; readonly refersTo: readonly string[] }

/** Orders tables so that each comes after those it refers to; throws when they refer to each other in a circle. */
export function inOrder(tables: readonly Related[]): string[] {
  const done = new Set<string>()
  const left = new Map(tables.map((each) => [each.id, each.refersTo.filter((other) => other !== each.id)]))
  while (left.size > 0) {
    const ready = [...left].filter(([, refersTo]) => refersTo.every((other) => done.has(other) || !left.has(other)))
    if (ready.length === 0)
      throw new Error(`these tables refer to each other in a circle: ${[...left.keys()].join(', ')}`)
    for (const [id] of ready) {
      done.add(id)
      left.delete(id)
    }
  }
  return [...done]
}
