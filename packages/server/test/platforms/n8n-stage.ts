/** Runs the packed n8n nodes: in the long run with `n8n-core`, otherwise with a small imitation of what we use of it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { layOutPlatform } from '../../../../scripts/package/platforms.ts'
import { withTools } from '../../../../scripts/platforms/tools.ts'
import { long } from '../world/amount.ts'
import { temporaryFolder } from '../world/folder.ts'
import type { ReceivedRequest } from '../world/inbox.ts'

export type Credentials = { readonly baseUrl: string; readonly apiKey: string }

/** The trigger of an active or inactive workflow. */
export type Trigger = {
  checkExists(): Promise<boolean>
  create(): Promise<boolean>
  delete(): Promise<boolean>
  /** The items a delivery starts a run with, or the status that refuses it. */
  webhook(delivery: Pick<ReceivedRequest, 'raw' | 'headers'>): Promise<{ items: any[]; status: number }>
}

/** An n8n with our nodes. */
export type N8n = {
  readonly nodes: Readonly<Record<string, any>>
  readonly credentialType: any
  run(credentials: Credentials, parameters: Record<string, unknown>): Promise<any[]>
  trigger(credentials: Credentials, at: { readonly url: string; readonly event: string }): Trigger
}

/** The nodes as n8n loads them from the packed folder's package.json. */
async function load() {
  const folder = await layOutPlatform('n8n', join(await temporaryFolder('les-n8n-'), 'package'))
  if (long) {
    symlinkSync(join(withTools('n8n'), 'node_modules'), join(folder, 'node_modules'))
  } else {
    mkdirSync(join(folder, 'node_modules/n8n-workflow'), { recursive: true })
    writeFileSync(
      join(folder, 'node_modules/n8n-workflow/index.js'),
      "exports.NodeConnectionTypes = { Main: 'main' }\n",
    )
  }
  const from = createRequire(join(folder, 'package.json'))
  const { n8n } = from('./package.json') as { n8n: { nodes: string[]; credentials: string[] } }
  const made = (file: string) => new (from(`./${file}`)[basename(file).split('.')[0]!])()
  const nodes = Object.fromEntries(n8n.nodes.map(made).map((node) => [node.description.name, node]))
  return { nodes, credentialType: made(n8n.credentials[0]!), from }
}

/** Evaluates an n8n expression; other values are returned as they are. */
function evaluate(value: unknown, scope: Record<string, unknown>): any {
  if (typeof value !== 'string' || !value.startsWith('=')) return value
  const one = (text: string): unknown =>
    new Function(...Object.keys(scope), `return (${text})`)(...Object.values(scope))
  const whole = /^=\{\{((?:(?!\}\}).)*)\}\}$/.exec(value)
  return whole ? one(whole[1]!) : value.slice(1).replace(/\{\{(.*?)\}\}/g, (_, text: string) => String(one(text)))
}

/** Sets a path such as `entries[0].kind` in an object. */
function set(into: any, path: string, value: unknown): void {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '')
  for (const [at, step] of steps.slice(0, -1).entries()) into = into[step] ??= /^\d+$/.test(steps[at + 1]!) ? [] : {}
  into[steps.at(-1)!] = value
}

type Options = {
  method: string
  url: string
  body?: any
  headers?: Record<string, string>
  ignoreHttpStatusErrors?: any
}

