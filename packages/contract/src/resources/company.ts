import { z } from 'zod'
import { isoDateTime } from '../values/index.ts'

/** The company fields every lead and engager row carries; null when unknown (specification «Lead», LED-17..LED-21). */
export const companyFields = {
  companyName: z.string().nullable(),
  company: z.string().nullable().meta({ description: 'Same as companyName.' }),
  companyUrl: z
    .string()
    .nullable()
    .meta({ description: "The company's own website; never an address on the network." }),
  companyDomain: z.string().nullable().meta({ description: 'Hostname of the website.' }),
  companyLinkedinUrl: z.string().nullable().meta({ description: 'The company page on the network.' }),
  companyDescription: z.string().nullable(),
  companyIndustry: z.string().nullable(),
  companyLocation: z.string().nullable().meta({ description: 'Headquarters.' }),
  companyEmployeeCount: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Reported total; can disagree with companyStaffRange.' }),
  companyStaffRange: z.string().nullable().meta({ description: 'Size bucket, for example 51-200.' }),
  companyEnrichedAt: isoDateTime
    .nullable()
    .meta({ description: 'Null until the company is resolved; afterwards a null company field has no value.' }),
}
