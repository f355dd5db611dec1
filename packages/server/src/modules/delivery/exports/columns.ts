import { lead } from '@les/contract'
import type { LeadResource } from '../../leads/index.ts'
import { splitName } from '../destinations/documents.ts'

export type Preset = 'hubspot' | 'heyreach' | 'instantly' | 'smartlead' | 'clay' | 'apollo'

export type Cell = string | number | boolean | null

type Column = readonly [head: string, value: (lead: LeadResource) => Cell]

const first: Column[1] = ({ name }) => splitName(name).firstName
const last: Column[1] = ({ name }) => splitName(name).lastName
const none: Column[1] = () => null

/** The column names that each importer maps by itself. Leads have no email address, so that column stays empty. */
const presets: Readonly<Record<Preset, readonly Column[]>> = {
  hubspot: [
    ['First Name', first],
    ['Last Name', last],
    ['Email', none],
    ['Job Title', ({ jobTitle }) => jobTitle],
    ['Company Name', ({ companyName }) => companyName],
    ['Company Domain Name', ({ companyDomain }) => companyDomain],
    ['Country/Region', ({ country }) => country],
    ['LinkedIn URL', ({ linkedinUrl }) => linkedinUrl],
  ],
  heyreach: [
    ['profileUrl', ({ linkedinUrl }) => linkedinUrl],
    ['firstName', first],
    ['lastName', last],
    ['companyName', ({ companyName }) => companyName],
    ['position', ({ jobTitle }) => jobTitle],
    ['location', ({ country }) => country],
    ['emailAddress', none],
  ],
  instantly: [
    ['email', none],
    ['first_name', first],
    ['last_name', last],
    ['company_name', ({ companyName }) => companyName],
    ['website', ({ companyDomain }) => companyDomain],
    ['linkedin', ({ linkedinUrl }) => linkedinUrl],
    ['job_title', ({ jobTitle }) => jobTitle],
  ],
  smartlead: [
    ['email', none],
    ['first_name', first],
    ['last_name', last],
    ['company_name', ({ companyName }) => companyName],
    ['website', ({ companyDomain }) => companyDomain],
    ['linkedin_profile', ({ linkedinUrl }) => linkedinUrl],
    ['location', ({ country }) => country],
  ],
  clay: [
    ['Full Name', ({ name }) => name],
    ['First Name', first],
    ['Last Name', last],
    ['Job Title', ({ jobTitle }) => jobTitle],
    ['Company Name', ({ companyName }) => companyName],
    ['Company Domain', ({ companyDomain }) => companyDomain],
    ['Location', ({ country }) => country],
    ['LinkedIn Profile', ({ linkedinUrl }) => linkedinUrl],
  ],
  apollo: [
    ['First Name', first],
    ['Last Name', last],
    ['Title', ({ jobTitle }) => jobTitle],
    ['Company', ({ companyName }) => companyName],
    ['Email', none],
    ['Website', ({ companyDomain }) => companyDomain],
    ['Country', ({ country }) => country],
    ['Person Linkedin Url', ({ linkedinUrl }) => linkedinUrl],
  ],
}

const allFields = Object.keys(lead.shape) as (keyof LeadResource)[]

const cellOf = (value: unknown): Cell =>
  value === null || value === undefined
    ? null
    : typeof value === 'object'
      ? JSON.stringify(value)
      : (value as string | number | boolean)

/** The columns of an export: those of the preset, or all fields of a lead. */
export const columnsOf = (preset: Preset | null): readonly Column[] =>
  preset === null ? allFields.map((field): Column => [field, (one) => cellOf(one[field])]) : presets[preset]
