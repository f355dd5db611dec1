/** The audit log: every change to a team, who made it and what was sent, written in the unit of work of the change. */
import type { Caller } from './caller.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { cutText } from '../../platform/text.ts'

/** A change that was made. */
export type Change = {
  readonly caller: Caller
  readonly operationId: string
  readonly params: Readonly<Record<string, unknown>>
  readonly sent: Readonly<Record<string, unknown>>
  readonly answer: unknown
}

/** Writes that change nothing a team has: they are not told. */
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

/** A value as the log keeps it: no secrets, nothing long, nothing deep. */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > longestText ? `${cutText(value, longestText)}…` : value
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

/** Tells the log of a change; of a call that changes nothing, and of one that belongs to no team, nothing is told. */
export async function recordChange(tx: Tx, change: Change): Promise<void> {
  const { caller, operationId, sent } = change
  if (caller.teamId === '' || silent.includes(operationId) || sent.dryRun === true) return
  const { user } = caller
  await tx.db
    .insertInto('audit_entry')
    .values({
      team_id: caller.teamId,
      id: tx.newId(),
      at: tx.now,
      actor_kind: user ? 'user' : 'key',
      actor_id: user?.id ?? caller.keyId,
      actor_name: user?.email ?? '',
      operation: operationId,
      target: targetOf(change),
      details: JSON.stringify(withoutSecrets(sent)),
    })
    .execute()
}
