/**
 * The simulated machine: tasks instead of processes, and a place before every statement, vendor call, delivery and fault point where
 * a task can die, fall asleep or wait for its turn in a race.
 *
 *   alone   runs from place to place without waiting
 *   crash   dies at its n-th place: nothing it tries afterwards reaches the database, and its transaction is rolled back
 *   parked  stops at its n-th place outside a transaction until it is resumed, like a paused process
 *   race    several tasks, of which one runs at a time, from one place to the next; the seed decides which. PostgreSQL itself says
 *           which task waits for another's lock, so the same seed gives the same race
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleepTimer } from 'node:timers/promises'
import type pg from 'pg'
import { ArmedFault } from '../../src/platform/faults.ts'
import type { Dice } from './chance.ts'

/** The process died here; no code may catch this and continue. */
export class Crash extends ArmedFault {
  override readonly name: string = 'Crash'
}

/** A lease that a task has taken. */
export type Claim = {
  readonly table: 'sync' | 'job' | 'enrichment_task' | 'delivery' | 'discover_run' | 'outreach_rule' | 'outreach_batch'
  readonly teamId: string
  readonly id: string
  readonly fence: number
}

export type Place = 'fault' | 'statement' | 'committed' | 'network' | 'egress'

/** One thing running in one process. */
export type Task = {
  readonly name: string
  /** Dies at the place that brings `left` to 0. */
  crash: { readonly at: 'fault' | 'any'; left: number } | null
  /** Falls asleep at the place outside a transaction that brings `left` to 0. */
  park: { left: number } | null
  dead: boolean
  /** Its lease may have expired. */
  slept: boolean
  inTransaction: boolean
  pid: number | undefined
  race: Race | null
  claim: Claim | undefined
  onClaim: ((claim: Claim) => void) | undefined
  /** The places it passed, newest last; shown when a seed fails. */
  readonly places: string[]
  resume: (() => void) | undefined
  onParked: (() => void) | undefined
}

export const makeTask = (name: string): Task => ({
  name,
  crash: null,
  park: null,
  dead: false,
  slept: false,
  inTransaction: false,
  pid: undefined,
  race: null,
  claim: undefined,
  onClaim: undefined,
  places: [],
  resume: undefined,
  onParked: undefined,
})

/** The task of this asynchronous context. */
export const currentTask = new AsyncLocalStorage<Task>()

/** Passes a place in the current task. */
export async function pass(place: Place, about: string): Promise<void> {
  const task = currentTask.getStore()
  if (!task) return
  const label = about.replace(/\s+/g, ' ').trim().slice(0, 60)
  if (task.dead) throw new Crash(`${task.name} is dead`)
  task.places.push(place === 'statement' ? label : `${place} ${label}`)
  const counts = task.crash !== null && (task.crash.at === 'any' || place === 'fault')
  if (counts && --task.crash!.left <= 0) {
    task.dead = true
    throw new Crash(`${task.name} died at ${place} ${label}`)
  }
  if (task.park && !task.inTransaction && --task.park.left <= 0) {
    task.park = null
    task.slept = true
    task.places.push('-- asleep --')
    task.race?.leave(task)
    task.race = null
    await new Promise<void>((resolve) => {
      task.resume = resolve
      task.onParked?.()
    })
    task.resume = undefined
  }
  if (task.race) await task.race.turn(task)
}

type Member = {
  readonly task: Task
  state: 'ready' | 'running' | 'blocked' | 'done'
  /** Continuations waiting for the task's turn: several if it reads concurrently, as Discover does to look people up. */
  waiting: (() => void)[]
}

/** Lets tasks run one at a time, from place to place. */
export class Race {
  private readonly dice: Dice
  private readonly isBlocked: (pid: number) => Promise<boolean>
  private readonly members: Member[] = []
  private changed: (() => void) | undefined
  private released = false
  /** How often one task waited for a lock, and how often all did. */
  waits = 0
  deadlocks = 0
  constructor(dice: Dice, isBlocked: (pid: number) => Promise<boolean>) {
    this.dice = dice
    this.isBlocked = isBlocked
  }

  private notice(): void {
    this.changed?.()
  }

  private member(task: Task): Member {
    return this.members.find((member) => member.task === task)!
  }

  turn(task: Task): Promise<void> {
    const member = this.member(task)
    return new Promise((resolve) => {
      member.state = 'ready'
      member.waiting.push(resolve)
      this.notice()
    })
  }

  leave(task: Task): void {
    this.member(task).state = 'done'
    this.notice()
  }

  /** A transaction has ended: tasks that waited for its locks may continue. */
  locksReleased(): void {
    this.released = true
  }

