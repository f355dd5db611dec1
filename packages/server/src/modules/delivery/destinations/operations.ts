/** Handlers of `/destinations` (DST-01..DST-06, DST-15). The platform is asked before anything is stored. */
import { bounds, type FilterRow } from '@les/contract'
import { z } from 'zod'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { readFields } from '../../../platform/read-fields.ts'
import { refuse } from '../../../platform/refusal.ts'
import {
  DestinationFailure,
  type Check,
  type Connection,
  type DestinationAdapter,
  type MappingRow,
  type RecordOutcome,
} from '../../../providers/destinations/port.ts'
import type { Handlers } from '../../accounts/index.ts'
import { findActiveSource } from '../../sources/index.ts'
import { insertPush } from '../push/store.ts'
import { sampleDocument } from './documents.ts'
import { countDeliveries, findDelivery, pageOfDeliveries, presentDestination } from './present.ts'
import { sendSampleTo, type SampleDeps } from '../troubleshoot.ts'
import { countAsked, queueFor, retryDelivery } from './queue.ts'
import type { Kind } from './rules.ts'
import {
  deleteDestination,
  findDestination,
  insertDestination,
  listDestinations,
  lockDestination,
  sealCredentials,
  updateDestination,
  type Destination,
  type DestinationSettings,
} from './store.ts'
import {
  changeWebhook,
  presentSample,
  pushToWebhook,
  receiverOf,
  retryOfWebhook,
  webhookKind,
  type Checked,
} from './webhook.ts'
import { openConnection, type DestinationDeps } from './deps.ts'
import { dropReceiver, insertReceiver } from '../team-wide/receivers.ts'

type Ask = Pick<DestinationDeps, 'db' | 'unitOfWork' | 'vault' | 'callsOf' | 'adapterOf' | 'log'> & {
  readonly ids: { uuid(now: Date): string }
  readonly sampling: SampleDeps
  readonly faultOfAddress: (address: string) => string | null
}

/** Reads `settings` or `credentials` by the schema of the kind. */
const readPart = <T>(schema: z.ZodType<T>, part: 'settings' | 'credentials', value: unknown): T =>
  readFields(z.object({ [part]: schema }), { [part]: value ?? {} }, true)[part] as T

function refuseFailure({ trouble, message, missing }: DestinationFailure): never {
  if (trouble === 'auth_revoked') return refuse('credentials_rejected', {}, message)
  if (trouble === 'scope_missing') return refuse('scope_missing', { missing: [...missing] }, message)
  if (trouble === 'setup_missing' || trouble === 'plan' || trouble === 'request_refused')
    return refuse('destination_setup_missing', { missing: [...missing] }, message)
  return refuse('destination_unavailable', {}, message)
}

async function ask<T>(asked: () => Promise<T>): Promise<T> {
  try {
    return await asked()
  } catch (error) {
    if (error instanceof DestinationFailure) return refuseFailure(error)
    throw error
  }
}

type Opened<Adapter = Checked> = {
  readonly destination: Destination
  readonly adapter: Adapter
  readonly connection: Connection
}

async function checkAndPrepare(deps: Ask, { destination, adapter, connection }: Opened, now: Date): Promise<Check> {
  const address = adapter.customerAddress?.(connection.settings) ?? null
  const fault = address === null ? null : deps.faultOfAddress(address)
  const named = destination.kind === 'webhook' ? 'url' : 'endpoint'
  if (fault !== null) return refuse('invalid_request', {}, `\`settings.${named}\` must be a public https URL. ${fault}`)
  const parts = deps.callsOf(destination, now)
  const check = await ask(() => adapter.check(parts, connection))
  if (check.missing.length > 0)
    return refuse('scope_missing', { missing: [...check.missing] }, `The credentials lack: ${check.missing.join(', ')}`)
  await ask(() => adapter.prepare(parts, connection))
  return check
}

type Body = Omit<Parameters<Handlers<'updateDestination'>['updateDestination']>[0], 'id'>

function settingsOf(
  before: DestinationSettings,
  body: Body,
  read: { settings?: unknown; hint?: string | null },
): DestinationSettings {
  return {
    name: body.name ?? before.name,
    active: body.active ?? before.active,
    settings: (read.settings as Record<string, unknown> | undefined) ?? before.settings,
    credentialsHint: read.hint === undefined ? before.credentialsHint : read.hint,
    filters: (body.filters as readonly FilterRow<string>[] | undefined) ?? before.filters,
    icpOnly: body.icpOnly ?? before.icpOnly,
    sourceIds: body.sources === undefined ? before.sourceIds : body.sources === 'all' ? null : body.sources,
    mapping: (body.mapping as readonly MappingRow[] | undefined) ?? before.mapping,
  }
}

