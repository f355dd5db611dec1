import { z } from 'zod'
import { listOf, text } from '../../network/normal/lenient.ts'
import { failureIn, outcomeOf, type PlatformAccount } from '../http.ts'
import { documentOf, withoutFilled, type BuiltInRow } from '../mapping.ts'
import type { DeliveryRecord, LeadDocument, LeftOut, MappingRow, RecordOutcome } from '../port.ts'
import type { CrmSettings } from '../settings.ts'
import {
  ask,
  firstValue,
  isTaken,
  personKey,
  query,
  wholeFailure,
  write,
  type Found,
  type Values,
  type WriteResult,
} from './client.ts'
import { contentOf, noteMark, noteOf, rowsOfPeople } from './mapping.ts'

type WrittenPerson = {
  readonly how: 'created' | 'updated' | 'adopted'
  readonly record: Found
  readonly leftOut: readonly LeftOut[]
}
type Unwritten = Exclude<WriteResult, { state: 'written' }>
type AttioTarget = { readonly settings: CrmSettings; readonly mapping: readonly MappingRow[] }

/** Delivers people by our key, companies by domain and missing notes, one by one; stops when the workspace fails. */
export async function deliver(
  workspace: PlatformAccount,
  at: AttioTarget,
  records: readonly DeliveryRecord[],
): Promise<readonly RecordOutcome[]> {
  const outcomes: RecordOutcome[] = []
  let there: ReadonlyMap<string | null, Found>
  try {
    const keys = records.map(({ document }) => document.personKey)
    const found = await query(workspace, 'people', personKey, keys)
    there = new Map(found.map((person) => [firstValue(person, personKey), person]))
  } catch (error) {
    const failure = failureIn(error)
    return records.map(({ id }) => outcomeOf(id, failure, false))
  }
  for (const [index, record] of records.entries()) {
    const progress: Progress = { isWritten: false }
    try {
      await workspace.parts.beforeRecord?.()
      outcomes.push(await deliverOne(workspace, at, record, there.get(record.document.personKey), progress))
    } catch (error) {
      const failure = failureIn(error)
      outcomes.push(outcomeOf(record.id, failure, !progress.isWritten))
      return [...outcomes, ...records.slice(index + 1).map(({ id }) => outcomeOf(id, failure, false))]
    }
  }
  return outcomes
}

/** `isWritten`: the person is written, and only notes are missing. */
type Progress = { isWritten: boolean }

async function deliverOne(
  workspace: PlatformAccount,
  { settings, mapping }: AttioTarget,
  record: DeliveryRecord,
  found: Found | undefined,
  progress: Progress,
): Promise<RecordOutcome> {
  const { id, remote } = record
  const document = documentOf(record)
  const rows = rowsOfPeople(settings, mapping)
  const company = settings.createCompanies ? await companyOf(workspace, document) : null
  const companyId = company !== null && 'id' in company ? company.id : null
  const values = { ...contentOf(rows, document), ...companyValue(companyId) }
  const person = await writePerson(workspace, rows, values, document.personKey, found)
  if ('state' in person) return refusalOf(id, person)
  progress.isWritten = true
  const notes = new Set(remote?.notes)
  const wanted = settings.notes ? document.engagements.filter(({ key }) => !notes.has(key)) : []
  // A person just created has no notes.
  const there = person.how === 'created' || wanted.length === 0 ? '' : await notesOf(workspace, person.record.id)
  for (const engagement of wanted) {
    if (!there.includes(`${noteMark(engagement.key)}\n`))
      await createNote(workspace, person.record.id, { ...noteOf(engagement), created_at: engagement.at })
    notes.add(engagement.key)
  }
  const leftOut = [
    ...person.leftOut,
    ...(company !== null && 'message' in company ? [{ field: 'company', ...company }] : []),
  ]
  return {
    id,
    state: 'written',
    how: person.how,
    remote: { id: person.record.id, url: person.record.url, companyId, notes: [...notes] },
    leftOut,
  }
}

const companyValue = (companyId: string | null): Values =>
  companyId === null ? {} : { company: [{ target_object: 'companies', target_record_id: companyId }] }

function refusalOf(id: string, person: Unwritten): RecordOutcome {
  if (person.state === 'refused')
    return { id, state: 'refused', code: person.code, message: person.message, field: person.field }
  return { id, state: 'unknown', message: 'Attio answered without saying what became of this person' }
}

