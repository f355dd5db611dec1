import { z } from 'zod'
import { isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { engagementType, paging } from './lead.ts'

/** A lead captured in raw mode: never enriched, in no list but its own (specification «Raw lead»). */
export const rawLead = named('RawLead', {
  id: uuid,
  sourceId: uuid.nullable(),
  linkedinUrl: z.string(),
  linkedinUrn: textOrNull.describe('Member id; null when unknown.'),
  name: textOrNull.describe('Null when capture recorded only an id.'),
  action: engagementType,
  commentText: textOrNull,
  post: z.object({ url: textOrNull, urn: textOrNull, postedAt: isoDateTime.nullable() }),
  detectedAt: isoDateTime,
})

/** A page of raw leads, newest first. */
export const rawLeadPage = named('RawLeadPage', { leads: z.array(rawLead), ...paging })
