/**
 * Slack's incoming webhooks. Every address `/services/T…/B…/…` is a channel; the last part may contain `revoked` (gone),
 * `archived` (archived channel) or `prohibited` (apps may not post).
 */
import { z } from 'zod'
import { createCache } from '../../world/cache.ts'
import { objectIn, ok, readBody, type Exchange, type Reply } from '../exchange.ts'
import { playCall } from '../serve.ts'
import { fieldsOf, type Twin } from '../twin.ts'
import type { Answering } from '../vendor.ts'

/** `pings`: the mentions that Slack would notify. */
type SlackMessage = { at: string; payload: Record<string, unknown>; texts: string[]; pings: string[] }

/** Messages a channel accepts at once; one more is allowed every second. */
const BURST = 10

/** A channel behind a webhook address; `room`: messages it accepts at `countedAt`. */
type Channel = { messages: SlackMessage[]; revoked: boolean; room: number; countedAt: number }

/** A manual change of a channel's webhook. */
const slackChange = z.strictObject({ revoked: z.boolean() })

const MAX_BODY = 1024 * 1024
const LIMITS = { blocks: 50, section: 3_000, header: 150, elements: 10, text: 40_000 } as const

const said = (status: number, text: string, headers: Record<string, string> = {}): Reply => ({
  status,
  body: null,
  text,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
})

/** The key of `view` and `change` is the channel's path. */
export function createSlack() {
  const channels = createCache<string, Channel>()
  const at = (path: string, now = 0): Channel =>
    channels.get(path, () => ({ messages: [], revoked: false, room: BURST, countedAt: now }))
  async function serve(exchange: Exchange): Promise<void> {
    const { inside, request, path } = exchange
    const text = await readBody(request, MAX_BODY)
    const channel = at(path, inside.clock.now().getTime())
    const refusal = (): Reply | undefined => {
      const token = /^\/services\/T\w+\/B\w+\/([\w-]+)$/.exec(path)?.[1]
      if (token === undefined || channel.revoked || token.includes('revoked')) return said(404, 'no_service')
      if (request.method !== 'POST') return said(400, 'invalid_payload')
      if (token.includes('archived')) return said(410, 'channel_is_archived')
      if (token.includes('prohibited')) return said(403, 'action_prohibited')
      return undefined
    }
    const vendor: Answering = {
      name: 'slack',
      answer: () => post(channel, objectIn(text), inside.clock.now()),
      failure: (status, message) => said(status, { 400: 'invalid_payload', 429: 'rate_limited' }[status] ?? message),
      failureIn200: () => ok({ ok: false, error: 'fatal_error' }),
      notFound: () => said(404, 'channel_not_found'),
    }
    await playCall(vendor, exchange, { operation: 'webhook', query: { path }, refusal: refusal() })
  }
  return {
    prefix: '/services',
    serve,
    view: (path) => ({ messages: [...at(path).messages] }),
    change(path, change) {
      at(path).revoked = slackChange.parse(change).revoked
    },
    clear: channels.clear,
  } satisfies Twin
}

function post(channel: Channel, payload: Record<string, unknown> | undefined, now: Date): Reply {
  if (!payload) return said(400, 'invalid_payload')
  const blocks = Array.isArray(payload.blocks) ? payload.blocks : []
  const fallback = typeof payload.text === 'string' ? payload.text : ''
  if (blocks.length === 0 && fallback === '') return said(400, 'no_text')
  const texts = [{ text: fallback, markup: true, verbatim: false }, ...blocks.flatMap(textsOf)]
  if (fallback.length > LIMITS.text || blocks.length > LIMITS.blocks || !blocks.every(isBlock))
    return said(400, 'invalid_blocks')
  const elapsed = Math.max(0, now.getTime() - channel.countedAt) / 1_000
  channel.room = Math.min(BURST, channel.room + elapsed)
  channel.countedAt = now.getTime()
  if (channel.room < 1) return said(429, 'rate_limited', { 'retry-after': '1' })
  channel.room -= 1
  channel.messages.push({
    at: now.toISOString(),
    payload,
    texts: texts.map((one) => one.text),
    pings: texts.flatMap(pingsOf),
  })
  return said(200, 'ok')
}

type Text = { readonly text: string; readonly markup: boolean; readonly verbatim: boolean }

function isBlock(value: unknown): boolean {
  const { type, text, elements } = fieldsOf(value)
  const length = textsOf({ type, text }).reduce((sum, one) => sum + one.text.length, 0)
  if (type === 'divider') return true
  if (type === 'section') return length > 0 && length <= LIMITS.section
  if (type === 'header') return fieldsOf(text).type === 'plain_text' && length > 0 && length <= LIMITS.header
  if (type !== 'context' || !Array.isArray(elements)) return false
  const parts = elements.flatMap(textOf)
  return parts.length === elements.length && parts.length > 0 && parts.length <= LIMITS.elements
}

function textsOf(block: unknown): Text[] {
  const { text, elements } = fieldsOf(block)
  return [...textOf(text), ...(Array.isArray(elements) ? elements.flatMap(textOf) : [])]
}

function textOf(value: unknown): Text[] {
  const { type, text, verbatim } = fieldsOf(value)
  if ((type !== 'plain_text' && type !== 'mrkdwn') || typeof text !== 'string' || text === '') return []
  return [{ text, markup: type === 'mrkdwn', verbatim: verbatim === true }]
}

/** Mentions: `<!channel>`, `<@U…>` and `<#C…>` in markup, and bare names unless the text is verbatim. */
function pingsOf({ text, markup, verbatim }: Text): string[] {
  if (!markup) return []
  const named = [...text.matchAll(/<[!@#][^<>]{1,200}>/g)].map(([found]) => found)
  const bare = verbatim ? [] : [...text.matchAll(/(?<![\w<])@(?:channel|here|everyone)\b/g)].map(([found]) => found)
  return [...named, ...bare]
}
