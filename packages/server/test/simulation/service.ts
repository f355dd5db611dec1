/** The core of the service as a simulation runs it: the same modules as `compose` plugs together, without HTTP, queue and timers. */
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { operationsById, type OperationId } from '@les/contract'
import { validateInput } from '../../src/edge/input.ts'
import { changeTeam, createTeam, readTeam, teamIsServed, type TeamChange } from '../../src/modules/accounts/index.ts'
import { moduleTasks } from '../../src/composition/tasks.ts'
import { captureStep } from '../../src/modules/capture/index.ts'
import { creditOperations, followStatus, openAccount, topUp } from '../../src/modules/credits/index.ts'
import { deliverStep, deliveryOperations } from '../../src/modules/delivery/index.ts'
import { enrichJobStep, enrichmentOperations, enrichmentStep } from '../../src/modules/enrichment/index.ts'
import { jobOperations } from '../../src/modules/jobs/index.ts'
import { sourceOperations } from '../../src/modules/sources/index.ts'
import type { SystemClock } from '../../src/platform/clock.ts'
import { guardOutsideUnits, refuseInsideUnit } from '../../src/platform/db/guard.ts'
import type { Database } from '../../src/platform/db/schema.ts'
import { makeUnitOfWork, type Tx, type UnitOfWork } from '../../src/platform/db/unit-of-work.ts'
import type { Egress } from '../../src/platform/egress/index.ts'
import type { FaultPointHook } from '../../src/platform/faults.ts'
import type { Caller } from '../../src/platform/handler.ts'
import { openLog } from '../../src/platform/log.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import { makeVault } from '../../src/platform/secrets.ts'
import type { Step } from '../../src/platform/work/index.ts'
import { seededIds, type Dice } from './chance.ts'
import { pass, watchedPool, type Rewrite } from './machine.ts'
import type { Invented } from './network.ts'
import type { Receivers } from './receiver.ts'

/** The two hands of the clock. */
export type Hands = { serviceMs: number; systemMs: number }

/** Kinds of background work. */
export const workKinds = ['capture', 'enrichment', 'enrich_job', 'delivery', 'due', 'renewals'] as const

/** One of them. */
export type WorkKind = (typeof workKinds)[number]

/** A worker process: its steps share its id. */
export type Worker = { readonly name: string; readonly steps: Readonly<Record<WorkKind, Step>> }

/** Wrappers that a planted bug may put between the service and the outside. */
export type Seams = {
  readonly rewrite?: Rewrite | undefined
  readonly egress?: ((egress: Egress) => Egress) | undefined
  readonly unitOfWork?: ((unitOfWork: UnitOfWork) => UnitOfWork) | undefined
}

/** The composed core. */
export type Core = {
  worker(name: string): Worker
  openTeam(settings: TeamChange & { name: string; allowance: number }): Promise<string>
  changeTeam(id: string, change: TeamChange): Promise<void>
  grant(teamId: string, amount: number, key: string): Promise<void>
  /** Calls an operation as the edge would: 'refused:<key>', or its answer; `lapsed` when the edge turns the team away. */
  call(
    teamId: string,
    operation: OperationId,
    body: Record<string, unknown>,
    params?: Record<string, string>,
  ): Promise<{ refused: string } | { answer: Record<string, unknown> }>
}

const log = openLog('silent')

