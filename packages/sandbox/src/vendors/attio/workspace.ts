import { z } from 'zod'

type Attribute = {
  api_slug: string
  title: string
  type: string
  is_unique: boolean
  is_archived: boolean
  is_writable: boolean
  is_required: boolean
  is_multiselect: boolean
  options: string[]
}

/** Each attribute holds a list of values. */
export type AttioRecord = { id: string; values: Record<string, unknown[]> }
type AttioObjectName = 'people' | 'companies'
export type AttioObject = { attributes: Attribute[]; records: AttioRecord[] }
export type Note = { id: string; parent: string; title: string; content: string; created_at: string }
export type Workspace = Record<AttioObjectName, AttioObject> & { notes: Note[]; nextId: number }

export const attribute = (api_slug: string, type = 'text', more: Partial<Attribute> = {}): Attribute => ({
  api_slug,
  title: api_slug,
  type,
  is_unique: false,
  is_archived: false,
  is_writable: true,
  is_required: false,
  is_multiselect: false,
  options: [],
  ...more,
})

export const openWorkspace = (): Workspace => ({
  people: {
    attributes: [
      attribute('name', 'personal-name'),
      attribute('email_addresses', 'email-address', { is_unique: true, is_multiselect: true }),
      attribute('job_title'),
      attribute('description'),
      attribute('linkedin'),
      attribute('company', 'record-reference'),
      attribute('temperature', 'select', { options: ['Cold', 'Warm', 'Hot'] }),
      attribute('created_at', 'timestamp', { is_writable: false }),
    ],
    records: [],
  },
  companies: {
    attributes: [attribute('name'), attribute('domains', 'domain', { is_unique: true, is_multiselect: true })],
    records: [],
  },
  notes: [],
  nextId: 1,
})

/** An id in Attio's format. */
export function newId(workspace: Workspace): string {
  const id = `00000000-0000-4000-8000-${String(workspace.nextId).padStart(12, '0')}`
  workspace.nextId += 1
  return id
}

export const plainValues = (record: AttioRecord, slug: string): string[] =>
  (record.values[slug] ?? []).map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)))

const records = z.enum(['people', 'companies'])
const changeSchema = z.union([
  z.strictObject({ do: z.literal('archive'), attribute: z.string() }),
  z.strictObject({ do: z.literal('create'), object: records, values: z.record(z.string(), z.array(z.unknown())) }),
  z.strictObject({ do: z.literal('set'), id: z.string(), values: z.record(z.string(), z.array(z.unknown())) }),
  z.strictObject({ do: z.literal('delete'), id: z.string() }),
])

export function changeWorkspace(workspace: Workspace, wanted: unknown): void {
  const change = changeSchema.parse(wanted)
  const { people } = workspace
  if (change.do === 'archive') {
    const found = people.attributes.find(({ api_slug }) => api_slug === change.attribute)
    if (!found) throw new Error(`there is no attribute ${change.attribute}`)
    found.is_archived = true
  }
  if (change.do === 'create') workspace[change.object].records.push({ id: newId(workspace), values: change.values })
  if (change.do === 'set') Object.assign(people.records.find(({ id }) => id === change.id)!.values, change.values)
  if (change.do === 'delete') people.records = people.records.filter(({ id }) => id !== change.id)
}
