import type { Kysely, Transaction } from 'kysely'
import type { JobKind } from '../../job-catalog.ts'
import type { CounterName } from '../metrics.ts'
import type { Database } from './schema.ts'

/** For reads: the root handle or a transaction. */
export type Reader = Pick<Kysely<Database>, 'selectFrom' | 'selectNoFrom' | 'with' | 'getExecutor'>

export type Tx = {
  readonly db: Transaction<Database>
  /** Service time, constant within the unit. */
  readonly now: Date
  /** A new id, ordered by service time. */
  newId(): string
  /** Work of `kind` of that team is, or will be, due: marks the team, and nudges workers after the commit. */
  enqueue(kind: JobKind, teamId: string): void
  /** Like `enqueue` without a nudge, for work that is given back. */
  mark(kind: JobKind, teamId: string): void
  /** Marks all kinds of work: whether the team is served has changed. */
  markAll(teamId: string): void
  /** A person may no longer be contacted: after the commit, all processes check the sends in their memory again. */
  judgeAgain(): void
  /** Runs after the commit; its failure is logged and undoes nothing. */
  afterCommit(effect: () => void): void
  /** Adds to a counter after the commit; `label` is from our own lists. */
  count(counter: CounterName, label: string, by?: number): void
}

/** Runs `work` in one transaction and returns its result; any throw rolls back. */
export type UnitOfWork = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
