import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'

/** A person about whom the team stores data, or whom it had erased. */
export const privacyPerson = named('PrivacyPerson', {
  personId: uuid,
  name: textOrNull.describe('Null of somebody erased.'),
  linkedinUrl: textOrNull.describe('Null of somebody erased.'),
  leads: integer.describe('Lead rows of the person.'),
  firstSeenAt: isoDateTime.nullable().describe('Null of somebody erased.'),
  lastSeenAt: isoDateTime.nullable().describe('Null of somebody erased.'),
  erasedAt: isoDateTime.nullable().describe('Null while the person is not erased.'),
})

const personFact = named('PersonFact', {
  about: z.string().describe('What it is: `profile`, `lead`, `post`, `delivery`, …'),
  value: z.unknown().describe('The fact as it is held.'),
  source: z
    .enum(['vendor', 'engagement', 'destination', 'member'])
    .describe(
      'Where it comes from: a data vendor, an engagement that was captured, a destination, or the team itself.',
    ),
  recordedAt: isoDateTime,
})

export const personExport = named('PersonExport', {
  personId: uuid,
  exportedAt: isoDateTime,
  facts: z.array(personFact),
})

/** Proof of an erasure. */
export const erasureReceipt = named('ErasureReceipt', {
  id: uuid,
  erasedAt: isoDateTime,
  subjectHash: z.string().describe('A keyed hash of the person, hexadecimal: it names nobody to who lacks the key.'),
  counts: z.record(z.string(), integer).describe('What went, by kind.'),
  toldDownstream: z
    .array(
      z.object({
        kind: z.string().describe('What was told: `webhook`.'),
        id: uuid.describe('Id of the source whose webhook it is.'),
        state: z.enum(['waiting', 'delivered', 'failed']),
      }),
    )
    .describe('Who was told by `person.erased`, and whether it has arrived.'),
  notTold: z
    .array(z.string())
    .describe(
      'Where the person was sent and nobody could be told: `outreach`, the outreach platform, or the kind of a destination, such as ' +
        '`hubspot`. Remove them there.',
    ),
  keyId: z.string().describe('Names the signing secret that signed: the first 16 hexadecimal digits of its SHA-256.'),
  signature: z
    .string()
    .describe(
      'HMAC-SHA256, lower-case hexadecimal, of this receipt without `signature` in RFC 8785 form; the key is that of webhooks.',
    ),
})

export const erasure = named('Erasure', {
  id: uuid,
  state: z.literal('completed'),
  personId: uuid,
  reason: textOrNull.describe('What was given as the reason.'),
  receipt: erasureReceipt,
})
