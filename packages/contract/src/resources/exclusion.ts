import { z } from 'zod'
import { exclusionKinds, integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { lead } from './lead.ts'

/** A list entry that excludes people (EXC-01). */
export const exclusion = named('Exclusion', {
  id: uuid,
  kind: z.enum(exclusionKinds),
  value: z.string().describe('The normalized value: a handle without `@`, a domain without `www.`.'),
  list: z.string(),
  reason: textOrNull,
  createdAt: isoDateTime,
  createdBy: z.string().describe('Who added the entry: the email address of a member or the name of a key.'),
  origin: z.enum(['api', 'dashboard', 'csv', 'destination', 'result']).describe('How the entry was added.'),
})

export const addedExclusions = named('AddedExclusions', {
  added: integer,
  alreadyListed: integer.describe('Entries that already exist on any list; they stay unchanged.'),
  invalid: z
    .array(z.object({ index: integer.describe('Position in the request, from 0.'), error: z.string() }))
    .describe('Rejected entries and the reason for each.'),
  matchingLeads: integer.describe('Lead rows that match the valid entries now, including entries already listed.'),
})

export const triedExclusions = named('TriedExclusions', {
  dryRun: z.literal(true),
  counts: z.object({ matching: integer, notMatching: integer }),
  sample: z.array(lead).describe('At most ten matching leads, newest first.'),
})

/** Rules that exclude people without an entry (EXC-04). */
export const exclusionSettings = named('ExclusionSettings', {
  worksAtSource: z
    .boolean()
    .describe("Exclude people who work at the tracked company or at the tracked person's employer; default false."),
  repliedElsewhere: z
    .boolean()
    .describe('Exclude people who replied or were won from automatic sending; default true.'),
})

export const triedExclusionSettings = named('TriedExclusionSettings', {
  dryRun: z.literal(true),
  counts: z
    .object({ matching: integer, notMatching: integer })
    .describe('Lead rows that entries and these settings exclude, and all other rows; matching counts up to 10,000.'),
})
