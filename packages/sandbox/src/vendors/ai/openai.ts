import type { Reply } from '../vendor.ts'
import { bearer, id, numberOf, secondsOf, tokens, type Replied, type Wire } from './wire.ts'

/** A chat completion, as OpenAI and Mistral answer it. */
export const completion = ({ asked, body, said, number }: Replied): unknown => ({
  id: id('chatcmpl', number),
  object: 'chat.completion',
  created: secondsOf(number),
  model: asked.model,
  choices: [
    { index: 0, message: { role: 'assistant', content: said.text }, finish_reason: said.cut ? 'length' : 'stop' },
  ],
  usage: {
    prompt_tokens: tokens(JSON.stringify(body)),
    completion_tokens: tokens(said.text),
    total_tokens: tokens(JSON.stringify(body)) + tokens(said.text),
  },
})
const openaiError = (
  status: number,
  message: string,
  { type, code }: { type: string; code: string | null },
): Reply => ({
  status,
  body: { error: { message, type, param: null, code } },
})

/** OpenAI on the wire: its responses and its chat completions. */
export const openai: Wire = {
  name: 'openai',
  prefix: '/ai/openai',
  keyOf: bearer,
  asked: (path, body) =>
    path === '/responses' || path === '/chat/completions'
      ? {
          operation: path.slice(1),
          model: String(body.model),
          maxOutputTokens: numberOf(body.max_output_tokens, body.max_completion_tokens, body.max_tokens),
        }
      : undefined,
  reply: ({ asked, body, said, number }) =>
    asked.operation !== 'responses'
      ? completion({ asked, body, said, number })
      : {
          id: id('resp', number),
          object: 'response',
          created_at: secondsOf(number),
          model: asked.model,
          status: said.cut ? 'incomplete' : 'completed',
          error: null,
          incomplete_details: said.cut ? { reason: 'max_output_tokens' } : null,
          output: [
            {
              type: 'message',
              id: id('msg', number),
              status: said.cut ? 'incomplete' : 'completed',
              role: 'assistant',
              content: [{ type: 'output_text', text: said.text, annotations: [] }],
            },
          ],
          usage: {
            input_tokens: tokens(JSON.stringify(body)),
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: tokens(said.text),
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: tokens(JSON.stringify(body)) + tokens(said.text),
          },
        },
  failure: (status, message) =>
    openaiError(status, message, {
      type: status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error',
      code: status === 429 ? 'rate_limit_exceeded' : null,
    }),
  badKey: () =>
    openaiError(
      401,
      'Incorrect API key provided: bad-***. You can find your API key at https://platform.openai.com/account/api-keys.',
      { type: 'invalid_request_error', code: 'invalid_api_key' },
    ),
  unknownModel: (model) =>
    openaiError(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
      type: 'invalid_request_error',
      code: 'model_not_found',
    }),
}
