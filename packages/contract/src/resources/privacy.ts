import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'

/** A person about whom the team stores data, or whom it had erased. */
export const privacyPerson = named('PrivacyPerson', {
  personId: uuid,
  name: textOrNull.describe('Null for an erased person.'),
  linkedinUrl: textOrNull.describe('Null for an erased person.'),
  leads: integer.describe('Lead rows of the person.'),
  firstSeenAt: isoDateTime.nullable().describe('Null for an erased person.'),
  lastSeenAt: isoDateTime.nullable().describe('Null for an erased person.'),
  erasedAt: isoDateTime.nullable().describe('Null while the person is not erased.'),
})

const personFact = named('PersonFact', {
  about: z.string().describe('Kind of fact: `profile`, `lead`, `post`, `delivery`, …'),
  value: z.unknown().describe('The fact as stored.'),
  source: z
    .enum(['vendor', 'engagement', 'destination', 'member'])
    .describe('Origin of the fact: a data vendor, a captured engagement, a destination, or the team itself.'),
  recordedAt: isoDateTime,
})

export const personExport = named('PersonExport', {
  personId: uuid,
  exportedAt: isoDateTime,
  facts: z.array(personFact),
})

/** Proof of an erasure. */
const erasureReceipt = named('ErasureReceipt', {
  id: uuid,
  erasedAt: isoDateTime,
  subjectHash: z.string().describe('A keyed hash of the person, in hexadecimal. It identifies nobody without the key.'),
  counts: z.record(z.string(), integer).describe('What was deleted, by kind.'),
  toldDownstream: z
    .array(
      z.object({
        kind: z.string().describe('Kind of receiver: `webhook`.'),
        id: uuid.describe('Id of the source that owns the webhook.'),
        state: z.enum(['waiting', 'delivered', 'failed']),
      }),
    )
    .describe('Receivers notified with `person.erased`, and the state of each delivery.'),
  notTold: z
    .array(z.string())
    .describe(
      'Places the person was sent to that could not be notified: `outreach` for the outreach platform, or the ' +
        'kind of a destination, such as `hubspot`. Remove the person there yourself.',
    ),
  keyId: z.string().describe('Identifies the signing secret used: the first 16 hexadecimal digits of its SHA-256.'),
  signature: z
    .string()
    .describe(
      'HMAC-SHA256 in lower-case hexadecimal over this receipt without `signature`, in RFC 8785 form. The key is ' +
        'the webhook signing key.',
    ),
})

export const erasure = named('Erasure', {
  id: uuid,
  state: z.literal('completed'),
  personId: uuid,
  reason: textOrNull.describe('The reason given.'),
  receipt: erasureReceipt,
})