const given = {
  active: true,
  settings: {},
  credentialsHint: null,
  filters: [],
  icpOnly: false,
  sourceIds: null,
  mapping: [],
}

async function requireSources(db: Reader, teamId: string, sources: Body['sources']): Promise<void> {
  if (sources === undefined || sources === 'all') return
  for (const id of sources)
    if (!(await findActiveSource(db, teamId, { id })))
      refuse('not_found', {}, `\`sources\` must be ids of tracked sources: ${id} is none`)
}

const shownError = (outcome: RecordOutcome | undefined) => {
  if (outcome === undefined) return { code: 'no_answer', message: 'The platform said nothing about the sample.' }
  if (outcome.state === 'written') return null
  if (outcome.state === 'refused')
    return { code: outcome.code, message: outcome.message, ...(outcome.field === null ? {} : { field: outcome.field }) }
  return { code: outcome.state === 'later' ? outcome.trouble : 'answer_lost', message: outcome.message }
}

/** Makes the handlers. */
export function destinationOperations(deps: Ask) {
  const missing = () => refuse('not_found', {}, 'No such destination')
  const find = async (db: Reader, teamId: string, id: string | null) =>
    (await findDestination(db, teamId, id)) ?? missing()
  const lock = async (tx: Tx, teamId: string, id: string | null) => (await lockDestination(tx, teamId, id)) ?? missing()
  const present = async (db: Reader, teamId: string, id: string | null) => {
    const one = await find(db, teamId, id)
    return presentDestination(one, (await countDeliveries(db, teamId, one.id))(one.id))
  }
  const open = async (destination: Destination): Promise<Opened> => {
    const adapter = requireKind(deps, destination.kind)
    return { destination, adapter, connection: (await openConnection(deps, destination, adapter)) ?? missing() }
  }
  return {
    createDestination: async (input, { caller: { teamId }, db, now, unitOfWork }) => {
      const kind: Kind = input.kind
      const adapter = requireKind(deps, kind)
      const settings = readPart(adapter.settings, 'settings', input.settings)
      const credentials = readPart(adapter.credentials, 'credentials', input.credentials)
      await requireSources(db, teamId, input.sources)
      if ((await listDestinations(db, teamId)).length >= bounds.destinationsPerTeam) refuse('destination_limit_reached')
      const id = deps.ids.uuid(now)
      const set = settingsOf({ ...given, name: input.name }, input, {
        settings,
        hint: adapter.hint(credentials) || null,
      })
      const health = { pausedReason: null, createdAt: now, lastDeliveredAt: null, failingSince: null, failures: 0 }
      const made: Destination = { ...set, ...health, id, teamId, kind }
      const connection = { settings, credentials, mapping: set.mapping }
      await checkAndPrepare(deps, { destination: made, adapter, connection }, now)
      return unitOfWork(async (tx) => {
        const sealed = await sealCredentials(tx.db, { vault: deps.vault, teamId, id }, credentials)
        const hasStages = deps.adapterOf(kind)?.readStages !== undefined
        await insertDestination(tx, { teamId, id, kind, set, credentials: sealed, hasStages })
        if (kind === 'webhook') await insertReceiver(tx, receiverOf(made))
        return present(tx.db, teamId, id)
      })
    },
    listDestinations: async (_input, { caller: { teamId }, db }) => {
      const counts = await countDeliveries(db, teamId)
      return {
        destinations: (await listDestinations(db, teamId)).map((one) => presentDestination(one, counts(one.id))),
      }
    },
    getDestination: (input, { caller: { teamId }, db }) => present(db, teamId, input.id),
    updateDestination: async (input, { caller: { teamId }, db, now, unitOfWork }) => {
      const before = await find(db, teamId, input.id)
      const adapter = requireKind(deps, before.kind)
      const settings = input.settings === undefined ? undefined : readPart(adapter.settings, 'settings', input.settings)
      const credentials =
        input.credentials === undefined ? undefined : readPart(adapter.credentials, 'credentials', input.credentials)
      await requireSources(db, teamId, input.sources)
      const hint = credentials === undefined ? undefined : adapter.hint(credentials) || null
      const resumes = input.active === true && (!before.active || before.pausedReason !== null)
      if (settings !== undefined || credentials !== undefined || resumes) {
        const { connection: stored } = await open(before)
        const connection = {
          settings: settings ?? stored.settings,
          credentials: credentials ?? stored.credentials,
          mapping: input.mapping ?? before.mapping,
        }
        await checkAndPrepare(deps, { destination: before, adapter, connection }, now)
      }
      return unitOfWork(async (tx) => {
        const locked = await lock(tx, teamId, before.id)
        const sealed =
          credentials === undefined
            ? undefined
            : await sealCredentials(tx.db, { vault: deps.vault, teamId, id: before.id }, credentials)
        const set = settingsOf(locked, input, { settings, ...(hint === undefined ? {} : { hint }) })
        // A destination that is already active keeps the retry time its platform gave.
        const resumed = input.active === true && (!locked.active || locked.pausedReason !== null)
        await updateDestination(tx, { teamId, id: before.id, set, credentials: sealed, resumed })
        if (before.kind === 'webhook') await changeWebhook(tx, { ...locked, ...set }, input.active === true)
        tx.enqueue('destination', teamId)
        return present(tx.db, teamId, before.id)
      })
    },
    deleteDestination: (input, { caller: { teamId }, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const { id, kind } = await lock(tx, teamId, input.id)
        if (kind === 'webhook') await dropReceiver(tx, { teamId, ownerId: id })
        await deleteDestination(tx, teamId, id)
        return { ok: true as const, id, deleted: true as const }
      }),
    testDestination: async (input, { caller: { teamId }, db, now, unitOfWork }) => {
      const destination = await find(db, teamId, input.id)
      if (destination.kind === 'webhook') {
        const sent = await sendSampleTo(deps.sampling, teamId, destination.settings.url as string)
        return unitOfWork(async () => presentSample(sent))
      }
      const adapter = requireAdapter(deps, destination.kind)
      const outcome = await deliverSample(deps, { ...(await open(destination)), adapter }, now)
      const remote = outcome?.state === 'written' ? outcome.remote : null
      return unitOfWork(async () => ({
        delivered: remote !== null,
        remoteId: remote?.id ?? null,
        remoteUrl: remote?.url ?? null,
        error: shownError(outcome),
      }))
    },
    checkDestination: async (input, { caller: { teamId }, db, now, unitOfWork }) => {
      const { destination, adapter, connection } = await open(await find(db, teamId, input.id))
      const { account, scopes, missing, findings } = await ask(() =>
        adapter.check(deps.callsOf(destination, now), connection),
      )
      const found = { account, scopes: [...scopes], missing: [...missing], findings: [...findings] }
      return unitOfWork(async () => found)
    },
    pushDestination: (input, { caller: { teamId }, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const destination = await lock(tx, teamId, input.id)
        const asked = { leadIds: input.leadIds, filters: input.filters as readonly FilterRow<string>[] | undefined }
        const { considered, excluded } = await countAsked(tx.db, destination, asked)
        const pushId = await insertPush(
          tx,
          { teamId, ownerId: destination.id, leadIds: null },
          { icpOnly: destination.icpOnly, considered, queueing: false },
        )
        const queue = destination.kind === 'webhook' ? pushToWebhook : queueFor
        const queued = await queue(tx, destination, { ...asked, pushId })
        return { pushId, queued, considered, excluded }
      }),
    listDestinationDeliveries: async (input, { caller: { teamId }, db }) => {
      const { limit, offset } = input
      const { rows, total } = await pageOfDeliveries(db, await find(db, teamId, input.id), input)
      return { deliveries: rows.slice(0, limit), total, limit, offset, hasMore: rows.length > limit }
    },
    retryDestinationDelivery: (input, { caller: { teamId }, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const destination = await lock(tx, teamId, input.id)
        const found = input.deliveryId === null ? undefined : await findDelivery(tx.db, destination, input.deliveryId)
        if (!found) return refuse('not_found', {}, 'No such delivery')
        const retry = destination.kind === 'webhook' ? retryOfWebhook : retryDelivery
        await retry(tx, destination, found)
        return (await findDelivery(tx.db, destination, found.id))!
      }),
    listDestinationFields: async (input, { caller: { teamId }, db, now }) => {
      const { destination, adapter, connection } = await open(await find(db, teamId, input.id))
      const fields = await ask(() => adapter.fields(deps.callsOf(destination, now), connection))
      return { fields: fields.map((field) => ({ ...field, options: [...field.options] })) }
    },
  } satisfies Partial<Handlers>
}

const requireAdapter = (deps: Ask, kind: Kind): DestinationAdapter =>
  deps.adapterOf(kind) ?? refuse('invalid_request', {}, `\`kind\` ${kind} cannot be used on this service`)

const requireKind = (deps: Ask, kind: Kind): Checked => (kind === 'webhook' ? webhookKind : requireAdapter(deps, kind))

async function deliverSample(
  deps: Ask,
  { destination, adapter, connection }: Opened<DestinationAdapter>,
  now: Date,
): Promise<RecordOutcome | undefined> {
  const id = 'sample'
  try {
    const [outcome] = await adapter.deliver(deps.callsOf(destination, now), connection, [
      { id, document: sampleDocument, remote: null, isSample: true },
    ])
    return outcome
  } catch (error) {
    if (!(error instanceof DestinationFailure)) throw error
    return { id, state: 'refused', code: error.trouble, message: error.message, field: null }
  }
}
