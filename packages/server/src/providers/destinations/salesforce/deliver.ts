import { failureIn, outcomeOf } from '../http.ts'
import { documentOf, withoutFilled, type BuiltInRow } from '../mapping.ts'
import type { DeliveryRecord, LeftOut, MappingRow, RecordOutcome } from '../port.ts'
import { keyField, query, write, type Found, type Org, type Values, type WriteResult } from './client.ts'
import { contentOf, rowsOfObject, type SalesforceSettings } from './mapping.ts'

type Wanted = { readonly record: DeliveryRecord; readonly values: Values; readonly leftOut: readonly LeftOut[] }
type Refused = Extract<WriteResult, { state: 'refused' }>
type WriteOutcome = { readonly wanted: Wanted; readonly result: WriteResult }

const fieldCodes = new Set([
  'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
  'INVALID_FIELD_FOR_INSERT_UPDATE',
  'FIELD_INTEGRITY_EXCEPTION',
])
/** Temporary: another writer holds the record. */
const laterCodes = new Set(['UNABLE_TO_LOCK_ROW', 'SERVER_UNAVAILABLE'])

/** Delivers by our external id in one write, plus one for corrections; a record a duplicate rule finds is adopted. */
export async function deliver(
  open: () => Promise<Org>,
  { settings, mapping }: { readonly settings: SalesforceSettings; readonly mapping: readonly MappingRow[] },
  given: readonly DeliveryRecord[],
): Promise<readonly RecordOutcome[]> {
  const records = given.map((record) => ({ ...record, document: documentOf(record) }))
  const outcomes = new Map<string, RecordOutcome>()
  const settle = (written: readonly WriteOutcome[], isAdoption = false) => {
    for (const one of written) outcomes.set(one.wanted.record.id, outcomeFor(settings, one, isAdoption))
  }
  try {
    const org = await open()
    const { object } = settings
    const rows = rowsOfObject(settings, mapping)
    const columns = rows.filter(({ mode }) => mode === 'if_empty').map(({ field }) => field)
    const keys = records.map(({ document }) => document.personKey)
    const { found, gone } = await query(org, { object, columns, where: keyField, values: keys })
    const there = new Map(found.map((record) => [String(record.values[keyField]), record]))
    const wanted = records.map((record) => {
      const { personKey } = record.document
      const { values, ...rest } = wantedOf(rows, record, gone, there.get(personKey))
      return { ...rest, values: { ...values, [keyField]: personKey } }
    })
    const written = await writeCorrected(org, { object, by: 'key' }, wanted)
    const blocked = written.filter(({ result }) => result.state === 'refused' && result.duplicates.length > 0)
    settle(written.filter((one) => !blocked.includes(one)))
    if (blocked.length > 0) {
      const { adoptable, others } = await adoptionsOf(org, object, rows, gone, blocked)
      settle(others)
      if (adoptable.length > 0) settle(await writeCorrected(org, { object, by: 'id' }, adoptable), true)
    }
  } catch (error) {
    const failure = failureIn(error)
    for (const { id } of records) if (!outcomes.has(id)) outcomes.set(id, outcomeOf(id, failure))
  }
  return [...outcomes.values()]
}

function wantedOf(
  rows: readonly BuiltInRow[],
  record: DeliveryRecord,
  gone: ReadonlySet<string>,
  found: Found | undefined,
): Wanted {
  const content = contentOf(rows, record.document)
  const values = found ? withoutFilled(rows, content, found.values) : content
  const missing = Object.keys(values).filter((field) => gone.has(field))
  return without({ record, values, leftOut: [] }, missing.map(notThere))
}

const notThere = (field: string): LeftOut => ({
  field,
  message: `Salesforce has no field ${field} here, or does not show it to the user of the client`,
})

/** Writes records; those refused only for single fields are written once more without them. */
async function writeCorrected(
  org: Org,
  how: { readonly object: string; readonly by: 'key' | 'id' },
  all: readonly Wanted[],
): Promise<readonly WriteOutcome[]> {
  let wanted = all
  // A missing column refuses the whole call before anything is written; each turn removes one.
  for (;;) {
    const results = await write(org, { ...how, records: wanted.map(({ values }) => values) })
    if (!('gone' in results)) {
      const written = wanted.map((one, index) => ({ wanted: one, result: results[index]! }))
      return correct(org, how, written)
    }
    const { gone } = results
    if (!wanted.some(({ values }) => gone in values))
      return wanted.map((one) => ({ wanted: one, result: { state: 'unsaid' } }))
    wanted = wanted.map((one) => (gone in one.values ? without(one, [notThere(gone)]) : one))
  }
}

