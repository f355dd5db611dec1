import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { companyFields } from './company.ts'
import { engagementType, paging } from './lead.ts'

/** One person with everything the filters chose of them (G38, G133). */
export const engager = named('Engager', {
  id: uuid.describe("The person's newest chosen lead row."),
  name: textOrNull,
  linkedinUrl: z.string(),
  avatarUrl: textOrNull,
  jobTitle: textOrNull,
  country: textOrNull,
  ...companyFields,
  isIcp: z.boolean().nullable().describe('True if any chosen row is; null while no criteria judged any.'),
  engagementCount: integer.describe('Chosen lead rows of the person.'),
  engagementTypes: z.array(engagementType),
  lastEngagedAt: isoDateTime.describe('When the newest chosen row was stored.'),
  sourceIds: z.array(uuid),
})

/** A page of engagers, last engaged first. `total` counts people: exact up to 10,000, above that a lower bound with `totalExact: false`. */
export const engagerPage = named('EngagerPage', { engagers: z.array(engager), ...paging })
