/** A stage for delivery tests: a real database and receiver, service time set by hand, system time that can be moved. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createTeam, type Caller, type ReadContext, type WriteContext } from '../../src/modules/accounts/index.ts'
import {
  deliveryOperations,
  deliverStep,
  offerLeads,
  pushOperations,
  settleCleared,
  type DeliveryDeps,
} from '../../src/modules/delivery/index.ts'
import { systemClock, type SystemClock } from '../../src/platform/clock.ts'
import { openGuardedEgress } from '../../src/platform/egress/index.ts'
import { makeUnitOfWork } from '../../src/platform/db/unit-of-work.ts'
import { ArmedFault, type FaultPoint } from '../../src/platform/faults.ts'
import { openLog } from '../../src/platform/log.ts'
import { machineIds } from '../../src/platform/random.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import { makeVault, sha256 } from '../../src/platform/secrets.ts'
import { freshDatabase } from '../world/database.ts'

/** A request that reached a receiver. */
export type ReceivedRequest = { readonly headers: IncomingHttpHeaders; readonly body: Buffer; readonly path: string }

/** A receiver of webhooks; `reply` decides each answer. */
export type Inbox = {
  readonly url: string
  readonly received: ReceivedRequest[]
  reply: (response: ServerResponse, count: number) => void
  close(): Promise<void>
}

/** Opens a receiver that answers 200. */
export async function openInbox(): Promise<Inbox> {
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks), path: request.url ?? '' })
      inbox.reply(response, received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const inbox: Inbox = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    reply: (response) => response.end('ok'),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return inbox
}

/** Answers with a status and headers. */
export const answer =
  (status: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body)

/** Holds all further requests: `arrived` resolves with the first, `answer` answers all of them. */
export function holdAnswers(inbox: Inbox): { arrived: Promise<void>; answer: (status: number) => void } {
  const arrived = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<number>()
  inbox.reply = (response) => {
    arrived.resolve()
    void answered.promise.then((status) => response.writeHead(status).end())
  }
  return { arrived: arrived.promise, answer: answered.resolve }
}

type Push = { readonly pushId: string; readonly queued: number }
type Progress = { readonly counts: Record<string, number>; readonly total: number; readonly finished: boolean }

type Webhook = {
  sourceId: string
  type: string
  username: string
  webhookUrl: string | null
  icpOnly: boolean
  autoSend: boolean
  syncEvents: boolean
  signingSecret?: string
}

