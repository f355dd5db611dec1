import { deliveryHeaders, timestampToleranceSeconds } from '../events.ts'
import { bounds } from '../values/index.ts'
import { creditAPersonSaid } from '../words/index.ts'
import type { Json } from './schema.ts'

export const howTo = [
  'Captures the people who engage with posts on a professional network, enriches them and delivers them as leads.',
  '',
  '## Authentication',
  'Every call carries an API key in `X-API-Key`. Create keys in the dashboard or with `POST /keys`. A key ' +
    'belongs to a team, and the team owns sources, leads and credits. Without a valid key the response is 401. A ' +
    'team without a subscription or trial gets 403.',
  '',
  '## Paging',
  'Lists take `limit` and `offset` and return `total`, `limit`, `offset` and `hasMore`. While `hasMore` is true, ' +
    'read the next page with `offset + limit`.',
  '',
  '## Spending',
  'A call that creates or raises a charge is first refused with 409 `spend_confirmation_required` and the ' +
    'figures to show (`estimatedDailyMax`, `estimatedCredits`, `remainingBalance`, …). Nothing was done. Send the ' +
    'same request with `confirmSpend: true` to perform it. Operations that can charge are marked ' +
    '`x-charges-credits`. Send an `Idempotency-Key` with them, and repeat a call only with the same key: credits ' +
    `are then charged once, however often you send the call. ${creditAPersonSaid}.`,
  '',
  '## Idempotency',
  'Every write and every read that charges accepts an `Idempotency-Key`. The first successful response under a ' +
    'key is replayed for 24 hours with `Idempotency-Replayed: true`; nothing is done or charged again. Repeat ' +
    'calls that can charge only with the same key.',
  '',
  '## Errors',
  'Every response carries the request id in `X-Request-Id`. Every error body is `{error, code?, requestId}` plus ' +
    'the details of its code. Handle errors by `code` when present, otherwise by status. Treat an unknown code ' +
    'like its status. 429 and 503 carry `Retry-After` in seconds, 502 where known. 429 means too many calls; out ' +
    'of credits is 402.',
  '',
  '## Rate limits',
  `Each team can make ${bounds.readsPerMinute} reads and ${bounds.writesPerMinute} writes per minute, counted in ` +
    'separate windows. Every response reports the remaining calls in `X-RateLimit-Remaining`.',
  '',
  '## Misspelt fields',
  'Unknown query parameters, and body fields whose name is close to a known field, are ignored. ' +
    '`X-Ignored-Parameters` lists them, each with the nearest known name.',
  '',
  '## Webhooks',
  `Events are signed \`POST\` requests. \`${deliveryHeaders.signature}\` is \`v1=\` followed by a hex HMAC-SHA256. ` +
    `The signed text is the value of \`${deliveryHeaders.timestamp}\`, a period, and the exact bytes of the body. ` +
    'The key is the base64-decoded part of the signing secret after `whsec_`. Reject a timestamp more than ' +
    `${timestampToleranceSeconds / 60} minutes from your clock, and drop duplicates by ` +
    `\`${deliveryHeaders.delivery}\`.`,
  '',
  '## Versioning',
  'Version 1: every path begins with `/api/v1`. Within a version, fields, operations, codes, events and values ' +
    'may be added. Existing ones keep their name, type and meaning. Ignore fields you do not know.',
].join('\n')

const ofText = (description: string, more: Json = {}): Json => ({ description, schema: { type: 'string', ...more } })
const ofCount = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } })

export const headers: Readonly<Record<string, Json>> = {
  'X-RateLimit-Limit': ofCount('Calls allowed per window.'),
  'X-RateLimit-Remaining': ofCount('Calls left in this window.'),
  'X-RateLimit-Reset': ofCount('Epoch seconds at which the window ends.'),
  RateLimit: ofText('The same as a structured field: calls left (r) and seconds until the window ends (t).'),
  'RateLimit-Policy': ofText('The quota (q) and the length of the window in seconds (w).'),
  'X-Request-Id': ofText('Id of this request; an id that you send is kept.'),
  'Retry-After': ofCount('Seconds to wait before you try again: on errors, and on reads of work still in progress.'),
  ETag: ofText('Validator of this response: send it back in If-None-Match.'),
  'X-Ignored-Parameters': ofText(
    'Present only when query parameters or fields were ignored. Lists them, each with the nearest known name, ' +
      'for example `limt;did-you-mean=limit`.',
  ),
  'Idempotency-Replayed': ofText(
    'Present and true when this is the stored response of an earlier request with the same Idempotency-Key.',
    { enum: ['true'] },
  ),
}

export const parameters: Readonly<Record<string, Json>> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a retry safe. The first successful response under a key is replayed for 24 hours with ' +
      'Idempotency-Replayed: true, and nothing is done or charged again. Accepted by every write and by every ' +
      'read that charges credits. Errors are not stored, so the request that adds confirmSpend may use the same ' +
      'key; any other request with the same key gets 422.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of a response you hold. Returns 304 without a body when it is unchanged.',
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
    'v1= and the hex HMAC-SHA256 of timestamp, period and body. Several signatures, separated by commas, while ' +
      'the secret is being rotated.',
    {},
  ),
  DeliveryEvent: deliveryHeader(deliveryHeaders.event, 'Name of the event.', {}),
  DeliveryId: deliveryHeader(
    deliveryHeaders.delivery,
    'Id of the delivery, the same in every attempt. Use it to drop duplicates.',
    {},
  ),
  StandardId: deliveryHeader(deliveryHeaders.standardId, 'Standard Webhooks: the same id.', {}),
  StandardTimestamp: deliveryHeader(deliveryHeaders.standardTimestamp, 'Standard Webhooks: the same timestamp.', {
    pattern: '^\\d+$',
  }),
  StandardSignature: deliveryHeader(
    deliveryHeaders.standardSignature,
    'Standard Webhooks: v1, followed by the signature in base64.',
    {},
  ),
}
