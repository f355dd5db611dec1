/** The service's core as simulations run it: the modules that `compose` wires, without HTTP, queue and timers. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { operationsById, type OperationId } from '@les/contract'
import { validateInput } from '../../src/edge/input.ts'
import {
  changeTeam,
  clearCredential,
  createTeam,
  readCredential,
  readTeam,
  recordChange,
  storeCredential,
  teamIsServed,
  type TeamChange,
  type Caller,
  type Member,
} from '../../src/modules/accounts/index.ts'
import { moduleTasks } from '../../src/composition/tasks.ts'
import { agentOperations, agentScores, agentWork } from '../../src/modules/agent/index.ts'
import { captureStep, postReadOperations } from '../../src/modules/capture/index.ts'
import { closeAgentTrial, creditOperations, followStatus, openAccount, topUp } from '../../src/modules/credits/index.ts'
import { oneShard } from '../../src/platform/db/shards.ts'
import { erasersAbovePrivacy } from '../../src/composition/erasing.ts'
import { awaitErasure } from '../../src/composition/server.ts'
import { adapterOf } from '../../src/composition/destinations.ts'
import {
  deliverStep,
  deliveryOperations,
  destinationOperations,
  destinationWork,
  endDeliveries,
  exportOperations,
  exportWork,
} from '../../src/modules/delivery/index.ts'
import { exclusionOperations } from '../../src/modules/leads/index.ts'
import { eraseRecognised, privacyOperations } from '../../src/modules/privacy/index.ts'
import { recordStages, resultOperations } from '../../src/modules/results/index.ts'
import { platformCall } from '../../src/providers/destinations/http.ts'
import { discoverOperations, discoverWork } from '../../src/modules/discover/index.ts'
import {
  companyResolver,
  enrichJobStep,
  enrichmentOperations,
  enrichmentStep,
} from '../../src/modules/enrichment/index.ts'
import { jobOperations } from '../../src/modules/jobs/index.ts'
import { openBlockList, type PersonNamed } from '../../src/modules/network/index.ts'
import { keywordWork, searchOperations } from '../../src/modules/keywords/index.ts'
import { outreachOperations, outreachWork } from '../../src/modules/outreach/index.ts'
import { describeSources, sourceOperations } from '../../src/modules/sources/index.ts'
import type { SystemClock } from '../../src/platform/clock.ts'
import { guardOutsideUnits, makeUnitOfWork, refuseInsideUnit, type Tx } from '../../src/platform/db/unit-of-work.ts'
import type { Database } from '../../src/platform/db/schema.ts'
import type { Egress } from '../../src/platform/egress/index.ts'
import type { FaultPointHook } from '../../src/platform/faults.ts'
import type { Log } from '../../src/platform/log.ts'
import { ProviderFailure } from '../../src/providers/ports.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import { makeVault } from '../../src/platform/secrets.ts'
import type { Step } from '../../src/platform/work/index.ts'
import { addMember, findRole, peopleOperations } from '../../src/sign-in/index.ts'
import { seededIds, type Dice } from './chance.ts'
import { pass, watchedPool, type Rewrite, type Statement } from './machine.ts'
import type { Invented } from './network.ts'
import type { InventedPlatform } from './platform.ts'
import { inventJudge } from './search.ts'
import type { Receivers } from './receiver.ts'

/** Both times of the clock, in milliseconds. */
export type ClockTimes = { serviceMs: number; systemMs: number }

export const workKinds = [
  'capture',
  'keyword',
  'enrichment',
  'enrich_job',
  'delivery',
  'discover',
  'agent',
  'outreach',
  'due',
  'renewals',
  'holds',
  'export',
  'destination',
] as const

export type WorkKind = (typeof workKinds)[number]

/** A worker process; its steps share its id. */
export type Worker = { readonly name: string; readonly steps: Readonly<Record<WorkKind, Step>> }

/** The result of a call: an error key or the answer. */
export type Called = { refused: string } | { answer: Record<string, unknown> }

export type SimPerson = { readonly id: string; readonly email: string }