async function correct(
  org: Org,
  how: { readonly object: string; readonly by: 'key' | 'id' },
  written: readonly WriteOutcome[],
): Promise<readonly WriteOutcome[]> {
  const corrected = new Map<WriteOutcome, Wanted>()
  for (const one of written) {
    const { wanted, result } = one
    if (result.state !== 'refused' || result.fields.length === 0 || !fieldCodes.has(result.code)) continue
    if (!result.fields.every((field) => field in wanted.values && field !== keyField)) continue
    const refused = result.fields.map((field) => ({ field, message: result.message }))
    corrected.set(one, without(wanted, refused))
  }
  if (corrected.size === 0) return written
  const again = [...corrected.values()]
  const results = await write(org, { ...how, records: again.map(({ values }) => values) })
  return written.map((one) => {
    const wanted = corrected.get(one)
    if (!wanted) return one
    const result = 'gone' in results ? undefined : results[again.indexOf(wanted)]
    return { wanted, result: result ?? { state: 'unsaid' } }
  })
}

const without = ({ record, values, leftOut }: Wanted, fields: readonly LeftOut[]): Wanted => {
  const names = new Set(fields.map(({ field }) => field))
  return {
    record,
    values: Object.fromEntries(Object.entries(values).filter(([field]) => !names.has(field))),
    leftOut: [...leftOut, ...fields],
  }
}

/** Duplicates named by a rule: one without our key is adopted and keeps its values; one with another key is not. */
async function adoptionsOf(
  org: Org,
  object: string,
  rows: readonly BuiltInRow[],
  gone: ReadonlySet<string>,
  blocked: readonly WriteOutcome[],
): Promise<{ readonly adoptable: readonly Wanted[]; readonly others: readonly WriteOutcome[] }> {
  const duplicatesOf = ({ result }: WriteOutcome) => (result as Refused).duplicates
  const ids = [...new Set(blocked.flatMap(duplicatesOf))].slice(0, 200)
  const columns = rows.map(({ field }) => field)
  const { found } = await query(org, { object, columns, where: 'Id', values: ids })
  const free = new Map(found.filter(({ values }) => !values[keyField]).map((record) => [record.id, record]))
  const adoptable: Wanted[] = []
  const others: WriteOutcome[] = []
  for (const one of blocked) {
    const id = duplicatesOf(one).find((each) => free.has(each))
    if (id === undefined) {
      others.push(one)
      continue
    }
    const { values, ...wanted } = wantedOf(rows, one.wanted.record, gone, free.get(id))
    free.delete(id)
    adoptable.push({ ...wanted, values: { ...values, id, [keyField]: wanted.record.document.personKey } })
  }
  return { adoptable, others }
}

function outcomeFor(
  { instanceUrl }: SalesforceSettings,
  { wanted, result }: WriteOutcome,
  isAdoption: boolean,
): RecordOutcome {
  const { id } = wanted.record
  if (result.state === 'stopped') return outcomeOf(id, result.why)
  if (result.state === 'unsaid')
    return { id, state: 'unknown', message: 'Salesforce answered without saying what became of this record' }
  if (result.state === 'written')
    return {
      id,
      state: 'written',
      how: isAdoption ? 'adopted' : result.isNew ? 'created' : 'updated',
      remote: { id: result.id, url: `${instanceUrl}/${result.id}`, companyId: null, notes: [] },
      leftOut: wanted.leftOut,
    }
  const { code, message, fields } = result
  // Another worker wrote the same key at the same time; the next write finds it.
  const isRace = code === 'DUPLICATE_VALUE' && (fields.includes(keyField) || message.includes(keyField))
  if (isRace || laterCodes.has(code)) return { id, state: 'later', trouble: 'unavailable', at: null, message }
  return { id, state: 'refused', code, message, field: fields[0] ?? null }
}
