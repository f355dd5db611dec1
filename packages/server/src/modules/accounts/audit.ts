/** The audit log: every change to a team, its author and input, written in the change's unit of work. */
import { sql } from 'kysely'
import { queryAll } from '../../platform/db/query.ts'
import type { Tx, Reader } from '../../platform/db/unit-of-work.ts'
import { cutText } from '../../platform/text.ts'
import type { Caller, SessionHandlers } from './handler.ts'
import { shareLog, type NamesErased } from './request-log/store.ts'
import { pageOf, readCursor, type Position } from '../../platform/keyset.ts'

type Change = {
  readonly caller: Caller
  readonly operationId: string
  readonly params: Readonly<Record<string, unknown>>
  readonly sent: Readonly<Record<string, unknown>>
  readonly answer: unknown
  /** Details added by the handler; stored unshortened. */
  readonly noted?: Readonly<Record<string, unknown>>
  readonly namesErased: NamesErased
}

/** Operations whose input names a person who is or may be erased; no log keeps any of it. */
const ofPeople: readonly string[] = ['searchPeople', 'createErasure', 'createObjection']

/** Whether no log may keep the operation's input. */
export const namesPeople = (operationId: string | null): boolean =>
  operationId !== null && ofPeople.includes(operationId)

/** Writes that change nothing of a team; not logged. */
const silent: readonly string[] = [
  'estimateKeyword',
  'parseExpression',
  'backtestKeyword',
  'previewSend',
  'previewDefaults',
  'compareCriteria',
  'quoteCapture',
  'debugSignature',
  'readInvitation',
]
const secretField = /key$|secret|token|password|webhookurl|^url$|^headers$/i
const longestText = 200
const longestList = 20

/** The first words of a text: of a name that is cut, an erasure would find nothing. */
function beginningOf(text: string): string {
  const cut = cutText(text, longestText)
  return cut.slice(0, cut.lastIndexOf(' ') === -1 ? cut.length : cut.lastIndexOf(' '))
}

/** A value as logs keep it: without secrets, shortened, at most four levels deep. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > longestText ? `${beginningOf(value)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (depth >= 4) return '…'
  if (Array.isArray(value))
    return [
      ...value.slice(0, longestList).map((each) => withoutSecrets(each, depth + 1)),
      ...(value.length > longestList ? [`… ${value.length - longestList} more`] : []),
    ]
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 60)
      .map(([name, each]) => [
        name,
        secretField.test(name) && each !== null ? '(not kept)' : withoutSecrets(each, depth + 1),
      ]),
  )
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? cutText(value, longestText) : null

function targetOf({ params, answer }: Change): string | null {
  const named = textOf(Object.values(params)[0])
  if (named !== null) return named
  const said = (answer ?? {}) as Readonly<Record<string, unknown>>
  return textOf(said.sourceId) ?? textOf(said.id) ?? textOf(said.runId)
}

/** Logs a change; skips calls without a team or without effect. */
export async function recordChange(tx: Tx, change: Change): Promise<void> {
  const { caller, operationId, sent } = change
  if (caller.teamId === '' || silent.includes(operationId) || sent.dryRun === true) return
  const { user } = caller
  const target = targetOf(change)
  const details = { ...(namesPeople(operationId) ? {} : (withoutSecrets(sent) as object)), ...change.noted }
  await shareLog(tx.db, [caller.teamId])
  const [isOfErased] = await change.namesErased(tx.db, [{ teamId: caller.teamId, value: [target, details] }])
  await sql`
    insert into audit_entry (team_id, id, at, actor_kind, actor_id, actor_name, operation, target, details)
    values (${caller.teamId}, ${tx.newId()}, ${tx.now}, ${user ? 'user' : 'key'}, ${user?.id ?? caller.keyId},
      ${user?.email ?? ''}, ${operationId}, ${isOfErased ? null : target},
      ${JSON.stringify(isOfErased ? {} : details)}::jsonb)`.execute(tx.db)
}

type Row = {
  id: string
  at: Date
  actorKind: 'user' | 'key' | 'operator'
  actorName: string
  keyName: string | null
  masked: string | null
  operation: string
  target: string | null
  details: Record<string, unknown>
}

async function listEntries(
  db: Reader,
  { teamId, after, limit }: { teamId: string; after: Position | null; limit: number },
): Promise<Row[]> {
  const from = after === null ? sql`true` : sql`(e.at, e.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  return queryAll<Row>(db)`
    with page as materialized (select * from audit_entry e where e.team_id = ${teamId} and ${from}
      order by e.at desc, e.id desc limit ${limit})
    select p.id, p.at, p.actor_kind as "actorKind", p.actor_name as "actorName", k.name as "keyName", k.masked,
      p.operation, p.target, p.details
    from page p left join api_key k on p.actor_kind = 'key' and k.team_id = p.team_id and k.id::text = p.actor_id
    order by p.at desc, p.id desc`
}

function actorName({ actorKind, actorName, keyName, masked }: Row): string {
  if (actorKind === 'user') return actorName
  if (actorKind === 'operator') return 'Operator'
  return keyName === null ? 'An API key' : `${keyName} (${masked})`
}

export const auditOperations: SessionHandlers<'listAudit'> = {
  listAudit: async (input, { caller, db }) => {
    const { rows, nextCursor } = pageOf(
      await listEntries(db, { teamId: caller.teamId, after: readCursor(input.cursor), limit: input.limit + 1 }),
      input.limit,
      (row) => row,
    )
    return {
      entries: rows.map((row) => ({ ...row, actor: { kind: row.actorKind, name: actorName(row) } })),
      nextCursor,
    }
  },
}
