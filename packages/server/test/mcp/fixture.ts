/** The tools, prompts and pages that the official suite calls by name, served through our own HTTP, authentication and request handling. */
import { setTimeout as pause } from 'node:timers/promises'
import {
  acceptedContent,
  completable,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='
const none = z.object({})
const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] })
const user = (content: object) => ({ role: 'user' as const, content: content as { type: 'text'; text: string } })
const states = createRequestStateCodec<{ step: number }>({ key: 'k'.repeat(32) })

const elicit = (message: string, field: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: type === 'string' ? { type } : { type } },
      required: [field],
    },
  })
const sample = (words: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens })
const named = (context: ServerContext, key: string, field: string) => {
  const value = acceptedContent(context.mcpReq.inputResponses, key)?.[field]
  return typeof value === 'string' ? value : undefined
}

function contents(server: McpServer): void {
  server.registerTool('test_simple_text', { description: 'Text', inputSchema: none }, () =>
    text('This is a simple text response for testing.'),
  )
  server.registerTool('test_image_content', { description: 'An image', inputSchema: none }, () => ({
    content: [{ type: 'image', data: png, mimeType: 'image/png' }],
  }))
  server.registerTool('test_audio_content', { description: 'A sound', inputSchema: none }, () => ({
    content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  }))
  server.registerTool('test_embedded_resource', { description: 'A page inside', inputSchema: none }, () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }))
  server.registerTool('test_multiple_content_types', { description: 'Several kinds', inputSchema: none }, () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: png, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }))
  server.registerTool('test_error_handling', { description: 'Fails', inputSchema: none }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
}

function streams(server: McpServer): void {
  const logs = async (context: ServerContext) => {
    for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await context.mcpReq.log('info', words)
      await pause(50)
    }
    return text('Logged')
  }
  server.registerTool('test_tool_with_logging', { description: 'Logs', inputSchema: none }, (_given, context) =>
    logs(context),
  )
  server.registerTool('test_logging_tool', { description: 'Logs', inputSchema: none }, (_given, context) =>
    logs(context),
  )
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Tells how far it is', inputSchema: none },
    async (_given, context) => {
      const progressToken = context.mcpReq._meta?.progressToken
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await context.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          })
        await pause(50)
      }
      return text('Done')
    },
  )
}

