import { z } from 'zod'
import { exclusionKinds, integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { lead } from './lead.ts'

/** A list entry that excludes people (EXC-01). */
export const exclusion = named('Exclusion', {
  id: uuid,
  kind: z.enum(exclusionKinds),
  value: z.string().describe('As it was read: a handle without `@`, a domain without `www.`.'),
  list: z.string(),
  reason: textOrNull,
  createdAt: isoDateTime,
  createdBy: z.string().describe('Who added it: the address of a member, or the name of a key.'),
  origin: z.enum(['api', 'dashboard', 'csv', 'destination', 'result']).describe('How it came in.'),
})

export const addedExclusions = named('AddedExclusions', {
  added: integer,
  alreadyListed: integer.describe('There before, on whatever list: they stay as they are.'),
  invalid: z
    .array(z.object({ index: integer.describe('Its place in the request, from 0.'), error: z.string() }))
    .describe('Entries that were not taken, and why.'),
  matchingLeads: integer.describe('Lead rows that the valid entries meet now, those already listed included.'),
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
    .describe('Exclude people who work at the tracked company, or where the tracked person works; default false.'),
  repliedElsewhere: z
    .boolean()
    .describe('Exclude people who replied, or were won, from automatic sending; default true.'),
})

export const triedExclusionSettings = named('TriedExclusionSettings', {
  dryRun: z.literal(true),
  counts: z
    .object({ matching: integer, notMatching: integer })
    .describe('Lead rows excluded by entries and these settings, and all others; matching counts up to 10,000.'),
})
