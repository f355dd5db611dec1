/** The judge without a socket: what is asked again, of which vendor, how often, and how a question ends (AIF-09, AIF-10). */
import { describe, expect, it } from 'vitest'
import { answering, failuresOf, type Served, stillClock } from '../../../test/providers/answers.ts'
import type { Egress, EgressRequest } from '../../platform/egress/types.ts'
import type { AiLogEntry } from './call.ts'
import { createAiJudge } from './judge.ts'
import { AiFailure, type AiPost, type AiQuestion } from './port.ts'

const posts = (count: number): AiPost[] =>
  Array.from({ length: count }, (_, at) => ({ id: `p${at}`, text: `Post ${at}`, author: 'Ada', headline: null }))
type Given = { id: string; keep: boolean; reason: string }
const shown = (request: EgressRequest): { id: string; text: string }[] =>
  [...String(request.body).matchAll(/\\"id\\": \\"([^"\\]+)\\"[^}]*?\\"text\\": \\"([^"\\]*)\\"/g)].map(
    ([, id, text]) => ({ id: id!, text: text! }),
  )
const isControl = (request: EgressRequest) => String(request.body).includes('Good morning everyone')

/** An answer of Mistral, whose format is the shortest. */
const said = (
  content: string,
  finish = 'stop',
  usage: object = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
): Served => ({
  body: {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
    usage,
  },
})
const verdicts = (request: EgressRequest, keep: (text: string) => boolean = () => true): Served =>
  said(
    JSON.stringify({
      verdicts: shown(request).map(({ id, text }): Given => ({ id, keep: keep(text), reason: `on ${text}` })),
    }),
  )

type Reply = (request: EgressRequest, number: number) => Served | Error | Promise<Served | Error>
function before(reply: Reply, bytes?: (count: number) => Buffer) {
  const sent: EgressRequest[] = []
  const log: AiLogEntry[] = []
  const system = stillClock()
  let random = 0
  const egress: Egress = {
    request: async (request) => {
      sent.push(request)
      return answering(await reply(request, sent.length)).request(request)
    },
    close: async () => {},
  }
  const addresses = {
    openai: 'https://o.example/v1',
    anthropic: 'https://a.example/v1',
    google: 'https://g.example/v1',
    mistral: 'https://m.example/v1',
  }
  const judge = createAiJudge({
    addresses,
    egress,
    system,
    ids: { bytes: bytes ?? ((count) => Buffer.alloc(count, (random += 1))) },
    random: { next: () => 0.5 },
    log: (entry) => void log.push(entry),
  })
  const ask = (change: Partial<AiQuestion> = {}) =>
    judge.judge({ vendor: 'mistral', model: null, key: 'sk-team', prompt: 'Keep all', posts: posts(3), ...change })
  return { judge, ask, sent, log, system }
}
const failureOf = failuresOf(AiFailure)
const sizes = (sent: EgressRequest[]) => sent.map((request) => (isControl(request) ? 'control' : shown(request).length))

describe('a question', () => {
  it('is about 1 to 10 posts, each once', async () => {
    const { ask, sent } = before((request) => verdicts(request))
    for (const wrong of [[], posts(11), [posts(1)[0]!, posts(1)[0]!]])
      await expect(ask({ posts: wrong })).rejects.toThrow(new RangeError('a question is about 1 to 10 different posts'))
    expect(sent).toHaveLength(0)
    expect([(await ask({ posts: posts(1) })).length, (await ask({ posts: posts(10) })).length]).toEqual([1, 10])
  })
  it('has sixty seconds, of which one exchange takes thirty, unless its caller gives it less', async () => {
    const late = before(() => {
      late.system.move(29_000)
      return said('prose')
    })
    const failure = await failureOf(late.ask({ posts: posts(1) }))
    expect([late.sent.map(({ timeoutMs }) => timeoutMs), failure.kind]).toEqual([[30_000, 30_000, 2_000], 'unreadable'])
    const little = before((request) => verdicts(request))
    await little.ask({ timeoutMs: 700 })
    expect(little.sent[0]!.timeoutMs).toBe(700)
    const none = before((request) => verdicts(request))
    expect([(await failureOf(none.ask({ timeoutMs: 0 }))).kind, none.sent.length]).toEqual(['unavailable', 0])
    const gone = before((request) => verdicts(request))
    expect([(await failureOf(gone.ask({ signal: AbortSignal.abort() }))).kind, gone.sent.length]).toEqual([
      'unavailable',
      0,
    ])
  })
})

