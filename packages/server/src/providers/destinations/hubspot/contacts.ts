import type { PlatformAccount } from '../http.ts'
import { withoutFilled, type BuiltInRow, type FieldValue } from '../mapping.ts'
import type { DeliveryRecord, LeftOut } from '../port.ts'
import { keys, readBatch, writeBatch, type Found, type HubspotObject, type Write, type WriteResult } from './client.ts'
import { contentOf } from './mapping.ts'

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
  portal: PlatformAccount,
  object: HubspotObject,
  writes: readonly Write[],
): Promise<ReadonlyMap<string, { readonly result: WriteResult; readonly leftOut: readonly LeftOut[] }>> {
  const first = await writeBatch(portal, object, writes)
  const leftOut = new Map<string, readonly LeftOut[]>()
  const corrected = writes.flatMap((write) => {
    const result = first.get(write.trace)
    const refused = result?.state === 'refused' ? result.fields : []
    if (refused.length === 0 || !refused.every(({ code, name }) => fieldCodes.has(code) && name in write.properties))
      return []
    leftOut.set(
      write.trace,
      refused.map(({ name, message }) => ({ field: name, message })),
    )
    const kept = Object.entries(write.properties).filter(([field]) => !refused.some(({ name }) => name === field))
    return [{ ...write, properties: Object.fromEntries(kept) }]
  })
  const second = await writeBatch(portal, object, corrected)
  return new Map(
    writes.map(({ trace }) => [
      trace,
      { result: second.get(trace) ?? first.get(trace) ?? { state: 'unsaid' }, leftOut: leftOut.get(trace) ?? [] },
    ]),
  )
}

/** Writes one contact per person by our key, adopting contacts with the same email; results by record id. */
export async function writeContacts(
  portal: PlatformAccount,
  rows: readonly BuiltInRow[],
  records: readonly DeliveryRecord[],
): Promise<ReadonlyMap<string, ContactResult>> {
  const asked = rows.filter(({ mode }) => mode === 'if_empty').map(({ field }) => field)
  const personKeys = records.map(({ document }) => document.personKey)
  const known = await readBatch(portal, 'contacts', personKeys, asked)
  const there = new Map(known.map((found) => [String(found.properties[keys.contacts]), found]))
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
  portal: PlatformAccount,
  rows: readonly BuiltInRow[],
  conflicts: readonly Conflict[],
): Promise<ReadonlyMap<string, ContactResult>> {
  if (conflicts.length === 0) return new Map()
  const asked = rows.map(({ field }) => field)
  const ids = [...new Set(conflicts.map(({ existing }) => existing))]
  const there = new Map((await readBatch(portal, 'contacts', ids, asked, true)).map((found) => [found.id, found]))
  const before = new Map<string, readonly LeftOut[]>()
  const updates: Write[] = []
  const withoutEmail: Write[] = []
  for (const { record, existing, leftOut } of conflicts) {
    const { personKey } = record.document
    const found = there.get(existing)
    const gone = new Set(leftOut.map(({ field }) => field))
    const { email, ...values } = Object.fromEntries(
      Object.entries(contentOf(rows, record.document)).filter(([field]) => !gone.has(field)),
    )
    const key = found?.properties[keys.contacts] || personKey
    if (found !== undefined && key === personKey) {
      // Two people cannot adopt the same contact.
      there.delete(existing)
      before.set(record.id, leftOut)
      const properties = { ...changesOf(rows, values, found), [keys.contacts]: personKey }
      updates.push({ trace: record.id, id: existing, byId: true, properties })
    } else {
      const message = `another contact (${existing}) has ${email === undefined ? 'it' : 'this address'}`
      before.set(record.id, [...leftOut, { field: 'email', message }])
      withoutEmail.push({ trace: record.id, id: personKey, properties: values })
    }
  }
  const results = new Map<string, ContactResult>()
  for (const writes of [updates, withoutEmail])
    for (const [trace, { result, leftOut }] of await writeCorrected(portal, 'contacts', writes)) {
      if (result.state !== 'written') results.set(trace, result)
      else {
        const how = writes === updates ? 'adopted' : result.isNew ? 'created' : 'updated'
        results.set(trace, { ...result, how, leftOut: [...before.get(trace)!, ...leftOut] })
      }
    }
  return results
}
