import { z } from 'zod'

export type Property = {
  name: string
  label: string
  type: 'string' | 'number' | 'bool' | 'datetime' | 'date' | 'enumeration'
  fieldType: string
  groupName: string
  options: { label: string; value: string; hidden: boolean }[]
  hasUniqueValue: boolean
  archived: boolean
  readOnly: boolean
}

/** `associated` holds ids by object. */
export type CrmRecord = {
  id: string
  properties: Record<string, string>
  associated: Record<string, string[]>
  archived: boolean
  /** Values set by hand by property, newest first. */
  history?: Record<string, { value: string; timestamp: string }[]>
}

const objectNames = ['contacts', 'companies', 'notes', 'deals'] as const

export type ObjectName = (typeof objectNames)[number]

export const isObjectName = (name: string): name is ObjectName => (objectNames as readonly string[]).includes(name)

type CrmObject = { properties: Property[]; groups: Set<string>; records: CrmRecord[]; required: Set<string> }
export type Portal = Record<ObjectName, CrmObject> & { id: number; nextId: number }

const plain = (name: string, type: Property['type'] = 'string', more: Partial<Property> = {}): Property => ({
  name,
  label: name,
  type,
  fieldType: type === 'enumeration' ? 'select' : 'text',
  groupName: 'information',
  options: [],
  hasUniqueValue: false,
  archived: false,
  readOnly: false,
  ...more,
})
const plains = (...names: string[]): Property[] => names.map((name) => plain(name))
const choice = (name: string, ...values: string[]): Property =>
  plain(name, 'enumeration', { options: values.map((value) => ({ label: value, value, hidden: false })) })

const stages = ['subscriber', 'lead', 'marketingqualifiedlead', 'salesqualifiedlead', 'opportunity', 'customer']

const standard = (): Record<ObjectName, Property[]> => ({
  contacts: [
    ...plains('firstname', 'lastname', 'jobtitle', 'company', 'country', 'phone', 'website', 'industry'),
    plain('email', 'string', { hasUniqueValue: true }),
    choice('lifecyclestage', ...stages),
    choice('hs_lead_status', 'NEW', 'OPEN', 'CONNECTED'),
    plain('createdate', 'datetime', { readOnly: true }),
  ],
  companies: [
    ...plains('name', 'domain', 'country', 'description', 'linkedin_company_page'),
    plain('numberofemployees', 'number'),
    choice('industry', 'COMPUTER_SOFTWARE', 'INFORMATION_TECHNOLOGY_AND_SERVICES', 'FINANCIAL_SERVICES'),
  ],
  notes: [plain('hs_timestamp', 'datetime'), plain('hs_note_body')],
  deals: [
    ...plains('dealname', 'dealstage', 'hs_is_closed_won', 'hs_is_closed_lost', 'deal_currency_code'),
    plain('amount', 'number'),
    plain('closedate', 'datetime'),
  ],
})

export function openPortal(id: number): Portal {
  const objects = Object.entries(standard()).map(([name, properties]): [string, CrmObject] => [
    name,
    { properties, groups: new Set(['information']), records: [], required: new Set() },
  ])
  return { id, nextId: 501, ...(Object.fromEntries(objects) as Record<ObjectName, CrmObject>) }
}

/** A value a property refuses, with the platform's message. */
export type Invalid = { name: string; error: string; message: string }

export function invalidIn(object: CrmObject, values: Readonly<Record<string, unknown>>): Invalid[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const property = object.properties.find((one) => one.name === name && !one.archived)
    const wrong = (error: string, message: string): Invalid[] => [{ name, error, message }]
    if (!property) return wrong('PROPERTY_DOESNT_EXIST', `Property "${name}" does not exist`)
    if (property.readOnly) return wrong('READ_ONLY_VALUE', `"${name}" is a read only property`)
    const text = String(value)
    if (text === '') return []
    if (property.type === 'enumeration' && !property.options.some((option) => option.value === text)) {
      const allowed = property.options.map((option) => option.value).join(', ')
      return wrong('INVALID_OPTION', `${text} was not one of the allowed options: [${allowed}]`)
    }
    if (property.type === 'number' && !/^-?\d+(\.\d+)?$/.test(text))
      return wrong('INVALID_LONG', `${text} was not a valid long.`)
    if (property.type === 'datetime' && Number.isNaN(Date.parse(text)) && !/^\d+$/.test(text))
      return wrong('INVALID_DATE', `${text} was not a valid date.`)
    if (name === 'email' && !/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text))
      return wrong('INVALID_EMAIL', `Email address ${text} is invalid`)
    if (text.length > 65_536) return wrong('PROPERTY_VALUE_TOO_LONG', `The value of ${name} is too long`)
    return []
  })
}

/** The record with this id or unique property value. */
export const recordBy = (object: CrmObject, idProperty: string, value: string): CrmRecord | undefined =>
  object.records.find(
    (record) =>
      !record.archived &&
      (idProperty === 'hs_object_id'
        ? record.id === value
        : record.properties[idProperty]?.toLowerCase() === value.toLowerCase()),
  )

const of = { object: z.enum(objectNames) }
const properties = z.record(z.string(), z.string())
const changeSchema = z.union([
  z.strictObject({ do: z.enum(['archive', 'require']), ...of, property: z.string() }),
  z.strictObject({ do: z.literal('create'), ...of, properties }),
  z.strictObject({ do: z.literal('set'), ...of, id: z.string(), properties, at: z.string().optional() }),
  z.strictObject({ do: z.literal('deal'), contact: z.string(), properties }),
  z.strictObject({ do: z.literal('delete'), ...of, id: z.string() }),
])

export function changePortal(portal: Portal, wanted: unknown): void {
  const change = changeSchema.parse(wanted)
  if (change.do === 'deal') {
    const deal = newRecord(portal, change.properties)
    portal.deals.records.push(deal)
    portal.contacts.records.find(({ id }) => id === change.contact)!.associated.deals = [deal.id]
    return
  }
  const object = portal[change.object]
  const property = 'property' in change ? object.properties.find(({ name }) => name === change.property) : undefined
  if ('property' in change && !property) throw new Error(`there is no property ${change.property}`)
  const record = 'id' in change ? object.records.find(({ id }) => id === change.id) : undefined
  if ('id' in change && !record) throw new Error(`there is no record ${change.id}`)
  if (change.do === 'archive') property!.archived = true
  if (change.do === 'require') object.required.add(property!.name)
  if (change.do === 'create') object.records.push(newRecord(portal, change.properties))
  if (change.do === 'set') {
    Object.assign(record!.properties, change.properties)
    const { at: timestamp } = change
    if (timestamp !== undefined)
      for (const [name, value] of Object.entries(change.properties))
        record!.history = { ...record!.history, [name]: [{ value, timestamp }, ...(record!.history?.[name] ?? [])] }
  }
  if (change.do === 'delete') record!.archived = true
}

export function newRecord(portal: Portal, properties: Record<string, string>): CrmRecord {
  const id = String(portal.nextId)
  portal.nextId += 1
  return { id, properties: { ...properties }, associated: {}, archived: false }
}
