/**
 * Fault injection: a test arms a named point through the operator API, and the next pass through it fails or kills the process.
 * Off unless LES_FAULTS=1; then each pass costs one statement.
 */
import type { faultPoints } from '../fault-points.ts'

/** The name of a fault point. */
export type FaultPoint = keyof typeof faultPoints

/** Thrown at an armed point. It stands for a process that dies there, so it is never recorded as a failure of the work. */
export class ArmedFault extends Error {
  override readonly name: string = 'ArmedFault'
}

/** Passes a point: throws when a failure is armed there, ends the process when a crash is. */
export type FaultPointHook = (point: FaultPoint) => Promise<void>

/** Arms a point for its next `times` passes; 0 disarms it. */
export type ArmFault = (point: FaultPoint, times: number, action: 'fail' | 'crash') => Promise<void>

type Faults = { readonly faultPoint: FaultPointHook; readonly arm: ArmFault }

type Queries = { query(text: string, values: unknown[]): Promise<{ rows: { action: string }[] }> }

/**
 * Opens fault points; without `pool` nothing is ever armed. Armed faults live in a table, so they reach every process and outlive
 * a crash. `pool` must not be the pool of units of work: the count must survive a rollback. `alone`: no other process arms
 * faults, so points not armed here need no query.
 */
export function openFaults(
  pool: Queries | undefined,
  options: { readonly kill?: () => never; readonly alone?: boolean } = {},
): Faults {
  if (!pool) return { faultPoint: async () => {}, arm: async () => {} }
  const armedHere = new Set<FaultPoint>()
  return {
    faultPoint: async (point) => {
      if (options.alone && !armedHere.has(point)) return
      const { rows } = await pool.query(
        'update armed_fault set times = times - 1 where name = $1 and times > 0 returning action',
        [point],
      )
      if (rows.length === 0) {
        armedHere.delete(point)
        return
      }
      if (rows[0]!.action === 'crash') options.kill?.()
      throw new ArmedFault(`armed fault: ${point}`)
    },
    arm: async (point, times, action) => {
      armedHere.add(point)
      await pool.query(
        'insert into armed_fault (name, times, action) values ($1, $2, $3) on ' +
          'conflict (name) do update set times = excluded.times, action = excluded.action',
        [point, times, action],
      )
    },
  }
}
