/**
 * Exclusion lists in a settings file. A list the file names is made equal to it, except opt-outs, which always stay on
 * `do_not_contact`: a file written before an opt-out does not know about it. Other lists stay unchanged.
 */
import {
  bounds,
  doNotContact,
  exclusionKinds,
  foldText,
  optOutReasons,
  readExclusionValue,
  rows,
  type Client,
} from '@les/contract'
import { isApiError } from '../failure.ts'
import type { Fields, Problem } from './document.ts'

type FileEntry = { readonly kind: string; readonly value: string; readonly reason?: string }

export type Lists = ReadonlyMap<string, readonly FileEntry[]>

/** `isOptOut`: the person asked not to be contacted, by an objection or by a result. */
type CurrentEntry = FileEntry & { readonly id: string; readonly isOptOut: boolean }

/** Entries in the service, by list. */
export type CurrentLists = ReadonlyMap<string, readonly CurrentEntry[]>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Entries with equal keys are the same. Countries compare as written: only the service knows their other names. */
const keyOf = ({ kind, value }: FileEntry): string => {
  const read = readExclusionValue(kind, value)
  return `${kind} ${kind !== 'country' && 'key' in read ? read.key : foldText(value)}`
}

const isSame = (one: FileEntry, other: FileEntry): boolean =>
  keyOf(one) === keyOf(other) && (one.reason ?? '').trim() === (other.reason ?? '').trim()

function readEntry(raw: unknown, where: string, problems: Problem[]): FileEntry[] {
  if (!isFields(raw)) {
    problems.push({ where, what: 'must be an entry {kind, value, reason}' })
    return []
  }
  const before = problems.length
  for (const name of Object.keys(raw))
    if (!['kind', 'value', 'reason'].includes(name))
      problems.push({ where: `${where}.${name}`, what: 'is not known here: there are kind, value, reason' })
  const { kind, value, reason } = raw
  if (reason !== undefined && reason !== null && (typeof reason !== 'string' || reason.length > bounds.exclusionReason))
    problems.push({ where: `${where}.reason`, what: `must be text of at most ${bounds.exclusionReason} characters` })
  if (typeof kind !== 'string' || typeof value !== 'string') {
    problems.push({ where, what: 'must have a kind and a value, as text' })
    return []
  }
  const read = readExclusionValue(kind, value)
  if ('error' in read) problems.push({ where: `${where}.value`, what: read.error })
  if (problems.length > before) return []
  return [{ kind, value, ...(typeof reason === 'string' && reason.trim() !== '' ? { reason } : {}) }]
}

/** Reads the `exclusions` part of a file; undefined when it is absent. */
export function readLists(raw: unknown, problems: Problem[]): Lists | undefined {
  if (raw === undefined || raw === null) return undefined
  if (!isFields(raw)) {
    problems.push({ where: 'exclusions', what: 'must be lists of entries by their name' })
    return undefined
  }
  const lists = new Map<string, FileEntry[]>()
  const seen = new Map<string, string>()
  for (const [name, entries] of Object.entries(raw)) {
    const where = `exclusions.${name}`
    const list = name.trim()
    if (list === '' || [...list].length > bounds.exclusionList)
      problems.push({ where, what: `must have a name of 1 to ${bounds.exclusionList} characters` })
    if (!Array.isArray(entries)) problems.push({ where, what: 'must be a list of entries' })
    const read = (Array.isArray(entries) ? entries : []).flatMap((entry, at) =>
      readEntry(entry, `${where}[${at}]`, problems),
    )
    for (const entry of read) {
      const other = seen.get(keyOf(entry))
      if (other !== undefined) problems.push({ where, what: `names «${entry.value}» again, which is on ${other}` })
      seen.set(keyOf(entry), list)
    }
    lists.set(list, read)
  }
  return lists
}

/** Reads the named lists and the one of opt-outs from the service, or all lists (null). */
export async function currentLists(client: Client, names: readonly string[] | null): Promise<CurrentLists> {
  const asked =
    names === null ? [{}] : [...new Set(names.length === 0 ? [] : [...names, doNotContact])].map((list) => ({ list }))
  const lists = new Map<string, CurrentEntry[]>((names ?? []).map((name) => [name, []]))
  for (const which of asked)
    for await (const { id, kind, value, reason, list } of rows(client.listExclusions, 'entries', which)) {
      const isOptOut = kind === 'person' && optOutReasons.includes(reason ?? '')
      lists.set(list, [
        ...(lists.get(list) ?? []),
        { id, kind, value, isOptOut, ...(reason === null ? {} : { reason }) },
      ])
    }
  return lists
}

