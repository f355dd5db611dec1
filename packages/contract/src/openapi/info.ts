import { deliveryHeaders, timestampToleranceSeconds } from '../events.ts'
import { bounds } from '../values/index.ts'
import { creditAPersonSaid } from '../words/index.ts'
import type { Json } from './schema.ts'

export const howTo = [
  'Captures the people who engage with posts on a professional network, enriches them and delivers them as leads.',
  '',
  '## Authentication',
  'Every call carries an API key in `X-API-Key`. Make keys in the dashboard or with `POST /keys`; ' +
    'a key belongs to a team, and the team owns sources, leads and credits. ' +
    'Without a valid key the answer is 401; a team without a subscription or trial gets 403.',
  '',
  '## Paging',
  'Lists take `limit` and `offset` and answer `total`, `limit`, `offset` and `hasMore`. ' +
    'Read on with `offset + limit` while `hasMore` is true.',
  '',
  '## Spending',
  'What creates or raises a charge is first refused with 409 `spend_confirmation_required` and the figures ' +
    'to quote (`estimatedDailyMax`, `estimatedCredits`, `remainingBalance`, …). Nothing was done. ' +
    'The same request with `confirmSpend: true` performs it. Operations that can charge are marked ' +
    '`x-charges-credits`: send an `Idempotency-Key` with them, and repeat a call only under the same one; ' +
    `what it has charged is then charged once, however often the call is sent. ${creditAPersonSaid}.`,
  '',
  '## Idempotency',
  'Every write, and every read that charges, takes an `Idempotency-Key`. ' +
    'The first success under a key is replayed for 24 hours with `Idempotency-Replayed: true`; ' +
    'nothing is done or charged again. Repeat what can charge only under the same key.',
  '',
  '## Errors',
  'Every answer names its request in `X-Request-Id`. Every refusal is `{error, code?, requestId}` with ' +
    'the details of its code. Decide by `code` where there is one and by the status otherwise; ' +
    'a code you do not know means what its status means. 429 and 503 carry `Retry-After` in seconds, 502 where known. ' +
    '429 means called too fast; out of credits is 402.',
  '',
  '## Rate limits',
  `${bounds.readsPerMinute} reads and ${bounds.writesPerMinute} writes a minute for each team, in windows of ` +
    'their own; every answer says what is left in `X-RateLimit-Remaining`.',
  '',
  '## Misspelt fields',
  'Query parameters that an operation does not know, and body fields that nearly have the name of one it ' +
    'knows, are ignored and named in `X-Ignored-Parameters`, with the nearest name.',
  '',
  '## Webhooks',
  `Events are signed \`POST\` requests. \`${deliveryHeaders.signature}\` is \`v1=\` and the hex HMAC-SHA256 ` +
    `of the text of \`${deliveryHeaders.timestamp}\`, a period, and the exact bytes of the body, under the ` +
    'base64-decoded part of the signing secret behind `whsec_`. Refuse a timestamp more than ' +
    `${timestampToleranceSeconds / 60} minutes from your clock, and drop what you have seen by ` +
    `\`${deliveryHeaders.delivery}\`.`,
  '',
  '## Versioning',
  'Version 1: every path begins with `/api/v1`. Within it fields, operations, codes, events and values may ' +
    'be added; what is there keeps its name, type and meaning. Ignore fields you do not know.',
].join('\n')

const ofText = (description: string, more: Json = {}): Json => ({ description, schema: { type: 'string', ...more } })
const ofCount = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } })

export const headers: Readonly<Record<string, Json>> = {
  'X-RateLimit-Limit': ofCount('Calls a window allows.'),
  'X-RateLimit-Remaining': ofCount('Calls left in this window.'),
  'X-RateLimit-Reset': ofCount('Epoch seconds at which the window ends.'),
  RateLimit: ofText('The same as a structured field: what is left (r) and seconds to the end (t).'),
  'RateLimit-Policy': ofText('The window and its quota (q) in seconds (w).'),
  'X-Request-Id': ofText('Id of this request; one that was sent is kept.'),
  'Retry-After': ofCount(
    'Seconds after which to ask again: after a refusal, and on reads of work that is still under way.',
  ),
  ETag: ofText('Validator of this answer: send it back in If-None-Match.'),
  'X-Ignored-Parameters': ofText(
    'Only when there are some: query parameters and fields that were ignored, ' +
      'each with the nearest name that is known, for example `limt;did-you-mean=limit`.',
  ),
  'Idempotency-Replayed': ofText(
    'Present, and true, when this is the stored answer of an earlier request with the same Idempotency-Key.',
    { enum: ['true'] },
  ),
}

export const parameters: Readonly<Record<string, Json>> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a retry safe: the first success under a key is replayed for 24 hours with ' +
      'Idempotency-Replayed: true, and nothing is done or charged again. Taken by every write and by every read that charges credits. ' +
      'Refusals are not kept, so the request that adds confirmSpend may carry the same key; ' +
      'any other request under it is 422.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of an answer that is held: 304 without a body when it is still so.',
    schema: { type: 'string' },
  },
}

const deliveryHeader = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
})

export const deliveryParameters: Readonly<Record<string, Json>> = {
  DeliveryTimestamp: deliveryHeader(deliveryHeaders.timestamp, 'Epoch seconds at which this attempt was signed.', {
    pattern: '^\\d+$',
  }),
  DeliverySignature: deliveryHeader(
    deliveryHeaders.signature,
    'v1= and the hex HMAC-SHA256 of timestamp, period and body; several, comma separated, while a secret is being changed.',
    {},
  ),
  DeliveryEvent: deliveryHeader(deliveryHeaders.event, 'Name of the event.', {}),
  DeliveryId: deliveryHeader(
    deliveryHeaders.delivery,
    'Id of the delivery, the same in every attempt: drop what you have seen.',
    {},
  ),
  StandardId: deliveryHeader(deliveryHeaders.standardId, 'Standard Webhooks: the same id.', {}),
  StandardTimestamp: deliveryHeader(deliveryHeaders.standardTimestamp, 'Standard Webhooks: the same timestamp.', {
    pattern: '^\\d+$',
  }),
  StandardSignature: deliveryHeader(deliveryHeaders.standardSignature, 'Standard Webhooks: v1, and base64.', {}),
}