export async function openStage() {
  const database = await freshDatabase()
  const ids = machineIds()
  const vault = makeVault(randomBytes(32), randomBytes)
  const nudged: string[] = []
  const judgeAgainListeners = new Set<() => void>()
  const armed = new Map<FaultPoint, number>()
  const state = { now: new Date('2026-11-02T08:00:00.000Z'), skewMs: 0, random: 0.5 }
  const system: SystemClock = { ...systemClock, nowMs: () => systemClock.nowMs() + state.skewMs }
  const unitOfWork = makeUnitOfWork({
    db: database.bare,
    ids,
    serviceNow: async () => state.now,
    wake: (kinds) => void nudged.push(...kinds),
    judgeAgain: () => {
      for (const each of judgeAgainListeners) each()
    },
    onEffectError: (error) => {
      throw error
    },
  })
  const egress = openGuardedEgress({ allowPrivate: true, system })
  const deps: DeliveryDeps = {
    db: database.root,
    unitOfWork,
    egress,
    vault,
    system,
    random: { next: () => state.random },
    faultPoint: async (point) => {
      const times = armed.get(point) ?? 0
      if (times === 0) return
      armed.set(point, times - 1)
      throw new ArmedFault(`armed fault: ${point}`)
    },
    allowPrivate: true,
    log: openLog('silent'),
    processId: ids.uuid(state.now),
    judgeAgainListeners,
    serviceNow: async () => state.now,
  }
  const handlers = deliveryOperations({ vault, allowPrivate: true })

  const makeTeam = async () =>
    unitOfWork(async (tx) => createTeam(tx, { vault, ids }, { name: 'Team', status: 'active' }))
  const made = await makeTeam()
  const teamId = made.team.id

  const makeSource = async (username: string, team = teamId, type = 'person'): Promise<string> => {
    const id = ids.uuid(state.now)
    await sql`insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads,
        created_at)
      values (${team}, ${id}, ${type}, ${username}, ${sha256(username)}, 'active', 'engagers', false, true,
          ${state.now})`.execute(database.root)
    return id
  }

  const makeLead = async (
    sourceId: string,
    over: { team?: string; webhookStatus?: string; enrichment?: string; isIcp?: boolean | null; name?: string } = {},
  ): Promise<string> => {
    const id = ids.uuid(state.now)
    const urn = `ACoA${id}`
    await sql`insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key,
        engagement_type, linkedin_url, name, company_name, enrichment, is_icp, webhook_status, created_at)
      values (${over.team ?? teamId}, ${id}, ${sourceId}, ${sourceId}, 'profile', ${urn}, ${`reaction:x:${urn}`},
          'Like', ${`https://www.linkedin.com/in/${id}`}, ${over.name ?? 'Zoë “Ünïcode” 李'}, 'Acme',
        ${over.enrichment ?? 'completed'}, ${over.isIcp ?? null}, ${over.webhookStatus ?? 'pending'},
        ${state.now})`.execute(database.root)
    return id
  }

  const caller = (team: string): Caller => ({
    teamId: team,
    keyId: ids.uuid(state.now),
    plan: 'paid',
    status: 'active',
    captureAllowed: true,
  })
  const context = (team: string): WriteContext<unknown> & ReadContext => ({
    caller: caller(team),
    requestId: 'request',
    db: database.root,
    now: state.now,
    note: () => {},
    unitOfWork: (async (work: (tx: never) => Promise<unknown>) =>
      unitOfWork(async (tx) => {
        const result = await work(tx as never)
        if (result instanceof Refusal) throw result
        return result
      })) as never,
  })

  const pushes = (small?: number) =>
    pushOperations({ faultPoint: async () => {}, ...(small === undefined ? {} : { small }) })

  // One delivery per step, so that tests see each separately.
  const step = deliverStep({ ...deps, singleBatchSize: 1 })
  const stage = {
    database,
    db: database.root,
    deps,
    state,
    armed,
    nudged,
    unitOfWork,
    system,
    vault,
    ids,
    teamId,
    makeTeam,
    makeSource,
    makeLead,
    put: (id: string, change: Record<string, unknown>, team = teamId) =>
      handlers.updateSourceWebhook({ id, ...change } as never, context(team) as never) as unknown as Promise<Webhook>,
    get: (id: string, team = teamId) =>
      handlers.getSourceWebhook({ id } as never, context(team)) as unknown as Promise<Webhook>,
    context,
    offer: (leadIds: readonly string[], team = teamId) => unitOfWork((tx) => offerLeads(tx, team, leadIds)),
    /** Pushes a source; above `small` leads it is queued in the background. */
    push: (id: string, body: Record<string, unknown> = {}, small?: number) =>
      pushes(small).pushSource({ id, ...body } as never, context(teamId) as never) as unknown as Promise<Push>,
    progress: (pushId: string) =>
      pushes().getPush({ pushId } as never, context(teamId)) as unknown as Promise<Progress>,
    detect: async (sourceId: string, over: Parameters<typeof makeLead>[1] = {}) => {
      const id = await makeLead(sourceId, over)
      await unitOfWork((tx) => offerLeads(tx, over.team ?? teamId, [id]))
      return id
    },
    step,
    /** Works until nothing is due; returns the number of units. */
    drain: async (work = step) => {
      let units = 0
      while ((await work()) === 'worked') {
        units += 1
        if (units > 500) throw new Error('no end in sight')
      }
      return units
    },
    /** Cancels what waited for cleared URLs, as the clock does. */
    settle: () => settleCleared(deps),
    advance: (ms: number) => {
      state.now = new Date(state.now.getTime() + ms)
    },
    delivery: async (leadId: string) =>
      (
        await sql<{
          id: string
          state: string
          attempts: number
          due_at: Date
          body: Buffer
          finished_at: Date | null
        }>`select *, case when state = 'pending' and lease_owner is not null then 'sending' else state end as state
          from delivery where lead_id = ${leadId}`.execute(database.root)
      ).rows[0],
    log: async (leadId: string) =>
      (
        await sql<{
          number: number
          at: Date
          status: number | null
          outcome: string
          elapsed_ms: number
          response: string | null
        }>`
        select a.* from delivery_attempt a join delivery d on d.team_id = a.team_id and d.id = a.delivery_id
        where d.lead_id = ${leadId} order by number`.execute(database.root)
      ).rows,
    leadStatus: async (leadId: string) =>
      (
        await sql<{ webhook_status: string }>`select webhook_status from lead where id = ${leadId}`.execute(
          database.root,
        )
      ).rows[0]?.webhook_status,
    webhook: async (ownerId: string) =>
      (
        await sql<{
          failing_since: Date | null
          disabled_at: Date | null
          disabled_reason: string | null
          url: string | null
        }>`select * from webhook where owner_id = ${ownerId}`.execute(database.root)
      ).rows[0],
    close: async () => {
      await egress.close()
      await database.drop()
    },
  }
  return stage
}

export type Stage = Awaited<ReturnType<typeof openStage>>

/** The refusal that a promise rejects with. */
export async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Refusal)) throw new Error('not refused', { cause: error })
  return error
}

/** Opens a stage and an inbox for a test file and passes both to `hear`. */
export function useStage(hear: (opened: { stage: Stage; inbox: Inbox }) => void): void {
  const opened: { stage?: Stage; inbox?: Inbox } = {}
  beforeAll(async () => {
    const [stage, inbox] = [await openStage(), await openInbox()]
    Object.assign(opened, { stage, inbox })
    hear({ stage, inbox })
  })
  afterAll(async () => {
    await opened.inbox?.close()
    await opened.stage?.close()
  })
}

/** The same, with a receiver and a source that sends to it for every test. */
export function useSources(prefix: string, hear: (opened: { stage: Stage; inbox: Inbox; id: string }) => void): void {
  const opened: { stage?: Stage; inbox?: Inbox; id?: string } = {}
  let made = 0
  beforeAll(async () => {
    opened.stage = await openStage()
  })
  beforeEach(async () => {
    const stage = opened.stage!
    const [inbox, id] = [await openInbox(), await stage.makeSource(`${prefix}-${++made}`)]
    await stage.put(id, { webhookUrl: inbox.url })
    Object.assign(opened, { inbox, id })
    hear({ stage, inbox, id })
  })
  afterEach(async () => {
    await opened.stage!.put(opened.id!, { webhookUrl: '' })
    await opened.stage!.settle()
    await opened.inbox!.close()
  })
  afterAll(() => opened.stage?.close())
}