export type Core = {
  /** Changes that were made, and those with an unknown result because their process died. */
  readonly changes: { made: number; unsure: number }
  /** How many posts charged reads have returned to callers that were still alive. */
  readonly readPosts: { told: number }
  readonly invitations: { readonly to: string; readonly token: string }[]
  /** Makes a person who can sign in; with a team, as its member. */
  openPerson(person: SimPerson, of: { teamId: string; role: 'owner' | 'member' } | null): Promise<void>
  /** Calls an operation of the dashboard as a person; with a team, as its member. */
  callAs(person: SimPerson, operation: string, input: Record<string, unknown>, teamId?: string): Promise<Called>
  /** Stores or removes a third-party key, and reads it back. */
  setKey(teamId: string, kind: 'openai' | 'outreach', key: string | null): Promise<string | null>
  worker(name: string): Worker
  openTeam(settings: TeamChange & { name: string; allowance: number }): Promise<string>
  changeTeam(id: string, change: TeamChange): Promise<void>
  grant(teamId: string, amount: number, key: string): Promise<void>
  /** Calls an operation as the edge does; refused with `lapsed` if the edge rejects the team. */
  call(
    teamId: string,
    operation: OperationId,
    body: Record<string, unknown>,
    params?: Record<string, string>,
  ): Promise<Called>
}

/**
 * Shares credit accounts from a balance of `ample` on: histories' accounts are below the service's threshold, and concurrent
 * charges down to zero must be covered too.
 */
function sharedFrom(ample: number, statement: Statement): Statement {
  if (!/from credit_account .* granted - spent - held >= \$3 .* pg_advisory_xact_lock_shared/.test(statement.sql))
    return statement
  return { ...statement, params: statement.params.with(2, ample) }
}

