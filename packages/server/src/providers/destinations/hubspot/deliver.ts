import { failureIn, outcomeOf, type PlatformAccount } from '../http.ts'
import { documentOf } from '../mapping.ts'
import type { DeliveryRecord, LeftOut, MappingRow, RecordOutcome } from '../port.ts'
import type { CrmSettings } from '../settings.ts'
import { batchSize, type Write } from './client.ts'
import { associate, writeCompanies } from './companies.ts'
import { writeContacts, writeCorrected, type ContactResult } from './contacts.ts'
import { companyKeyOf, noteBody, rowsOfContacts } from './mapping.ts'

type WrittenContact = {
  readonly record: DeliveryRecord
  readonly contact: Extract<ContactResult, { state: 'written' }>
}
type Added = { companyId: string | null; readonly notes: Set<string>; readonly leftOut: LeftOut[] }

/** Delivers contacts, companies and notes, all by our keys and so repeatable; an incomplete record is sent again. */
export async function deliver(
  portal: PlatformAccount,
  { settings, mapping }: { readonly settings: CrmSettings; readonly mapping: readonly MappingRow[] },
  given: readonly DeliveryRecord[],
): Promise<readonly RecordOutcome[]> {
  const records = given.map((record) => ({ ...record, document: documentOf(record) }))
  const outcomes = new Map<string, RecordOutcome>()
  const written: WrittenContact[] = []
  try {
    const contacts = await writeContacts(portal, rowsOfContacts(settings, mapping), records)
    for (const record of records) {
      const contact = contacts.get(record.id) ?? { state: 'unsaid' }
      if (contact.state === 'written') written.push({ record, contact })
      else outcomes.set(record.id, refusalOf(record.id, contact))
    }
    const added = new Map<string, Added>(
      written.map(({ record, contact }) => [
        record.id,
        {
          companyId: record.remote?.companyId ?? null,
          notes: new Set(record.remote?.notes),
          leftOut: [...contact.leftOut],
        },
      ]),
    )
    const leaveOut = (field: string) => (error: unknown) => {
      const { trouble, message } = failureIn(error)
      if (trouble !== 'request_refused') throw error
      for (const { leftOut } of added.values()) leftOut.push({ field, message })
    }
    if (settings.createCompanies) await addCompanies(portal, written, added).catch(leaveOut('company'))
    if (settings.notes) await addNotes(portal, written, added).catch(leaveOut('note'))
    for (const { record, contact } of written) {
      const { companyId, notes, leftOut } = added.get(record.id)!
      const remote = { id: contact.record.id, url: contact.record.url, companyId, notes: [...notes] }
      outcomes.set(record.id, { id: record.id, state: 'written', how: contact.how, remote, leftOut })
    }
  } catch (error) {
    const failure = failureIn(error)
    const isWritten = new Set(written.map(({ record }) => record.id))
    for (const { id } of records) if (!outcomes.has(id)) outcomes.set(id, outcomeOf(id, failure, !isWritten.has(id)))
  }
  return [...outcomes.values()]
}

function refusalOf(id: string, contact: Exclude<ContactResult, { state: 'written' }>): RecordOutcome {
  if (contact.state === 'stopped') return outcomeOf(id, contact.why)
  if (contact.state === 'unsaid')
    return { id, state: 'unknown', message: 'HubSpot answered without saying what became of this contact' }
  return { id, state: 'refused', code: contact.code, message: contact.message, field: contact.fields[0]?.name ?? null }
}

async function addCompanies(
  portal: PlatformAccount,
  written: readonly WrittenContact[],
  added: ReadonlyMap<string, Added>,
): Promise<void> {
  const companies = await writeCompanies(
    portal,
    written.map(({ record }) => record.document),
  )
  const pairs: { record: string; from: string; to: string }[] = []
  for (const { record, contact } of written) {
    const key = companyKeyOf(record.document)
    const company = key === null ? undefined : companies.get(key)
    const of = added.get(record.id)!
    if (!company) continue
    if ('message' in company) of.leftOut.push({ field: 'company', message: company.message })
    // A contact that was merged or recreated in HubSpot has lost its company.
    else if (of.companyId !== company.id || record.remote?.id !== contact.record.id) {
      of.companyId = company.id
      pairs.push({ record: record.id, from: contact.record.id, to: company.id })
    }
  }
  if (await associate(portal, ['contacts', 'companies'], pairs)) return
  for (const { record } of pairs) {
    const of = added.get(record)!
    of.companyId = null
    of.leftOut.push({ field: 'company', message: 'HubSpot did not associate the company' })
  }
}

/** Writes missing notes; one whose association failed before is written and associated again. */
async function addNotes(
  portal: PlatformAccount,
  written: readonly WrittenContact[],
  added: ReadonlyMap<string, Added>,
): Promise<void> {
  const wanted = written.flatMap(({ record, contact }) => {
    const { notes } = added.get(record.id)!
    return record.document.engagements
      .filter(({ key }) => !notes.has(key))
      .map((engagement) => ({ engagement, record: record.id, contactId: contact.record.id }))
  })
  for (let from = 0; from < wanted.length; from += batchSize) {
    const batch = wanted.slice(from, from + batchSize)
    const writes = batch.map(({ engagement }): Write => {
      const properties = { hs_timestamp: engagement.at, hs_note_body: noteBody(engagement) }
      return { trace: engagement.key, id: engagement.key, properties }
    })
    const results = await writeCorrected(portal, 'notes', writes)
    const pairs: { key: string; record: string; from: string; to: string }[] = []
    for (const { engagement, record, contactId } of batch) {
      const result = results.get(engagement.key)?.result
      if (result?.state === 'written')
        pairs.push({ key: engagement.key, record, from: result.record.id, to: contactId })
      else if (result?.state === 'refused') added.get(record)!.leftOut.push({ field: 'note', message: result.message })
    }
    const isDone = await associate(portal, ['notes', 'contacts'], pairs)
    for (const { key, record } of pairs) {
      const of = added.get(record)!
      if (isDone) of.notes.add(key)
      else of.leftOut.push({ field: 'note', message: 'HubSpot did not associate the note' })
    }
  }
}
