import { withoutFilled, type BuiltInRow, type FieldValue } from '../mapping.ts'
import type { DeliveryRecord } from '../port.ts'
import {
  keys,
  readBatch,
  writeBatch,
  type Found,
  type HubspotObject,
  type Portal,
  type Write,
  type WriteResult,
} from './client.ts'
import { contentOf } from './mapping.ts'

type LeftOut = { readonly field: string; readonly message: string }

/** The outcome of writing a person's contact. */
export type ContactResult =
  | {
      readonly state: 'written'
      readonly how: 'created' | 'updated' | 'adopted'
      readonly record: Found
      readonly leftOut: readonly LeftOut[]
    }
  | Exclude<WriteResult, { state: 'written' }>

/** Codes that refuse one value; the record is written without it. */
const fieldCodes = new Set(['INVALID_OPTION', 'PROPERTY_DOESNT_EXIST', 'READ_ONLY_VALUE'])

/** Writes a batch; records refused only for picklist values or missing properties are written once more without those values. */
export async function writeCorrected(
  portal: Portal,
  object: HubspotObject,
  writes: readonly Write[],
): Promise<ReadonlyMap<string, { readonly result: WriteResult; readonly leftOut: readonly LeftOut[] }>> {
  const first = await writeBatch(portal, object, writes)
  const corrected = writes.flatMap((write) => {
    const result = first.get(write.trace)
    const refused = result?.state === 'refused' ? result.fields : []
    if (refused.length === 0 || !refused.every(({ code, name }) => fieldCodes.has(code) && name in write.properties))
      return []
    const names = new Set(refused.map(({ name }) => name))
    const kept = Object.entries(write.properties).filter(([name]) => !names.has(name))
    return [
      {
        ...write,
        properties: Object.fromEntries(kept),
        leftOut: refused.map(({ name, message }) => ({ field: name, message })),
      },
    ]
  })
  const second = await writeBatch(portal, object, corrected)
  const leftOut = new Map(corrected.map((write) => [write.trace, write.leftOut]))
  return new Map(
    writes.map(({ trace }) => [
      trace,
      { result: second.get(trace) ?? first.get(trace) ?? { state: 'unsaid' }, leftOut: leftOut.get(trace) ?? [] },
    ]),
  )
}

/** Writes one contact per person by our key, adopting contacts with the same email; results by record id. */
export async function writeContacts(
  portal: Portal,
  rows: readonly BuiltInRow[],
  records: readonly DeliveryRecord[],
): Promise<ReadonlyMap<string, ContactResult>> {
  const asked = rows.filter(({ mode }) => mode === 'if_empty').map(({ field }) => field)
  const there = new Map(
    (
      await readBatch(portal, 'contacts', {
        values: records.map(({ document }) => document.personKey),
        properties: asked,
      })
    ).map((found) => [String(found.properties[keys.contacts]), found]),
  )
  const results = new Map<string, ContactResult>()
  const writes: Write[] = []
  for (const { id: trace, document } of records) {
    const found = there.get(document.personKey)
    const values = contentOf(rows, document)
    const properties = found ? changesOf(rows, values, found) : values
    if (found && Object.keys(properties).length === 0)
      results.set(trace, { state: 'written', how: 'updated', record: found, leftOut: [] })
    else writes.push({ trace, id: document.personKey, properties })
  }
  const conflicts = new Map<string, { readonly existing: string; readonly leftOut: readonly LeftOut[] }>()
  for (const [trace, { result, leftOut }] of await writeCorrected(portal, 'contacts', writes)) {
    if (result.state === 'written')
      results.set(trace, { ...result, how: result.isNew ? 'created' : 'updated', leftOut })
    else if (result.state === 'refused' && result.existing !== null)
      conflicts.set(trace, { existing: result.existing, leftOut })
    else results.set(trace, result)
  }
  const adopted = await adopt(
    portal,
    rows,
    records.flatMap((record) => {
      const conflict = conflicts.get(record.id)
      return conflict ? [{ record, ...conflict }] : []
    }),
  )
  return new Map([...results, ...adopted])
}

/** The lifecycle stage is only set on creation; afterwards it is the team's. */
function changesOf(
  rows: readonly BuiltInRow[],
  values: Readonly<Record<string, FieldValue>>,
  { properties }: Found,
): Record<string, FieldValue> {
  const { lifecyclestage: _onCreationOnly, ...changes } = withoutFilled(rows, values, properties)
  return changes
}

type Conflict = { readonly record: DeliveryRecord; readonly existing: string; readonly leftOut: readonly LeftOut[] }

/** The email's contact is adopted if it has no key of ours; with another person's key it keeps the email. */
async function adopt(
  portal: Portal,
  rows: readonly BuiltInRow[],
  conflicts: readonly Conflict[],
): Promise<ReadonlyMap<string, ContactResult>> {
  if (conflicts.length === 0) return new Map()
  const asked = rows.map(({ field }) => field)
  const ids = [...new Set(conflicts.map(({ existing }) => existing))]
  const there = new Map(
    (await readBatch(portal, 'contacts', { values: ids, byId: true, properties: asked })).map((found) => [
      found.id,
      found,
    ]),
  )
  const taken = new Set<string>()
  const updates: (Write & { leftOut: readonly LeftOut[] })[] = []
  const withoutEmail: (Write & { leftOut: readonly LeftOut[] })[] = []
  for (const { record, existing, leftOut } of conflicts) {
    const { personKey } = record.document
    const found = there.get(existing)
    const gone = new Set(leftOut.map(({ field }) => field))
    const { email, ...values } = Object.fromEntries(
      Object.entries(contentOf(rows, record.document)).filter(([field]) => !gone.has(field)),
    )
    const key = found?.properties[keys.contacts]
    const isFree =
      found !== undefined &&
      (key === null || key === undefined || key === '' || key === personKey) &&
      !taken.has(existing)
    if (isFree) {
      taken.add(existing)
      updates.push({
        trace: record.id,
        id: existing,
        byId: true,
        properties: { ...changesOf(rows, values, found), [keys.contacts]: personKey },
        leftOut,
      })
    } else
      withoutEmail.push({
        trace: record.id,
        id: personKey,
        properties: values,
        leftOut: [
          ...leftOut,
          {
            field: 'email',
            message: `another contact (${existing}) has ${email === undefined ? 'it' : 'this address'}`,
          },
        ],
      })
  }
  const results = new Map<string, ContactResult>()
  for (const [writes, how] of [
    [updates, 'adopted'],
    [withoutEmail, null],
  ] as const) {
    const before = new Map(writes.map((write) => [write.trace, write.leftOut]))
    for (const [trace, { result, leftOut }] of await writeCorrected(portal, 'contacts', writes))
      results.set(
        trace,
        result.state === 'written'
          ? {
              ...result,
              how: how ?? (result.isNew ? 'created' : 'updated'),
              leftOut: [...(before.get(trace) ?? []), ...leftOut],
            }
          : result,
      )
  }
  return results
}