async function request(credentialType: any, $credentials: Credentials, options: Options): Promise<any> {
  const added = credentialType.authenticate.properties.headers as Record<string, string>
  const headers = Object.entries(added).map(([name, value]) => [name, evaluate(value, { $credentials })])
  const { method, url, body } = options
  const answer = await fetch(url, {
    method,
    headers: { ...options.headers, ...Object.fromEntries(headers) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const said = (await answer.json()) as any
  const ignored = options.ignoreHttpStatusErrors
  if (!answer.ok && !(ignored?.ignore && !ignored.except.includes(answer.status)))
    throw Object.assign(new Error(said.error), { httpCode: String(answer.status) })
  return { statusCode: answer.status, body: said }
}

/** Imitates n8n's `displayOptions`, `routing.request`, `routing.send` and the one `postReceive` that we use. */
async function route(node: any, credentialType: any, $credentials: Credentials, $parameter: Record<string, any>) {
  const { requestDefaults, properties } = node.description
  const scope = { $credentials, $parameter, $execution: { id: '7' }, $nodeId: 'node', $runIndex: 0, $itemIndex: 0 }
  const asked: any = { method: 'GET', url: '', query: {}, body: {}, headers: { ...requestDefaults.headers } }
  let list: string | undefined
  const isShown = ({ displayOptions }: any) =>
    Object.entries<unknown[]>(displayOptions?.show ?? {}).every(([name, values]) => values.includes($parameter[name]))
  const take = ({ routing }: any, $value: unknown): void => {
    const { request: fixed, send, output } = routing ?? {}
    for (const [name, value] of Object.entries<any>(fixed ?? {})) {
      if (name === 'headers') for (const key of Object.keys(value)) asked.headers[key] = evaluate(value[key], scope)
      else asked[name] = name === 'body' ? { ...value, ...asked.body } : evaluate(value, scope)
    }
    if (send?.property) {
      const value = send.value === undefined ? $value : evaluate(send.value, { ...scope, $value })
      set(send.type === 'body' ? asked.body : asked.query, send.property, value)
    }
    list ??= output?.postReceive[0].properties.property
  }
  for (const property of properties.filter(isShown)) {
    const value = $parameter[property.name] ?? property.default
    take(property, value)
    if (property.type === 'options')
      for (const option of property.options) if (option.value === value) take(option, value)
    if (property.type === 'collection')
      for (const option of property.options) if (option.name in value) take(option, value[option.name])
  }
  const url = `${evaluate(requestDefaults.baseURL, scope)}${asked.url}?${new URLSearchParams(asked.query)}`
  const { body } = await request(credentialType, $credentials, {
    ...asked,
    url,
    ...(asked.method === 'GET' ? { body: undefined } : {}),
  })
  return (list === undefined ? [body] : body[list]).map((json: unknown) => ({ json }))
}

/** A response double that keeps the status a node sets. */
export const responseDouble = () => {
  const response = { code: 200, status: (code: number) => ((response.code = code), response), json: () => response }
  return response
}

async function openLight(): Promise<N8n> {
  const { nodes, credentialType } = await load()
  return {
    nodes,
    credentialType,
    run: (credentials, parameters) => route(nodes.leadEngagement, credentialType, credentials, parameters),
    trigger: (credentials, { url, event }) => {
      const kept = {}
      const response = responseDouble()
      const context = {
        getCredentials: async () => credentials,
        getNodeWebhookUrl: () => url,
        getNodeParameter: () => event,
        getWorkflowStaticData: () => kept,
        helpers: {
          httpRequestWithAuthentication: (_: string, options: Options) => request(credentialType, credentials, options),
          returnJsonArray: (json: unknown) => [{ json }],
        },
      }
      const { webhookMethods, webhook } = nodes.leadEngagementTrigger
      return {
        checkExists: () => webhookMethods.default.checkExists.call(context),
        create: () => webhookMethods.default.create.call(context),
        delete: () => webhookMethods.default.delete.call(context),
        webhook: async ({ raw, headers }) => {
          const came = { rawBody: raw, headers, readRawBody: async () => undefined }
          const { workflowData = [[]] } = await webhook.call({
            ...context,
            getRequestObject: () => came,
            getResponseObject: () => response,
            getBodyData: () => JSON.parse(raw.toString()),
          })
          return { items: workflowData[0], status: response.code }
        },
      }
    },
  }
}

/** Opens n8n, in the long run the real engine. */
export const openN8n = async (): Promise<N8n> =>
  long ? (await import('./n8n-real.ts')).openReal(await load()) : openLight()