export type ListChange = {
  readonly list: string
  readonly added: readonly FileEntry[]
  readonly removed: readonly CurrentEntry[]
}

export function listChanges(declared: Lists | undefined, current: CurrentLists): ListChange[] {
  const optOuts = new Set([...current.values()].flatMap((there) => there.filter((one) => one.isOptOut).map(keyOf)))
  return [...(declared ?? [])].flatMap(([list, wanted]): ListChange[] => {
    const there = current.get(list) ?? []
    const added = wanted.filter((entry) => !optOuts.has(keyOf(entry)) && !there.some((other) => isSame(entry, other)))
    const removed = there.filter((entry) => !entry.isOptOut && !wanted.some((other) => isSame(entry, other)))
    return added.length + removed.length === 0 ? [] : [{ list, added, removed }]
  })
}

const batches = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / bounds.exclusionEntries) }, (_, at) =>
    list.slice(at * bounds.exclusionEntries, (at + 1) * bounds.exclusionEntries),
  )

const sent = ({ kind, value, reason }: FileEntry) => ({ kind, value, ...(reason === undefined ? {} : { reason }) })

/** Counts the leads that match added or removed entries. */
export async function leadsTouched(client: Client, { added, removed }: ListChange): Promise<number> {
  let leads = 0
  for (const entries of batches([...added, ...removed].map(sent))) {
    const answer = await client.addExclusions({ entries, dryRun: true })
    if ('counts' in answer) leads += answer.counts.matching
  }
  return leads
}

/**
 * Applies changes in an order that never leaves a person on no list, even if it stops midway: first additions (an entry that
 * moves to another list or changes its reason replaces the old one in one step), then removals. Additions the service already
 * lists in another spelling are sent again, to replace whichever of the entries missing from the file they equal.
 */
export async function changeLists(client: Client, changes: readonly ListChange[]): Promise<void> {
  const removed = changes.flatMap((change) => change.removed)
  const idOf = new Map(removed.map((entry) => [keyOf(entry), entry.id]))
  const otherIds = batches(removed.map(({ id }) => id))
  for (const { list, added } of changes)
    for (const entries of batches(added)) {
      const replaces = entries.flatMap((entry) => idOf.get(keyOf(entry)) ?? [])
      // A person may be listed by several entries: who is listed already gets the new one in place of all that go.
      if ((await addAll(client, { list, entries, replaces })) > 0)
        for (const ids of otherIds) await addAll(client, { list, entries, replaces: ids })
    }
  for (const { id } of removed) await removeIfThere(client, id)
}

/** `replaces` are ids of entries that are removed if they equal an added one. */
type Addition = {
  readonly list: string
  readonly entries: readonly FileEntry[]
  readonly replaces?: readonly string[]
}

/** Returns how many entries were listed already. */
async function addAll(client: Client, { list, entries, replaces = [] }: Addition): Promise<number> {
  const answer = await client.addExclusions({
    entries: entries.map(sent),
    list,
    ...(replaces.length > 0 ? { replaces: [...replaces] } : {}),
  })
  return 'alreadyListed' in answer ? answer.alreadyListed : 0
}

/** Removes an entry; 404 means that an addition replaced it. */
async function removeIfThere(client: Client, id: string): Promise<void> {
  try {
    await client.removeExclusion({ id })
  } catch (error) {
    if (!isApiError(error) || error.status !== 404) throw error
  }
}

export const written = (lists: CurrentLists): Fields =>
  Object.fromEntries(
    // Member ids of one person may be listed by entries of the same value.
    [...lists].flatMap(([name, entries]) =>
      entries.length === 0 ? [] : [[name, [...new Map(entries.map((one) => [keyOf(one), one])).values()].map(sent)]],
    ),
  )

export const listsSchema: Fields = {
  type: 'object',
  additionalProperties: {
    type: 'array',
    items: {
      type: 'object',
      required: ['kind', 'value'],
      additionalProperties: false,
      properties: { kind: { enum: [...exclusionKinds] }, value: { type: 'string' }, reason: { type: 'string' } },
    },
  },
}
