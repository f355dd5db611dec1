import type { Kysely } from 'kysely'
import type { SystemClock } from './clock.ts'
import type { Database } from './db/schema.ts'
import { queryValue } from './db/query.ts'
import type { Reader } from './db/unit-of-work.ts'

declare module './db/schema.ts' {
  interface Tables {
    service_clock: { only_row: boolean; now: Date }
  }
}

/** Service time: the machine's, or under `manual` one row shared by all processes (G118). */
export type ServiceClock = {
  readonly mode: 'system' | 'manual'
  now(db: Reader): Promise<Date>
  /** Returns the new instant of a manual clock, or null when `to` is in its past. */
  moveTo(db: Kysely<Database>, to: (now: Date) => Date): Promise<Date | null>
}

/** Follows the machine. */
export function systemServiceClock(system: SystemClock): ServiceClock {
  return { mode: 'system', now: async () => new Date(system.nowMs()), moveTo: async () => null }
}

/** Stands still between moves; starts at `start`, survives restarts. `alone`: no other process moves it, so it is cached. */
export async function manualServiceClock(
  db: Kysely<Database>,
  start: Date,
  options: { readonly alone?: boolean } = {},
): Promise<ServiceClock> {
  await db
    .insertInto('service_clock')
    .values({ only_row: true, now: start })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  let known: Date | undefined
  const now = async (reader: Reader): Promise<Date> => {
    if (options.alone && known) return new Date(known)
    known = (await queryValue<Date>(reader)`select now from service_clock`)!
    return known
  }
  return {
    mode: 'manual',
    now,
    moveTo: async (handle, to) => {
      const moved = await handle.transaction().execute(async (transaction) => {
        const current = (await queryValue<Date>(transaction)`select now from service_clock for update`)!
        const target = to(current)
        if (target < current) return null
        await transaction.updateTable('service_clock').set({ now: target }).execute()
        return target
      })
      if (moved) known = moved
      return moved
    },
  }
}
