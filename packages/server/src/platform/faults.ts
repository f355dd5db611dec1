/**
 * Named places where a fault can be armed: a test arms one through the operator API, the next pass through the
 * place fails or kills the process. Off unless LES_FAULTS=1; then a pass costs one statement.
 */
import type { faultPoints } from '../fault-points.ts'

/** The name of a place. */
export type FaultPoint = keyof typeof faultPoints

/** What an armed place throws. It stands for a process that dies there, so nobody records it as a failure of the work. */
export class ArmedFault extends Error {
  override readonly name: string = 'ArmedFault'
}

/** Passes a place; throws when a failure is armed there, ends the process when a crash is. */
export type FaultPointHook = (point: FaultPoint) => Promise<void>

/** Arms a place for its next `times` passes; 0 disarms it. */
export type ArmFault = (point: FaultPoint, times: number, action: 'fail' | 'crash') => Promise<void>

/** The places of a process; what is armed is kept in a table, so that it reaches every process and outlives the one that dies of it. */
type Faults = { readonly faultPoint: FaultPointHook; readonly arm: ArmFault }

type Queries = { query(text: string, values: unknown[]): Promise<{ rows: { action: string }[] }> }

/**
 * Opens the places. Without a pool nothing is ever armed. The pool is not the one of units of work, so that the count survives a
 * rollback. `alone`: no other process arms anything, so that a pass through a place that was not armed here asks nobody.
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
