import { z } from 'zod'
import { listOf, text } from '../../network/normal/lenient.ts'
import { outcomeOf } from '../http.ts'
import { markedSample, type BuiltInRow } from '../mapping.ts'
import {
  DestinationFailure,
  type DeliveryRecord,
  type LeadDocument,
  type MappingRow,
  type RecordOutcome,
} from '../port.ts'
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
  type Workspace,
  type WriteResult,
} from './client.ts'
import { contentOf, noteMark, noteOf, rowsOfPeople, type AttioSettings } from './mapping.ts'

type LeftOut = { readonly field: string; readonly message: string }
type WrittenPerson = {
  readonly how: 'created' | 'updated' | 'adopted'
  readonly record: Found
  readonly leftOut: readonly LeftOut[]
}
type Unwritten = Exclude<WriteResult, { state: 'written' }>
type AttioTarget = { readonly settings: AttioSettings; readonly mapping: readonly MappingRow[] }

/** Delivers people by our key, companies by domain and missing notes, one by one; stops when the workspace fails. */
export async function deliver(
  workspace: Workspace,
  at: AttioTarget,
  records: readonly DeliveryRecord[],
): Promise<readonly RecordOutcome[]> {
  const outcomes: RecordOutcome[] = []
  let there: ReadonlyMap<string | null, Found>
  try {
    const keys = records.map(({ document }) => document.personKey)
    const found = await query(workspace, 'people', { attribute: personKey, values: keys })
    there = new Map(found.map((person) => [firstValue(person, personKey), person]))
  } catch (failure) {
    return records.map(({ id }) => outcomeOf(id, known(failure), false))
  }
  for (const [index, record] of records.entries()) {
    const progress: Progress = { isWritten: false }
    try {
      await workspace.parts.beforeRecord?.()
      outcomes.push(await deliverOne(workspace, at, { record, progress, found: there.get(record.document.personKey) }))
    } catch (failure) {
      outcomes.push(outcomeOf(record.id, known(failure), !progress.isWritten))
      const rest = records.slice(index + 1)
      return [...outcomes, ...rest.map(({ id }) => outcomeOf(id, known(failure), false))]
    }
  }
  return outcomes
}

/** `isWritten`: the person is written, and only notes are missing. */
type Progress = { isWritten: boolean }

function known(failure: unknown): DestinationFailure {
  if (failure instanceof DestinationFailure) return failure
  throw failure
}

async function deliverOne(
  workspace: Workspace,
  { settings, mapping }: AttioTarget,
  {
    record,
    progress,
    found,
  }: { readonly record: DeliveryRecord; readonly progress: Progress; readonly found: Found | undefined },
): Promise<RecordOutcome> {
  const { id, remote } = record
  const document = record.isSample ? markedSample(record.document) : record.document
  const rows = rowsOfPeople(settings, mapping)
  const company = settings.createCompanies ? await companyOf(workspace, document) : null
  const companyId = company !== null && 'id' in company ? company.id : null
  const values = { ...contentOf(rows, document), ...companyValue(companyId) }
  const person = await writePerson(workspace, { rows, values, found, key: document.personKey })
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
    ...(leftOut.length > 0 ? { leftOut } : {}),
  }
}

const companyValue = (companyId: string | null): Values =>
  companyId === null ? {} : { company: [{ target_object: 'companies', target_record_id: companyId }] }

function refusalOf(id: string, person: Unwritten): RecordOutcome {
  if (person.state === 'refused')
    return { id, state: 'refused', code: person.code, message: person.message, field: person.field }
  return { id, state: 'unknown', message: 'Attio answered without saying what became of this person' }
}

/**
 * An existing person is changed by id: a write by attribute would replace whole lists (emails). If another person has the email,
 * one without our key is adopted; one with another key keeps it.
 */
