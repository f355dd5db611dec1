/** Slack by incoming webhook: a secret URL for one channel. It returns no message id, so nothing can be looked up or changed. */
import { z } from 'zod'
import { parseJson } from '../calls.ts'
import { wordsIn } from '../vendor-message.ts'
import { checkBy, commonFailure, failureIn, outcomeOf, platformFailure, type Platform } from './http.ts'
import type { AdapterParts, Connection, DestinationAdapter, DestinationTrouble, PlatformAnswer } from './port.ts'
import { leadsInMessage, slackLead, slackMessage } from './slack-message.ts'

type SlackCredentials = { readonly webhookUrl: string }

const scope = 'incoming-webhook'
const hosts = new Set(['hooks.slack.com', 'hooks.slack-gov.com'])
const usualBase = 'https://hooks.slack.com'
const addressShape = /^\/services\/(T[A-Za-z0-9]+)\/(B[A-Za-z0-9]+)\/([A-Za-z0-9_-]+)$/

const isWebhookAddress = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:' || !hosts.has(url.host)) return false
  return (
    url.username === '' && url.password === '' && `${url.search}${url.hash}` === '' && addressShape.test(url.pathname)
  )
}

const settings = z.strictObject({})
const credentials = z.strictObject({
  webhookUrl: z
    .string()
    .max(500)
    .refine(
      isWebhookAddress,
      'give the address of an incoming webhook, such as https://hooks.slack.com/services/T…/B…/… (Slack: your app, Incoming Webhooks)',
    ),
})

/** The meaning of Slack's words; other words are judged by status. */
const meanings: Readonly<Record<string, readonly [DestinationTrouble, string]>> = {
  no_service: ['auth_revoked', 'no longer knows this webhook address: make a new one'],
  no_service_id: ['auth_revoked', 'no longer knows this webhook address: make a new one'],
  no_active_hooks: ['auth_revoked', 'no longer knows this webhook address: make a new one'],
  no_team: ['auth_revoked', 'no longer has this workspace'],
  team_disabled: ['auth_revoked', 'has disabled this workspace'],
  invalid_token: ['auth_revoked', 'refuses this webhook address: make a new one'],
  channel_not_found: ['setup_missing', 'no longer has the channel of this webhook'],
  channel_is_archived: ['setup_missing', 'has archived the channel of this webhook: restore it or make a new address'],
  action_prohibited: ['scope_missing', 'does not let this app post here: ask an administrator'],
  posting_to_general_channel_denied: ['scope_missing', 'does not let this app post in the general channel'],
  rate_limited: ['rate', 'takes no more messages for now'],
  ratelimited: ['rate', 'takes no more messages for now'],
  service_unavailable: ['unavailable', 'is out of order'],
  // Slack says that part of it may have been done.
  fatal_error: ['answer_lost', 'failed on the way'],
  internal_error: ['answer_lost', 'failed on the way'],
}
const byStatus: Readonly<Record<number, readonly [DestinationTrouble, string]>> = {
  401: ['auth_revoked', 'refuses this webhook address'],
  403: ['scope_missing', 'does not let this app post here'],
  404: ['auth_revoked', 'no longer knows this webhook address'],
  410: ['setup_missing', 'no longer has the channel of this webhook'],
}
/** Answers to an empty message, which show that the URL is valid. */
const emptyMessage = new Set(['no_text', 'invalid_payload', 'missing_text_or_fallback_or_attachments'])

/** The word of an answer (text or JSON); null for anything else, such as a page. */
function wordOf({ body }: PlatformAnswer): string | null {
  const text = body.toString('utf8', 0, 2_000).trim()
  if (/^[A-Za-z][\w ,.-]{1,99}$/.test(text)) return text.toLowerCase().replaceAll(' ', '_')
  const json = z.looseObject({ ok: z.boolean() }).safeParse(parseJson(body))
  if (!json.success) return null
  return json.data.ok ? 'ok' : (wordsIn(json.data.error) ?? 'not ok')
}

const platformOf = ({ webhookUrl }: SlackCredentials): Platform => ({
  name: 'Slack',
  secrets: [webhookUrl, webhookUrl.slice(webhookUrl.lastIndexOf('/') + 1)],
})

/** The failure of an answer, null for `ok`; `isProbe`: an empty message was sent, so its refusal is a success. */
function judge(platform: Platform, answer: PlatformAnswer, now: Date, isProbe: boolean) {
  const word = wordOf(answer)
  const { status } = answer
  if (word === 'ok' && status < 300) return null
  if (isProbe && status === 400 && word !== null && emptyMessage.has(word)) return null
  const isWord = word !== null && status !== 429 && status < 500
  const meaning = isWord ? (meanings[word] ?? byStatus[status]) : undefined
  if (meaning) {
    const [trouble, what] = meaning
    const missing = trouble === 'scope_missing' ? [scope] : []
    return platformFailure(platform, trouble, what, { words: word, missing })
  }
  if (isWord && (status < 300 || status >= 400))
    return platformFailure(platform, 'request_refused', 'refuses the message', { words: word })
  // A success without one of Slack's words may have posted the message.
  if (status >= 200 && status < 300 && !isProbe)
    return platformFailure(platform, 'answer_lost', 'answered with something that cannot be read')
  const common = commonFailure(platform, answer, now)
  return common ?? platformFailure(platform, 'request_refused', `refuses the message (HTTP ${status})`)
}

/** The webhook's path at its own host, unless `baseUrl` is another host than Slack's. */
const addressOf = (baseUrl: string, { webhookUrl }: SlackCredentials): string => {
  const own = new URL(webhookUrl)
  const base = new URL(baseUrl)
  return `${base.origin === usualBase ? own.origin : base.origin}${own.pathname}`
}

async function post(
  { call, baseUrl, now }: AdapterParts,
  { credentials: given }: Connection<unknown, SlackCredentials>,
  message: object | null,
): Promise<void> {
  const answer = await call({
    method: 'POST',
    url: addressOf(baseUrl, given),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message ?? {}),
    isRead: message === null,
  })
  const failure = judge(platformOf(given), answer, now, message === null)
  if (failure) throw failure
}

export const slack: DestinationAdapter<z.output<typeof settings>, SlackCredentials> = {
  kind: 'slack',
  settings,
  credentials,
  hint: ({ webhookUrl }) => webhookUrl.slice(-4),
  limits: { recordsPerDelivery: leadsInMessage, calls: 1, windowMs: 1_000, per: 'lead' },
  isRepeatable: false,
  check(parts, connection) {
    const [, team = '', hook = ''] = addressShape.exec(new URL(connection.credentials.webhookUrl).pathname) ?? []
    const whose = { account: `Slack workspace ${team}, webhook ${hook}`, scopes: [scope] }
    return checkBy(whose, async () => {
      await post(parts, connection, null)
      return {}
    })
  },
  prepare: async () => {},
  fields: async () => [],
  map: (_connection, document) => slackLead(document),
  async deliver(parts, connection, records) {
    if (records.length === 0) return []
    try {
      await post(parts, connection, slackMessage(records))
    } catch (error) {
      const failure = failureIn(error)
      return records.map(({ id }) => outcomeOf(id, failure))
    }
    return records.map(({ id, document }) => ({
      id,
      state: 'written',
      how: 'created',
      remote: { id: document.leadId, url: null, companyId: null, notes: [] },
    }))
  },
  find: async () => null,
}