  /** Runs the tasks to their ends; `start` must not reject. */
  async run(starts: readonly { readonly task: Task; readonly start: () => Promise<void> }[]): Promise<void> {
    for (const { task } of starts) {
      task.race = this
      this.members.push({ task, state: 'running', waiting: [] })
    }
    for (const { task, start } of starts) {
      void start().finally(() => {
        task.race = null
        this.member(task).state = 'done'
        this.notice()
      })
      // Each task reaches its first place before the next one starts.
      await this.settle(this.member(task))
    }
    let last: Member | undefined
    for (;;) {
      if (this.released) {
        this.released = false
        for (const member of this.members) if (member.state === 'blocked') member.state = 'running'
      }
      for (const member of this.members) await this.settle(member)
      if (this.released) continue
      const ready = this.members.filter((member) => member.state === 'ready')
      if (this.members.every((member) => member.state === 'done')) return
      if (ready.length === 0) {
        this.deadlocks += 1
        await sleepTimer(20)
        for (const member of this.members) if (member.state === 'blocked') member.state = 'running'
        continue
      }
      const next = last?.state === 'ready' && this.dice.random(0.4) ? last : this.dice.pick(ready)
      last = next
      next.state = 'running'
      for (const go of next.waiting.splice(0)) go()
    }
  }

  /** Waits until a running member reaches a place, is done, or waits for a lock. */
  private async settle(member: Member): Promise<void> {
    while (member.state === 'running') {
      const noticed = new Promise<'change'>((resolve) => {
        this.changed = () => resolve('change')
      })
      if ((member.state as Member['state']) !== 'running') return
      const timer = new AbortController()
      const first = await Promise.race([
        noticed,
        sleepTimer(4, 'late' as const, { signal: timer.signal }).catch(() => 'change' as const),
      ])
      timer.abort()
      if (first === 'change' || member.state !== 'running' || member.task.pid === undefined) continue
      if ((await this.isBlocked(member.task.pid)) && member.state === 'running') {
        member.state = 'blocked'
        this.waits += 1
      }
    }
  }
}

/** A statement before it is sent to the database. */
export type Statement = { readonly sql: string; readonly params: readonly unknown[] }

/** Changes statements before they are sent. */
export type Rewrite = (statement: Statement) => Statement

const claimed: readonly [RegExp, Claim['table']][] = (
  [
    ...(['sync', 'delivery', 'job', 'enrichment_task', 'discover_run', 'outreach_rule', 'outreach_batch'] as const).map(
      (table) => [table, new RegExp(`update "${table}" w set lease_owner = .* returning`, 's')] as const,
    ),
  ] as const
).map(([table, pattern]) => [pattern, table])

function noteClaim(task: Task, sql: string, rows: readonly Record<string, unknown>[]): void {
  const row = rows[0]
  const table = row && claimed.find(([pattern]) => pattern.test(sql))?.[1]
  if (!row || !table) return
  task.claim = {
    table,
    teamId: row.team_id as string,
    id: row._id as string,
    fence: row.fence as number,
  }
}

const told = new WeakSet<Claim>()

/** A lease counts when its transaction commits: a task that died earlier has taken nobody's lease. */
function tellClaim({ claim, onClaim }: Task): void {
  if (!claim || told.has(claim)) return
  told.add(claim)
  onClaim?.(claim)
}

const names = new Map<string, string>()

const lines = new Map<string, string>()

/** A statement without comments and line breaks: the patterns of claims would not match across lines. */
function oneLine(text: string): string {
  let line = lines.get(text)
  if (line === undefined) lines.set(text, (line = text.replaceAll(/^\s*--.*$/gm, '').replaceAll(/\s*\n\s*/g, ' ')))
  return line
}

/** A pool for Kysely whose statements pass places. */
export function watchedPool(pool: pg.Pool, rewrite: Rewrite) {
  const run = async (client: pg.PoolClient, text: string, params: readonly unknown[]): Promise<pg.QueryResult> => {
    const sql = oneLine(text)
    const task = currentTask.getStore()
    const statement = rewrite({ sql, params })
    if (!task) return client.query(statement.sql, [...statement.params])
    const ending = sql === 'commit' || sql === 'rollback'
    // A dead process sends no rollback: losing its connection rolls back.
    if (sql !== 'rollback') await pass('statement', sql)
    task.pid = (client as unknown as { processID: number }).processID
    // Prepared, since planning costs as much as running.
    const name = names.get(statement.sql) ?? `s${names.size}`
    names.set(statement.sql, name)
    const result = await client.query({ name, text: statement.sql, values: [...statement.params] })
    if (sql === 'begin') task.inTransaction = true
    else if (ending) {
      task.inTransaction = false
      if (sql === 'commit') tellClaim(task)
      task.race?.locksReleased()
      if (sql === 'commit') await pass('committed', '')
      else if (task.race && !task.dead) await task.race.turn(task)
    } else noteClaim(task, sql, result.rows)
    return result
  }
  return {
    options: {},
    connect: async () => {
      const client = await pool.connect()
      return {
        query: (sql: string, params: readonly unknown[] = []) => run(client, sql, params),
        release: () => client.release(),
      }
    },
    end: async () => {},
  }
}
