/** Nothing may be left of the erased person: in the rows of teams that had them erased, and in any line of the log. */
import { Writable } from 'node:stream'
import type pg from 'pg'
import { findPlaces } from '../world/places.ts'
import { canaryTexts } from './network.ts'

/** Teams that had the canary erased; histories erase nobody else. */
export async function teamsThatErased(pool: pg.Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>('select distinct team_id as id from erasure')
  return new Set(rows.map(({ id }) => id))
}

/** A stream that keeps the lines with one of these texts. */
export function listenFor(texts: readonly string[]): { readonly stream: Writable; readonly lines: readonly string[] } {
  const lines: string[] = []
  const wanted = texts.map((text) => text.toLowerCase())
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      const line = chunk.toString()
      if (wanted.some((text) => line.toLowerCase().includes(text))) lines.push(line.slice(0, 300))
      done()
    },
  })
  return { stream, lines }
}

/** Where the canary's texts still are. */
export async function findCanary(
  pool: pg.Pool,
  { erasedIn, logged }: { readonly erasedIn: ReadonlySet<string>; readonly logged: readonly string[] },
): Promise<string[]> {
  const places = erasedIn.size === 0 ? [] : await findPlaces(pool, canaryTexts, erasedIn)
  return [
    ...places.map((place) => `somebody who was erased is still there: ${place}`),
    ...logged.map((line) => `a person is named in the log: ${line}`),
  ]
}
