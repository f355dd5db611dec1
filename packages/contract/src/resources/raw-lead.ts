import { z } from 'zod'
import { isoDateTime, uuid } from '../values/index.ts'
import { engagementType, paging } from './lead.ts'

/** A lead captured in raw mode: never enriched, in no list but its own (specification «Raw lead»). */
export const rawLead = z
  .object({
    id: uuid,
    sourceId: uuid.nullable(),
    linkedinUrl: z.string(),
    linkedinUrn: z.string().nullable().meta({ description: 'Member id; null when unknown.' }),
    name: z.string().nullable().meta({ description: 'Null when capture recorded only an id.' }),
    action: engagementType,
    commentText: z.string().nullable(),
    post: z.object({ url: z.string().nullable(), urn: z.string().nullable(), postedAt: isoDateTime.nullable() }),
    detectedAt: isoDateTime,
  })
  .meta({ id: 'RawLead' })

/** A page of raw leads, newest first. */
export const rawLeadPage = z.object({ leads: z.array(rawLead), ...paging }).meta({ id: 'RawLeadPage' })
