import type { IncomingHttpHeaders } from 'node:http'
import { jsonIn, type Reply } from '../exchange.ts'
import type { Said } from './model.ts'

export type Body = Readonly<Record<string, unknown>>
type Asked = { operation: string; model: string; maxOutputTokens: number | undefined }

/** The parts of an answer; `number` makes its id. */
type Replied = { asked: Asked; body: Body; said: Said; number: number }

export type Wire = {
  name: 'openai' | 'anthropic' | 'google' | 'mistral'
  prefix: string
  asked(path: string, body: Body): Asked | undefined
  keyOf(headers: IncomingHttpHeaders): string
  reply(given: Replied): unknown
  failure(status: number, message: string): Reply
  badKey(): Reply
  unknownModel(model: string): Reply
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const bearer = (headers: IncomingHttpHeaders): string => String(headers.authorization ?? '').replace(/^Bearer /, '')
const tokens = (text: string): number => Math.ceil(text.length / 4)
function usageOf({ body, said }: Pick<Replied, 'body' | 'said'>, names: readonly string[]): Record<string, number> {
  const [asked, answered] = [tokens(JSON.stringify(body)), tokens(said.text)]
  return Object.fromEntries(names.map((name, at) => [name, [asked, answered, asked + answered][at]!]))
}
const id = (prefix: string, number: number): string => `${prefix}_sandbox${String(number).padStart(8, '0')}`
/** A creation time in seconds since 1970. */
const secondsOf = (number: number): number => 1_795_000_000 + number

const openaiError = (status: number, message: string, code: string | null, type = 'invalid_request_error'): Reply => ({
  status,
  body: { error: { message, type, param: null, code } },
})

const openai: Wire = {
  name: 'openai',
  prefix: '/ai/openai',
  keyOf: bearer,
  asked: (path, body) =>
    path === '/responses'
      ? { operation: 'responses', model: String(body.model), maxOutputTokens: numberOf(body.max_output_tokens) }
      : undefined,
  reply: ({ asked, body, said, number }) => {
    const status = said.cut ? 'incomplete' : 'completed'
    const content = [{ type: 'output_text', text: said.text, annotations: [] }]
    return {
      id: id('resp', number),
      object: 'response',
      created_at: secondsOf(number),
      model: asked.model,
      status,
      error: null,
      incomplete_details: said.cut ? { reason: 'max_output_tokens' } : null,
      output: [{ type: 'message', id: id('msg', number), status, role: 'assistant', content }],
      usage: {
        ...usageOf({ body, said }, ['input_tokens', 'output_tokens', 'total_tokens']),
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    }
  },
  failure: (status, message) =>
    status === 429
      ? openaiError(429, message, 'rate_limit_exceeded', 'requests')
      : openaiError(status, message, null, status >= 500 ? 'server_error' : undefined),
  badKey: () =>
    openaiError(
      401,
      'Incorrect API key provided: bad-***. You can find your API key at https://platform.openai.com/account/api-keys.',
      'invalid_api_key',
    ),
  unknownModel: (model) =>
    openaiError(404, `The model \`${model}\` does not exist or you do not have access to it.`, 'model_not_found'),
}

const anthropicType: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}
const googleStatus: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

const anthropic: Wire = {
  name: 'anthropic',
  prefix: '/ai/anthropic',
  keyOf: (headers) => String(headers['x-api-key'] ?? ''),
  asked: (path, body) =>
    path === '/messages'
      ? { operation: 'messages', model: String(body.model), maxOutputTokens: numberOf(body.max_tokens) }
      : undefined,
  reply: ({ asked, body, said, number }) => {
    // Older models answer through a tool named json.
    const input = (body.tools as { name: string }[] | undefined)?.some(({ name }) => name === 'json')
      ? jsonIn(said.text)
      : undefined
    return {
      id: id('msg', number),
      type: 'message',
      role: 'assistant',
      model: asked.model,
      content: [
        input === undefined
          ? { type: 'text', text: said.text }
          : { type: 'tool_use', id: id('toolu', number), name: 'json', input },
      ],
      stop_reason: said.cut ? 'max_tokens' : input === undefined ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: usageOf({ body, said }, ['input_tokens', 'output_tokens']),
    }
  },
  failure: (status, message) => ({
    status,
    body: { type: 'error', error: { type: anthropicType[status] ?? 'api_error', message } },
  }),
  badKey: () => anthropic.failure(401, 'invalid x-api-key'),
  unknownModel: (model) => anthropic.failure(404, `model: ${model}`),
}

const google: Wire = {
  name: 'google',
  prefix: '/ai/google',
  keyOf: (headers) => String(headers['x-goog-api-key'] ?? ''),
  asked: (path, body) => {
    const model = /^\/models\/([^/]+):generateContent$/.exec(path)?.[1]
    return model === undefined
      ? undefined
      : {
          operation: 'generateContent',
          model: decodeURIComponent(model),
          maxOutputTokens: numberOf((body.generationConfig as Body | undefined)?.maxOutputTokens),
        }
  },
  reply: ({ asked, body, said, number }) => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ text: said.text }] },
        finishReason: said.cut ? 'MAX_TOKENS' : 'STOP',
        index: 0,
      },
    ],
    usageMetadata: usageOf({ body, said }, ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount']),
    modelVersion: asked.model,
    responseId: id('r', number),
  }),
  failure: (status, message) => ({
    status,
    body: { error: { code: status, message, status: googleStatus[status] ?? 'INTERNAL' } },
  }),
  // Google reports a wrong key as an invalid argument.
  badKey: () => ({
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'API key not valid. Please pass a valid API key.',
        status: 'INVALID_ARGUMENT',
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
        ],
      },
    },
  }),
  unknownModel: (model) =>
    google.failure(
      404,
      `models/${model} is not found for API version v1beta, or is not supported for generateContent.`,
    ),
}

const mistral: Wire = {
  name: 'mistral',
  prefix: '/ai/mistral',
  keyOf: bearer,
  asked: (path, body) =>
    path === '/chat/completions'
      ? { operation: 'chat/completions', model: String(body.model), maxOutputTokens: numberOf(body.max_tokens) }
      : undefined,
  reply: ({ asked, body, said, number }) => ({
    id: id('chatcmpl', number),
    object: 'chat.completion',
    created: secondsOf(number),
    model: asked.model,
    choices: [
      { index: 0, message: { role: 'assistant', content: said.text }, finish_reason: said.cut ? 'length' : 'stop' },
    ],
    usage: usageOf({ body, said }, ['prompt_tokens', 'completion_tokens', 'total_tokens']),
  }),
  failure: (status, message) => ({
    status,
    body: {
      object: 'error',
      message,
      type: status === 429 ? 'rate_limited' : status >= 500 ? 'internal_server_error' : 'invalid_request_error',
      param: null,
      code: String(status),
    },
  }),
  badKey: () => ({ status: 401, body: { detail: 'Unauthorized' } }),
  unknownModel: (model) => ({
    status: 400,
    body: { object: 'error', message: `Invalid model: ${model}`, type: 'invalid_model', param: null, code: '1500' },
  }),
}

export const AI_WIRES: readonly Wire[] = [openai, anthropic, google, mistral]
