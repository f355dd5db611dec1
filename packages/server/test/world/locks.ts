import type pg from 'pg'

/** How many connections wait for locks held by the connection with process id `pid`. */
export async function countWaiting(pool: pg.Pool, pid: number): Promise<number> {
  const { rowCount } = await pool.query('select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [pid])
  return rowCount!
}
