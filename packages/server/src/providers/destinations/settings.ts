import { z } from 'zod'
import type { WriteMode } from './port.ts'

const onUnlessSaid = (name: string) => z.boolean({ error: `${name} must be true or false` }).default(true)

const modes = ['always', 'if_empty', 'never'] as const satisfies readonly WriteMode[]
const mostFields = 200

/** Write modes by the platform's field. */
export const writeModeSchema = z
  .record(
    z.string().regex(/^\w{1,100}$/, 'writeMode names fields as the platform does, such as jobtitle'),
    z.enum(modes, { error: `a field of writeMode must be one of ${modes.join(', ')}` }),
    { error: 'writeMode must be an object such as {"jobtitle": "if_empty"}' },
  )
  .refine((value) => Object.keys(value).length <= mostFields, `writeMode may name at most ${mostFields} fields`)
  .default({})

export const crmSettings = z.strictObject({
  createCompanies: onUnlessSaid('createCompanies'),
  notes: onUnlessSaid('notes'),
  writeMode: writeModeSchema,
})
export type CrmSettings = z.output<typeof crmSettings>

/** A secret as platforms issue them. */
export const tokenSchema = (name: string, what: string) =>
  z
    .string({ error: `${name} must be ${what}` })
    .trim()
    .regex(/^[\x21-\x7e]{8,2000}$/, `${name} must be ${what}: 8 to 2,000 characters without spaces`)