describe('an answer that cannot be read', () => {
  it('is asked for four posts at once, and no more after a failure', async () => {
    const { ask, sent } = before((request, number) =>
      number === 1 ? said('prose') : number === 2 ? { status: 401, body: {} } : verdicts(request),
    )
    expect((await failureOf(ask({ posts: posts(10) }))).kind).toBe('key')
    expect(sent.length).toBeLessThanOrEqual(6)
    let open = 0
    let most = 0
    const many = before(async (request, number) => {
      if (number === 1) return said('prose')
      most = Math.max(most, (open += 1))
      await Promise.resolve()
      await new Promise((done) => setImmediate(done))
      open -= 1
      return verdicts(request)
    })
    expect([(await many.ask({ posts: posts(10) })).length, most]).toEqual([10, 4])
  })
})

describe('thinking', () => {
  const reply = (request: EgressRequest): Served => ({
    body: {
      id: 'x',
      created_at: 1,
      model: 'gpt-6-luna',
      status: 'completed',
      output: [
        {
          type: 'message',
          id: 'y',
          role: 'assistant',
          status: 'completed',
          content: [
            {
              type: 'output_text',
              text: JSON.stringify({ verdicts: shown(request).map(({ id }) => ({ id, keep: true, reason: 'r' })) }),
              annotations: [],
            },
          ],
        },
      ],
      usage: { input_tokens: 10, output_tokens: 10 },
    },
  })
  const noThoughts: Served = { status: 400, body: { error: { message: 'Unsupported parameter: reasoning.effort' } } }
  const told = (sent: EgressRequest[]) =>
    sent.map(({ body }) => (JSON.parse(String(body)) as { reasoning?: { effort?: string } }).reasoning?.effort ?? null)

  it('is turned off where a model takes that, nothing is kept there, and a model that refuses it is left alone for good', async () => {
    const { ask, sent } = before((request) =>
      /"effort":"none"/.test(String(request.body)) ? noThoughts : reply(request),
    )
    expect(await ask({ vendor: 'openai' })).toHaveLength(3)
    expect(await ask({ vendor: 'openai' })).toHaveLength(3)
    expect(told(sent)).toEqual(['none', null, null])
    expect(sent.map(({ body }) => (JSON.parse(String(body)) as { store?: boolean }).store)).toEqual([
      false,
      false,
      false,
    ])
    await ask({ vendor: 'openai', model: 'gpt-6-luna-2026-08-01' })
    await ask({ vendor: 'openai', model: 'gpt-9' })
    // The reasoning effort is set only for models that are known to accept it.
    expect(
      told(sent)
        .slice(3)
        .map((effort) => effort !== null),
    ).toEqual([true, false])
  })
  it('that is refused though nothing was said of it is a refusal of the question', async () => {
    const { ask, sent } = before(() => noThoughts)
    expect((await failureOf(ask({ vendor: 'openai' }))).kind).toBe('model')
    expect(sizes(sent)).toEqual([3, 3, 'control'])
  })
})

describe('a key', () => {
  it('is not tried for a caller who has gone', async () => {
    const { judge, sent } = before(() => said('ok'))
    const failure = await failureOf(judge.check('mistral', 'sk-team', { signal: AbortSignal.abort() }))
    expect([failure.kind, sent.length]).toEqual(['unavailable', 0])
  })
})