/** Composes the core on a pool. */
export function openCore(parts: {
  pool: pg.Pool
  dice: Dice
  clockTimes: ClockTimes
  invented: Invented
  receivers: Receivers
  outreach: InventedPlatform
  /** The balance from which an account is shared; null: the service's own threshold. */
  ample: number | null
  log: Log
}): Core {
  const { clockTimes, dice, invented, log } = parts
  const rewrite: Rewrite = (statement) => (parts.ample === null ? statement : sharedFrom(parts.ample, statement))
  const bare = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: watchedPool(parts.pool, rewrite) as never }),
  })
  const db = bare.withPlugin(guardOutsideUnits)
  const ids = seededIds(dice.fork())
  const vault = makeVault(ids.bytes(32), (count) => ids.bytes(count))
  const serviceNow = async () => new Date(clockTimes.serviceMs)
  // A pause takes no time but lets pending I/O proceed; otherwise a loop that waits for it by pausing would never end.
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve))
  const system: SystemClock = {
    nowMs: () => clockTimes.systemMs,
    sleep: pause,
    expire: pause,
    every: () => () => {},
  }
  const faultPoint: FaultPointHook = (point) => pass('fault', point)
  const unitOfWork = makeUnitOfWork({
    db: bare,
    ids,
    serviceNow,
    wake: () => {},
    onEffectError: (error) => {
      throw error
    },
  })
  const egress: Egress = {
    request: (request) => {
      refuseInsideUnit('a network call')
      return parts.receivers.egress.request(request)
    },
    close: async () => {},
  }
  const { network } = invented
  const blockList = openBlockList(vault)
  const erasing = {
    blockList,
    faultPoint,
    ...erasersAbovePrivacy,
    forgetAnswers: async () => {},
    forgetInSandbox: () => {},
  }
  const judge = inventJudge(dice.fork(), () => invented.failing)
  const sharedBy = (processId: string) => ({
    db,
    unitOfWork,
    network,
    judge,
    system,
    faultPoint,
    processId,
    serviceNow,
    vault,
    blockList,
    eraseRecognised: (tx: Tx, teamId: string, person: PersonNamed) => eraseRecognised(tx, erasing, { teamId, person }),
    platform: parts.outreach.platform,
    scores: agentScores,
    log,
  })
  const asked = sharedBy(ids.uuid(new Date(clockTimes.systemMs)))
  const destinations = {
    ...asked,
    ids,
    adapterOf,
    recordStages,
    origin: () => null,
    callsOf: (_destination: unknown, now: Date) => ({
      call: platformCall(egress),
      baseUrl: 'https://hooks.slack.com',
      now,
    }),
    faultOfAddress: () => null,
    sampling: { db, vault, ids, egress, system, allowPrivate: false, serviceNow },
  }
  const invitations: Core['invitations'] = []
  const changes: Core['changes'] = { made: 0, unsure: 0 }
  type AnyHandler = (input: unknown, context: unknown) => Promise<unknown>
  const handlers = {
    ...creditOperations(describeSources),
    ...deliveryOperations({ vault, allowPrivate: false }),
    ...enrichmentOperations({ network, faultPoint, blockList }),
    ...jobOperations,
    ...sourceOperations({ endDeliveries }),
    ...searchOperations({ cutoverAt: null, blockList }),
    ...discoverOperations,
    ...agentOperations({ ...asked, enabled: true, allowPrivate: false, outreach: asked }),
    ...outreachOperations({ ...asked, resultsUrl: () => Promise.resolve(null) }),
    ...postReadOperations(asked),
    ...exclusionOperations({ namesErased: blockList.namesErased, awaitErasure }),
    ...exportOperations({ vault, origin: () => 'https://service.example.com' }),
    ...destinationOperations(destinations),
    ...resultOperations({ vault, ids, unitOfWork, blockList, publicOrigin: () => 'https://service.example.com' }),
    ...privacyOperations({
      ...asked,
      flushCalls: async () => {},
      ...erasing,
    }),
  } as unknown as Record<string, AnyHandler>
  const people = peopleOperations({
    vault,
    ids,
    signIn: { mailInvitation: ({ to, token }) => void invitations.push({ to, token }) },
    sandbox: true,
    isOperator: () => false,
    signUp: 'open',
    sampleRows: () => Promise.resolve(''),
    shards: oneShard,
  }) as unknown as Record<string, AnyHandler>
  const change = async (tx: Tx, id: string, wanted: TeamChange): Promise<void> => {
    const changed = await changeTeam(tx, id, wanted)
    if (!changed) throw new Error(`no team ${id}`)
    await followStatus(tx, id, { from: changed.before.status, to: changed.after.status })
    if (changed.after.status === 'active') await closeAgentTrial(tx, id)
  }
  /** Runs a handler as the edge does: a change and its audit entry commit in one unit of work. */
  const perform = async (
    handler: AnyHandler,
    about: { operation: string; read: boolean; judge: (answer: unknown) => void },
    caller: Partial<Caller>,
    given: { input: unknown; params: Record<string, unknown>; sent: Record<string, unknown> },
  ): Promise<Called> => {
    const told = !about.read && Boolean(caller.teamId)
    const settle = (work: (tx: Tx) => Promise<unknown>) =>
      unitOfWork(async (tx) => {
        const answer = await work(tx)
        if (answer instanceof Refusal) return answer
        about.judge(answer)
        if (told)
          await recordChange(tx, {
            caller: caller as Caller,
            operationId: about.operation,
            params: given.params,
            sent: given.sent,
            answer,
            namesErased: blockList.namesErased,
          })
        await faultPoint('handler')
        return answer
      })
    const by = told ? 1 : 0
    changes.unsure += by
    try {
      const answer = await handler(given.input, {
        caller,
        requestId: 'simulated',
        db,
        now: new Date(clockTimes.serviceMs),
        unitOfWork: settle,
        note: () => {},
      })
      changes.unsure -= by
      if (answer instanceof Refusal) return { refused: answer.key }
      changes.made += by
      if (about.read) about.judge(answer)
      return { answer: answer as Record<string, unknown> }
    } catch (error) {
      if (error instanceof Refusal || error instanceof ProviderFailure) changes.unsure -= by
      if (error instanceof Refusal) return { refused: error.key }
      throw error
    }
  }
  const standing = async (teamId: string) => {
    const team = await readTeam(db, teamId)
    if (!team) throw new Error(`no team ${teamId}`)
    const { plan, status, captureAllowed } = team
    return { team, caller: { teamId, plan, status, captureAllowed } }
  }
  const readPosts: Core['readPosts'] = { told: 0 }
  return {
    changes,
    invitations,
    readPosts,
    openPerson: ({ id, email }, of) =>
      unitOfWork(async (tx) => {
        await sql`insert into sign_in."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
          values (${id}, ${id}, ${email}, true, ${tx.now}, ${tx.now})`.execute(tx.db)
        if (of !== null) await addMember(tx, { userId: id, ...of })
      }),
    callAs: async ({ id, email }, operation, input, teamId) => {
      const role = teamId === undefined ? null : await findRole(db, id, teamId)
      if (teamId !== undefined && role === null) return { refused: 'not_found' }
      const user = { id, email, name: id, sessionId: id }
      const caller =
        teamId === undefined
          ? { user: user as Member }
          : { ...(await standing(teamId)).caller, keyId: '', user: { ...user, role: role! } }
      return perform(people[operation]!, { operation, read: false, judge: () => {} }, caller, {
        input,
        params: {},
        sent: input,
      })
    },
    setKey: async (teamId, kind, key) => {
      await unitOfWork(async (tx) => {
        if (key === null) await clearCredential(tx, teamId, kind)
        else await storeCredential(tx, { vault, teamId, kind, key })
        await faultPoint('handler')
      })
      return readCredential(db, { vault, teamId, kind })
    },
    worker: (name) => {
      const processId = ids.uuid(new Date(clockTimes.systemMs))
      const working = sharedBy(processId)
      const shared = { ...working, ids, companies: companyResolver(working) }
      const task =
        (...names: (keyof typeof moduleTasks)[]): Step =>
        async () => {
          let done = 0
          for (const each of names) done += await moduleTasks[each].run(shared)
          return done > 0 ? 'worked' : 'idle'
        }
      return {
        name,
        steps: {
          capture: captureStep(shared),
          keyword: keywordWork.step(shared),
          discover: discoverWork.step(shared),
          agent: agentWork.step(shared),
          outreach: outreachWork.step(shared),
          enrichment: enrichmentStep({ ...shared, atMost: 1 }),
          enrich_job: enrichJobStep(shared),
          delivery: deliverStep({
            ...shared,
            egress,
            random: dice,
            allowPrivate: false,
            singleBatchSize: 1,
          }),
          due: task('stop searches whose end has passed', 'open due syncs'),
          renewals: task('renew credit periods'),
          holds: task('release expired credit holds'),
          export: exportWork.step(shared),
          destination: destinationWork.step({ ...destinations, processId }),
        },
      }
    },
    openTeam: ({ allowance, ...settings }) =>
      unitOfWork(async (tx) => {
        const { team } = await createTeam(tx, { vault, ids }, settings)
        await openAccount(tx, team.id, { status: team.status, allowance })
        return team.id
      }),
    changeTeam: (id, wanted) => unitOfWork((tx) => change(tx, id, wanted)),
    grant: (teamId, amount, key) => unitOfWork((tx) => topUp(tx, teamId, { amount, key })),
    call: async (teamId, operation, body, params = {}) => {
      const { team, caller } = await standing(teamId)
      if (!teamIsServed(team, new Date(clockTimes.serviceMs))) return { refused: 'lapsed' }
      const about = operationsById[operation]
      let input: unknown
      try {
        input = validateInput(
          about,
          about.method === 'GET'
            ? { params, query: Object.entries(body).map(([field, value]) => [field, String(value)] as const), body: {} }
            : { params, query: [], body },
        )
      } catch (error) {
        if (error instanceof Refusal) return { refused: error.key }
        throw error
      }
      const called = await perform(
        handlers[operation]!,
        { operation, read: about.method === 'GET', judge: (answer) => void about.success.parse(answer) },
        { ...caller, keyId: teamId },
        { input, params, sent: body },
      )
      if ('answer' in called && Array.isArray(called.answer.posts)) readPosts.told += called.answer.posts.length
      return called
    },
  }
}

/** Whether a backend waits for another's lock. */
export async function isBlocked(pool: pg.Pool, pid: number): Promise<boolean> {
  const { rows } = await pool.query<{ blocked: boolean }>('select cardinality(pg_blocking_pids($1)) > 0 as blocked', [
    pid,
  ])
  return rows[0]!.blocked
}
