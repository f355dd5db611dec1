import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'

export const exportPresets = ['hubspot', 'heyreach', 'instantly', 'smartlead', 'clay', 'apollo'] as const

export const leadExport = named('LeadExport', {
  id: uuid,
  state: z.enum(['running', 'done', 'failed']),
  url: textOrNull.describe('URL of the file once done. It needs no key: anyone with the URL can read the file.'),
  expiresAt: isoDateTime.nullable().describe('When the file is deleted, 24 hours after the export is done.'),
  rows: integer.describe('Rows written so far.'),
})
