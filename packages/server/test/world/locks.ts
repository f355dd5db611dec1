/** Who waits for whom in the database of a test. */
import type pg from 'pg'

/** How many wait for what the connection with this process id has locked. */
export async function countWaiting(pool: pg.Pool, pid: number): Promise<number> {
  const { rowCount } = await pool.query('select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [pid])
  return rowCount!
}
