import { integer, isoDateTime, textOrNull } from '../values/index.ts'

/** The company fields every lead and engager row carries; null when unknown (specification «Lead», LED-17..LED-21). */
export const companyFields = {
  companyName: textOrNull,
  company: textOrNull.describe('Same as companyName.'),
  companyUrl: textOrNull.describe("The company's own website; never an address on the network."),
  companyDomain: textOrNull.describe('Hostname of the website.'),
  companyLinkedinUrl: textOrNull.describe('The company page on the network.'),
  companyDescription: textOrNull,
  companyIndustry: textOrNull,
  companyLocation: textOrNull.describe('Headquarters.'),
  companyEmployeeCount: integer.nullable().describe('Reported total; can disagree with companyStaffRange.'),
  companyStaffRange: textOrNull.describe('Size bucket, for example 51-200.'),
  companyEnrichedAt: isoDateTime
    .nullable()
    .describe('Null until the company is resolved; afterwards a null company field has no value.'),
}
