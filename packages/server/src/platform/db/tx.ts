/** What statements are made with: a `Reader` for reads, a `Tx` for writes. Types alone, named by units of work and the work engine. */
import type { Kysely, Transaction } from 'kysely'
import type { JobKind } from '../../job-catalog.ts'
import type { CounterName } from '../metrics.ts'
import type { Database } from './schema.ts'

/** What reads need; a root handle and a transaction both are one. */
export type Reader = Pick<Kysely<Database>, 'selectFrom' | 'selectNoFrom' | 'with' | 'getExecutor'>

/** A running unit of work. */
export type Tx = {
  readonly db: Transaction<Database>
  /** Service time, the same all through the unit. */
  readonly now: Date
  /** A new id, ordered by service time. */
  newId(): string
  /** Work of `kind` of that team is due, or will be: its workers are woken when, and only when, the unit commits. */
  enqueue(kind: JobKind, teamId: string): void
  /** The same for work that is given back: the team is to be looked at, but nobody need be woken for it. */
  mark(kind: JobKind, teamId: string): void
  /** The same for work of every kind: whether the team is served has changed. */
  markAll(teamId: string): void
  /** Somebody may no longer be contacted: what waits in memory to be sent is judged again, in every process. */
  judgeAgain(): void
  /** Runs after the commit; a failure there is logged, never undone. */
  afterCommit(effect: () => void): void
  /** Adds to a figure of the service when, and only when, the unit commits; `label` is a name of our own lists. */
  count(counter: CounterName, label: string, by?: number): void
}

/** Runs `work` in one transaction and gives back what it gives back; any throw undoes everything. */
export type UnitOfWork = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
