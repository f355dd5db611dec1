import { completion, openai } from './openai.ts'
import { bearer, id, numberOf, tokens, type Body, type Wire } from './wire.ts'

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
      ? objectIn(said.text)
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
      usage: { input_tokens: tokens(JSON.stringify(body)), output_tokens: tokens(said.text) },
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
    usageMetadata: {
      promptTokenCount: tokens(JSON.stringify(body)),
      candidatesTokenCount: tokens(said.text),
      totalTokenCount: tokens(JSON.stringify(body)) + tokens(said.text),
    },
    modelVersion: asked.model,
    responseId: id('r', number),
  }),
  failure: (status, message) => ({
    status,
    body: { error: { code: status, message, status: googleStatus[status] ?? 'INTERNAL' } },
  }),
  // A wrong key is an invalid argument to Google.
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
  reply: completion,
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

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The four AI vendors. */
export const AI_WIRES: readonly Wire[] = [openai, anthropic, google, mistral]
