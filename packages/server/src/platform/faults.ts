/** Named points where a test makes the service fail or die. Off unless LES_FAULTS=1; then a pass costs one statement. */
import type { faultPoints } from '../fault-points.ts'

export type FaultPoint = keyof typeof faultPoints

/** Stands for a process that died at the point, so it is never recorded as a failure of the work. */
export class ArmedFault extends Error {
  override readonly name: string = 'ArmedFault'
}

/** Passes a point: throws or ends the process when it is armed. */
export type FaultPointHook = (point: FaultPoint) => Promise<void>

/** Arms a point for its next `times` passes; 0 disarms it. */
export type ArmFault = (point: FaultPoint, times: number, action: 'fail' | 'crash') => Promise<void>

type Faults = { readonly faultPoint: FaultPointHook; readonly arm: ArmFault }

type Queries = { query(text: string, values: unknown[]): Promise<{ rows: { action: string }[] }> }

/**
 * Opens fault points; none without `pool`, whose count must survive a rollback (so not that of units of work). Armed points are
 * in a table, for all processes and after a crash; `alone`: only this process arms, so unarmed points need no query.
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