/** Changes by id: a write by attribute would replace lists (emails). The email's person is adopted unless it has another key. */
async function writePerson(
  workspace: PlatformAccount,
  rows: readonly BuiltInRow[],
  values: Values,
  key: string,
  found: Found | undefined,
): Promise<WrittenPerson | Unwritten> {
  if (found) {
    const changed = await writeCorrected(workspace, { id: found.id }, withoutFilled(rows, values, found.values))
    if (changed.result.state !== 'gone') return personOf(changed, 'updated')
  }
  const keyed: Values = { ...values, [personKey]: key }
  const created = await writeCorrected(workspace, { attribute: personKey }, keyed)
  const [mail] = Array.isArray(values.email_addresses) ? (values.email_addresses as unknown[]) : []
  if (created.result.state !== 'refused' || !isTaken(created.result) || typeof mail !== 'string')
    return personOf(created, 'created')
  const [holder] = await query(workspace, 'people', 'email_addresses', [mail])
  if (holder && firstValue(holder, personKey) === null) {
    const adopted = { ...withoutFilled(rows, values, holder.values), [personKey]: key }
    return personOf(await writeCorrected(workspace, { id: holder.id }, adopted), 'adopted')
  }
  const { email_addresses: _taken, ...others } = keyed
  const { result, leftOut } = await writeCorrected(workspace, { attribute: personKey }, others)
  const taken = { field: 'email_addresses', message: 'another person there has this address' }
  return personOf({ result, leftOut: [...leftOut, taken] }, 'created')
}

type Corrected = { readonly result: WriteResult; readonly leftOut: readonly LeftOut[] }

const personOf = ({ result, leftOut }: Corrected, how: WrittenPerson['how']): WrittenPerson | Unwritten =>
  result.state === 'written' ? { how, record: result.record, leftOut } : result

/** Writes again once without an attribute or option that Attio does not have. */
async function writeCorrected(
  workspace: PlatformAccount,
  by: Parameters<typeof write>[2],
  values: Values,
): Promise<Corrected> {
  const result = await write(workspace, 'people', by, values)
  if (result.state !== 'refused' || result.field === null || !/not_found|unknown/.test(result.code))
    return { result, leftOut: [] }
  const { [result.field]: _refused, ...others } = values
  return {
    result: await write(workspace, 'people', by, others),
    leftOut: [{ field: result.field, message: result.message }],
  }
}

/** The person's company by domain: created if missing, never changed. Null without a domain. */
async function companyOf(
  workspace: PlatformAccount,
  { company: { domain, name } }: LeadDocument,
): Promise<{ readonly id: string } | { readonly message: string } | null> {
  if (domain === null) return null
  const [found] = await query(workspace, 'companies', 'domains', [domain])
  if (found) return { id: found.id }
  const values = { domains: [domain], ...(name === null ? {} : { name }) }
  const made = await write(workspace, 'companies', { attribute: 'domains' }, values)
  if (made.state === 'written') return { id: made.record.id }
  return {
    message: made.state === 'refused' ? made.message : 'Attio answered without saying what became of the company',
  }
}

const notesBody = z.looseObject({ data: listOf(z.looseObject({ content_plaintext: text })) })
const notesPage = 50
const mostPages = 10

async function notesOf(workspace: PlatformAccount, recordId: string): Promise<string> {
  const texts: string[] = []
  for (let page = 0; page < mostPages; page += 1) {
    const path = `/v2/notes?parent_object=people&parent_record_id=${encodeURIComponent(recordId)}&limit=${notesPage}&offset=${page * notesPage}`
    const answer = await ask(workspace, { method: 'GET', path })
    if (answer.status >= 300) throw wholeFailure(workspace, answer)
    const notes = notesBody.safeParse(answer.json).data?.data ?? []
    // Ends the line: a key may be the start of another one.
    texts.push(...notes.map(({ content_plaintext }) => `${content_plaintext ?? ''}\n`))
    if (notes.length < notesPage) break
  }
  return texts.join('')
}

async function createNote(
  workspace: PlatformAccount,
  recordId: string,
  note: { readonly title: string; readonly content: string; readonly created_at: string },
): Promise<void> {
  const answer = await ask(workspace, {
    method: 'POST',
    path: '/v2/notes',
    json: { data: { parent_object: 'people', parent_record_id: recordId, format: 'plaintext', ...note } },
  })
  if (answer.status >= 300) throw wholeFailure(workspace, answer)
}