/** Composes the core on a pool. */
export function openCore(parts: {
  pool: pg.Pool
  dice: Dice
  hands: Hands
  invented: Invented
  receivers: Receivers
  seams: Seams
}): Core {
  const { hands, dice, invented, seams } = parts
  const bare = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: watchedPool(parts.pool, seams.rewrite) as never }),
  })
  const db = bare.withPlugin(guardOutsideUnits)
  const ids = seededIds(dice.fork())
  const vault = makeVault(ids.bytes(32), (count) => ids.bytes(count))
  const serviceNow = async () => new Date(hands.serviceMs)
  // A pause lasts no time, but what is under way outside goes on in it: else whoever waits for that in pauses would wait for ever.
  const system: SystemClock = {
    nowMs: () => hands.systemMs,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    every: () => () => {},
  }
  const faultPoint: FaultPointHook = (point) => pass('fault', point)
  const units = makeUnitOfWork({
    db: bare,
    ids,
    serviceNow,
    writeNudges: async () => {},
    wake: () => {},
    onEffectError: (error) => {
      throw error
    },
  })
  const unitOfWork = seams.unitOfWork?.(units) ?? units
  const outside = seams.egress?.(parts.receivers.egress) ?? parts.receivers.egress
  const egress: Egress = {
    request: (request) => {
      refuseInsideUnit('a network call')
      return outside.request(request)
    },
    close: async () => {},
  }
  const { network } = invented
  const handlers = {
    ...creditOperations,
    ...deliveryOperations({ vault, allowPrivate: false }),
    ...enrichmentOperations({ network, faultPoint }),
    ...jobOperations,
    ...sourceOperations,
  } as unknown as Record<string, (input: unknown, context: unknown) => Promise<unknown>>
  const change = async (tx: Tx, id: string, wanted: TeamChange): Promise<void> => {
    const changed = await changeTeam(tx, id, wanted)
    if (!changed) throw new Error(`no team ${id}`)
    await followStatus(tx, id, { from: changed.before.status, to: changed.after.status })
  }
  return {
    worker: (name) => {
      const owner = ids.uuid(new Date(hands.systemMs))
      const shared = { db, unitOfWork, network, system, faultPoint, owner, serviceNow }
      const task =
        (name: keyof typeof moduleTasks): Step =>
        async () =>
          (await moduleTasks[name].run({ ...shared, log })) > 0 ? 'worked' : 'idle'
      return {
        name,
        steps: {
          capture: captureStep(shared),
          enrichment: enrichmentStep({ ...shared, atMost: 1 }),
          enrich_job: enrichJobStep(shared),
          delivery: deliverStep({
            ...shared,
            egress,
            vault,
            random: dice,
            allowPrivate: false,
            log,
            newOwnerId: owner,
            atMost: 1,
          }),
          due: task('open due syncs'),
          renewals: task('renew credit periods'),
        },
      }
    },
    openTeam: ({ allowance, ...settings }) =>
      unitOfWork(async (tx) => {
        const { team } = await createTeam(tx, vault, ids, settings)
        await openAccount(tx, team.id, { status: team.status, allowance })
        return team.id
      }),
    changeTeam: (id, wanted) => unitOfWork((tx) => change(tx, id, wanted)),
    grant: (teamId, amount, key) => unitOfWork((tx) => topUp(tx, teamId, amount, key)),
    call: async (teamId, operation, body, params = {}) => {
      const team = await readTeam(db, teamId)
      if (!team) throw new Error(`no team ${teamId}`)
      if (!teamIsServed(team, new Date(hands.serviceMs))) return { refused: 'lapsed' }
      const caller: Caller = {
        teamId,
        keyId: teamId,
        plan: team.plan,
        status: team.status,
        captureAllowed: team.captureAllowed,
      }
      const about = operationsById[operation]
      try {
        const input = validateInput(about, { params, query: [], body })
        const settle = (work: (tx: Tx) => Promise<unknown>) =>
          unitOfWork(async (tx) => {
            const answer = await work(tx)
            if (!(answer instanceof Refusal)) about.success.parse(answer)
            await faultPoint('handler')
            return answer
          })
        const answer = await handlers[operation]!(input, {
          caller,
          requestId: 'simulated',
          db,
          now: new Date(hands.serviceMs),
          unitOfWork: settle,
        })
        if (answer instanceof Refusal) return { refused: answer.key }
        if (about.method === 'GET') about.success.parse(answer)
        return { answer: answer as Record<string, unknown> }
      } catch (error) {
        if (error instanceof Refusal) return { refused: error.key }
        throw error
      }
    },
  }
}

/** Whether a backend waits for a lock of another. */
export async function isBlocked(pool: pg.Pool, pid: number): Promise<boolean> {
  const { rows } = await pool.query<{ blocked: boolean }>('select cardinality(pg_blocking_pids($1)) > 0 as blocked', [
    pid,
  ])
  return rows[0]!.blocked
}