async function writePerson(
  workspace: Workspace,
  {
    rows,
    values,
    found,
    key,
  }: {
    readonly rows: readonly BuiltInRow[]
    readonly values: Values
    readonly found: Found | undefined
    readonly key: string
  },
): Promise<WrittenPerson | Unwritten> {
  if (found) {
    const changed = await writeCorrected(workspace, {
      by: { id: found.id },
      values: withoutFilled(rows, values, found),
    })
    if (changed.result.state === 'written')
      return { how: 'updated', record: changed.result.record, leftOut: changed.leftOut }
    if (changed.result.state !== 'gone') return changed.result
  }
  const created = await writeCorrected(workspace, {
    by: { attribute: personKey },
    values: { ...values, [personKey]: key },
  })
  if (created.result.state === 'written')
    return { how: 'created', record: created.result.record, leftOut: created.leftOut }
  const [mail] = Array.isArray(values.email_addresses) ? (values.email_addresses as unknown[]) : []
  if (created.result.state !== 'refused' || !isTaken(created.result) || typeof mail !== 'string') return created.result
  const [holder] = await query(workspace, 'people', { attribute: 'email_addresses', values: [mail] })
  if (holder && firstValue(holder, personKey) === null) {
    const adopted = await writeCorrected(workspace, {
      by: { id: holder.id },
      values: { ...withoutFilled(rows, values, holder), [personKey]: key },
    })
    return adopted.result.state === 'written'
      ? { how: 'adopted', record: adopted.result.record, leftOut: adopted.leftOut }
      : adopted.result
  }
  const { email_addresses: _taken, ...others } = values
  const withoutEmail = await writeCorrected(workspace, {
    by: { attribute: personKey },
    values: { ...others, [personKey]: key },
  })
  const leftOut = [
    ...withoutEmail.leftOut,
    { field: 'email_addresses', message: 'another person there has this address' },
  ]
  return withoutEmail.result.state === 'written'
    ? { how: 'created', record: withoutEmail.result.record, leftOut }
    : withoutEmail.result
}

/** Leaves out `if_empty` fields that are filled. */
function withoutFilled(rows: readonly BuiltInRow[], values: Values, { values: there }: Found): Values {
  const ifEmpty = new Set(rows.filter(({ mode }) => mode === 'if_empty').map(({ field }) => field))
  const isFilled = (field: string) => Array.isArray(there[field]) && there[field].length > 0
  return Object.fromEntries(Object.entries(values).filter(([field]) => !ifEmpty.has(field) || !isFilled(field)))
}

/** Writes again once without an attribute or option that Attio does not have. */
async function writeCorrected(
  workspace: Workspace,
  asked: Parameters<typeof write>[2],
): Promise<{ readonly result: WriteResult; readonly leftOut: readonly LeftOut[] }> {
  const result = await write(workspace, 'people', asked)
  if (result.state !== 'refused' || result.field === null || !/not_found|unknown/.test(result.code))
    return { result, leftOut: [] }
  const { [result.field]: _refused, ...values } = asked.values
  return {
    result: await write(workspace, 'people', { ...asked, values }),
    leftOut: [{ field: result.field, message: result.message }],
  }
}

/** The person's company by domain: created if missing, never changed. Null without a domain. */
async function companyOf(
  workspace: Workspace,
  { company: { domain, name } }: LeadDocument,
): Promise<{ readonly id: string } | { readonly message: string } | null> {
  if (domain === null) return null
  const [found] = await query(workspace, 'companies', { attribute: 'domains', values: [domain] })
  if (found) return { id: found.id }
  const values = { domains: [domain], ...(name === null ? {} : { name }) }
  const made = await write(workspace, 'companies', { by: { attribute: 'domains' }, values })
  if (made.state === 'written') return { id: made.record.id }
  return {
    message: made.state === 'refused' ? made.message : 'Attio answered without saying what became of the company',
  }
}

const notesBody = z.looseObject({ data: listOf(z.looseObject({ content_plaintext: text })) })
const notesPage = 50
const mostPages = 10

async function notesOf(workspace: Workspace, recordId: string): Promise<string> {
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
  workspace: Workspace,
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
