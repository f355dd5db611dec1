import { z } from 'zod'

type SalesforceField = {
  name: string
  type: string
  length: number
  externalId: boolean
  unique: boolean
  required: boolean
  writable: boolean
  picklist: string[]
}
export type SalesforceRecord = { Id: string } & Record<string, unknown>
export type ObjectName = 'Lead' | 'Contact'
export type SalesforceObject = { fields: SalesforceField[]; records: SalesforceRecord[] }
export type Org = Record<ObjectName, SalesforceObject> & {
  nextId: number
  usedCalls: number
  /** True: the duplicate rule on email blocks; false: it only alerts. */
  blocksDuplicates: boolean
  /** Fields required by a customer's validation rule. */
  wanted: Set<string>
}

/** Daily calls of a Developer Edition. */
export const callsOfDay = 15_000

const one = (name: string, more: Partial<SalesforceField> = {}): SalesforceField => ({
  name,
  type: 'string',
  length: 255,
  externalId: false,
  unique: false,
  required: false,
  writable: true,
  picklist: [],
  ...more,
})
const common = (): SalesforceField[] => [
  one('Id', { type: 'id', length: 18, writable: false }),
  one('FirstName', { length: 40 }),
  one('LastName', { length: 80, required: true }),
  one('Title', { length: 128 }),
  one('Email', { type: 'email', length: 80 }),
  one('Description', { type: 'textarea', length: 32_000 }),
  one('LeadSource', { type: 'picklist' }),
  one('Rating__c', { type: 'picklist', picklist: ['Hot', 'Warm', 'Cold'] }),
  one('LES_Key__c', { externalId: true, unique: true }),
  one('CreatedDate', { type: 'datetime', writable: false }),
]

/** An org in which the customer has created the key field. */
export const openOrg = (): Org => ({
  Lead: {
    fields: [
      ...common(),
      one('Company', { required: true }),
      one('Website', { type: 'url' }),
      one('NumberOfEmployees', { type: 'int' }),
      one('Industry', { type: 'picklist' }),
    ],
    records: [],
  },
  Contact: { fields: common(), records: [] },
  nextId: 1,
  usedCalls: 0,
  blocksDuplicates: true,
  wanted: new Set(),
})

/** An 18-character id in Salesforce's format. */
export function newId(org: Org, name: ObjectName): string {
  const id = `${name === 'Lead' ? '00Q' : '003'}${String(org.nextId).padStart(15, '0')}`
  org.nextId += 1
  return id
}

const object = z.enum(['Lead', 'Contact'])
const changeSchema = z.union([
  z.strictObject({ do: z.literal('remove'), object, field: z.string() }),
  z.strictObject({ do: z.literal('require'), field: z.string() }),
  z.strictObject({ do: z.literal('create'), object, values: z.record(z.string(), z.unknown()) }),
  z.strictObject({ do: z.literal('set'), object, id: z.string(), values: z.record(z.string(), z.unknown()) }),
  z.strictObject({ do: z.literal('delete'), object, id: z.string() }),
  z.strictObject({ do: z.literal('allow-duplicates') }),
  z.strictObject({ do: z.literal('use-calls'), calls: z.number().int().min(0) }),
])

export function changeOrg(org: Org, wanted: unknown): void {
  const change = changeSchema.parse(wanted)
  if (change.do === 'allow-duplicates') org.blocksDuplicates = false
  if (change.do === 'use-calls') org.usedCalls = change.calls
  if (change.do === 'require') org.wanted.add(change.field)
  if (change.do === 'remove')
    org[change.object].fields = org[change.object].fields.filter(({ name }) => name !== change.field)
  if (change.do === 'create') org[change.object].records.push({ ...change.values, Id: newId(org, change.object) })
  if (change.do === 'set') Object.assign(org[change.object].records.find(({ Id }) => Id === change.id)!, change.values)
  if (change.do === 'delete')
    org[change.object].records = org[change.object].records.filter(({ Id }) => Id !== change.id)
}