function questions(server: McpServer): void {
  server.registerTool('test_missing_capability', { description: 'Needs sampling', inputSchema: none }, () =>
    inputRequired({ inputRequests: { ask: sample('Hello', 10) } }),
  )
  const name = (_given: object, context: ServerContext) => {
    const given = named(context, 'user_name', 'name')
    return given === undefined
      ? inputRequired({ inputRequests: { user_name: elicit('What is your name?', 'name') } })
      : text(`Hello, ${given}!`)
  }
  server.registerTool('test_streaming_elicitation', { description: 'Asks', inputSchema: none }, name)
  server.registerTool('test_input_required_result_elicitation', { description: 'Asks', inputSchema: none }, name)
  server.registerTool(
    'test_input_required_result_sampling',
    { description: 'Samples', inputSchema: none },
    (_given, context) =>
      context.mcpReq.inputResponses?.capital_question
        ? text(JSON.stringify(context.mcpReq.inputResponses.capital_question))
        : inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?', 100) } }),
  )
  server.registerTool(
    'test_input_required_result_list_roots',
    { description: 'Asks for roots', inputSchema: none },
    (_given, context) =>
      context.mcpReq.inputResponses?.client_roots
        ? text(JSON.stringify(context.mcpReq.inputResponses.client_roots))
        : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
  )
  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks three things', inputSchema: none },
    async (_given, context) => {
      const answers = context.mcpReq.inputResponses ?? {}
      if (['user_name', 'greeting', 'client_roots'].every((key) => answers[key] !== undefined)) return text('Thank you')
      return inputRequired({
        inputRequests: {
          user_name: elicit('What is your name?', 'name'),
          greeting: sample('Generate a greeting', 50),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await states.mint({ step: 1 }),
      })
    },
  )
  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Asks twice', inputSchema: none },
    async (_given, context) => {
      const step = context.mcpReq.requestState<{ step: number }>()?.step ?? 0
      if (step === 1 && named(context, 'step1', 'name') !== undefined)
        return inputRequired({
          inputRequests: { step2: elicit('Step 2: What is your favorite color?', 'color') },
          requestState: await states.mint({ step: 2 }),
        })
      if (step === 2 && named(context, 'step2', 'color') !== undefined) return text('Both known')
      return inputRequired({
        inputRequests: { step1: elicit('Step 1: What is your name?', 'name') },
        requestState: await states.mint({ step: 1 }),
      })
    },
  )
  const confirm = async (_given: object, context: ServerContext) =>
    context.mcpReq.requestState<{ step: number }>()?.step === 1 &&
    inputResponse(context.mcpReq.inputResponses, 'confirm').kind === 'elicit'
      ? text('state-ok')
      : inputRequired({
          inputRequests: { confirm: elicit('Please confirm', 'ok', 'boolean') },
          requestState: await states.mint({ step: 1 }),
        })
  server.registerTool(
    'test_input_required_result_request_state',
    { description: 'Carries state', inputSchema: none },
    confirm,
  )
  server.registerTool(
    'test_input_required_result_tampered_state',
    { description: 'Carries signed state', inputSchema: none },
    confirm,
  )
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only what the client can', inputSchema: none },
    (_given, context) => {
      const can =
        (context.mcpReq.envelope as Record<string, Record<string, unknown>> | undefined)?.[
          'io.modelcontextprotocol/clientCapabilities'
        ] ?? {}
      const requests = {
        ...(can.elicitation ? { user_name: elicit('What is your name?', 'name') } : {}),
        ...(can.sampling ? { greeting: sample('Generate a greeting', 50) } : {}),
        ...(can.roots ? { client_roots: inputRequired.listRoots() } : {}),
      }
      return Object.keys(requests).length === 0 || context.mcpReq.inputResponses
        ? text('Nothing to ask')
        : inputRequired({ inputRequests: requests })
    },
  )
}

function pages(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'Text', mimeType: 'text/plain' },
    (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    }),
  )
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'Bytes', mimeType: 'image/png' },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'image/png', blob: png }] }),
  )
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'By id', mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  )
}

function prompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => ({
    messages: [user({ type: 'text', text: 'This is a simple prompt for testing.' })],
  }))
  const words = (description: string) => completable(z.string().describe(description), () => ['paris', 'park', 'party'])
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'With arguments',
      argsSchema: z.object({ arg1: words('First test argument'), arg2: words('Second test argument') }),
    },
    ({ arg1, arg2 }) => ({
      messages: [user({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` })],
    }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'With a page',
      argsSchema: z.object({ resourceUri: z.string().describe('URI of the resource to embed') }),
    },
    ({ resourceUri }) => ({
      messages: [
        user({
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        user({ type: 'text', text: 'Please process the embedded resource above.' }),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, () => ({
    messages: [
      user({ type: 'image', data: png, mimeType: 'image/png' }),
      user({ type: 'text', text: 'Please analyze the image above.' }),
    ],
  }))
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, (context) => {
    const given = named(context, 'user_context', 'context')
    return given === undefined
      ? inputRequired({ inputRequests: { user_context: elicit('What context should the prompt use?', 'context') } })
      : { messages: [user({ type: 'text', text: given })] }
  })
}

/** Makes the server that the suite expects. */
export function fixtureServer(): McpServer {
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, completions: {} },
      requestState: { verify: states.verify },
    },
  )
  contents(server)
  streams(server)
  questions(server)
  pages(server)
  prompts(server)
  return server
}
