import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'

export const exportPresets = ['hubspot', 'heyreach', 'instantly', 'smartlead', 'clay', 'apollo'] as const

export const leadExport = named('LeadExport', {
  id: uuid,
  state: z.enum(['running', 'done', 'failed']),
  url: textOrNull.describe('Where the file is, once done; it needs no key, so anybody with the address has the file.'),
  expiresAt: isoDateTime.nullable().describe('When the file is deleted: 24 hours after it was done.'),
  rows: integer.describe('Rows written so far.'),
})
