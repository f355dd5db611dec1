/** The Zapier app: API key, REST hooks as triggers, and the generated actions of `actions.json`. */
import { createHash } from 'node:crypto'
import type { Bundle, HttpResponse, HttpRequestOptions, ZObject } from 'zapier-platform-core'
import { verifyWebhook } from '../../../packages/contract/src/verify-webhook.ts'
import manifest from '../package.json' with { type: 'json' }
import data from './actions.json' with { type: 'json' }

type Json = Readonly<Record<string, unknown>>

/** Subscription data of a Zap. */
type Subscription = { readonly id: string; readonly secret: string }

/** A generated action. */
type ActionRequest = {
  readonly method: string
  readonly path: string
  readonly charges: boolean
  readonly preset: Json
  /** A list in the body: the action sends one row of it, with the fields `inRow`. */
  readonly each?: string
  readonly inRow?: readonly string[]
  /** The list in the answer that a search returns. */
  readonly list: string | null
}

const addressOf = ({ authData }: Bundle, path: string): string =>
  `${authData.baseUrl!.replace(/\/+$/, '')}/api/v1${path}`

const addKey = (request: HttpRequestOptions, _: ZObject, { authData }: Bundle) => ({
  ...request,
  headers: { ...request.headers, 'X-API-Key': authData.apiKey ?? '' },
})

/** Throws the service's message; 429 is retried after the time the service asked for. */
function judge(response: HttpResponse, z: ZObject): HttpResponse {
  if (response.status < 400 || response.skipThrowForStatus) return response
  const { error, code } = (response.data ?? {}) as { readonly error?: string; readonly code?: string }
  const message = error ?? `The service answered ${response.status}`
  if (response.status === 401) throw new z.errors.ExpiredAuthError(message)
  if (response.status === 429)
    throw new z.errors.ThrottledError(message, Number(response.getHeader('retry-after')) || 60)
  throw new z.errors.Error(message, code, response.status)
}

const authentication = {
  type: 'custom',
  fields: [
    {
      key: 'baseUrl',
      label: 'Base URL',
      type: 'string',
      required: true,
      helpText: 'Where your service is, for example `https://leads.example.com`.',
    },
    { key: 'apiKey', label: 'API Key', type: 'password', required: true, helpText: 'A key of your team, `cs_…`.' },
  ],
  test: async (z: ZObject, bundle: Bundle) => (await z.request(addressOf(bundle, '/credits'))).data,
  connectionLabel: '{{plan}}',
}

/** Zapier adds `Http-` to most header names. */
const headersOf = ({ rawRequest }: Bundle): Record<string, string> =>
  Object.fromEntries(
    Object.entries(rawRequest?.headers ?? {}).map(([name, value]) => [name.replace(/^Http-/i, ''), value]),
  )

/** Returns a verified event. Others start nothing and are no error, since Zapier turns a Zap with errors off. */
async function receive(z: ZObject, bundle: Bundle): Promise<Json[]> {
  const { secret = '' } = (bundle.subscribeData ?? {}) as Partial<Subscription>
  const body = bundle.rawRequest?.content ?? ''
  const verdict = await verifyWebhook({ body, headers: headersOf(bundle), secret })
  if (!verdict.ok) {
    z.console.log(verdict.reason)
    return []
  }
  return [JSON.parse(body) as Json]
}

function trigger({ event, key, noun, display, sample }: (typeof data.triggers)[number]) {
  const subscribe = async (z: ZObject, bundle: Bundle): Promise<Subscription> => {
    const body = { targetUrl: bundle.targetUrl, event }
    return (await z.request({ method: 'POST', url: addressOf(bundle, '/hooks'), body })).data as Subscription
  }
  const unsubscribe = async (z: ZObject, bundle: Bundle): Promise<Json> => {
    const url = addressOf(bundle, `/hooks/${bundle.subscribeData!.id}`)
    const { status, data: answer } = await z.request({ method: 'DELETE', url, skipThrowForStatus: true })
    // A hook that answered 410 is already gone.
    if (status >= 400 && status !== 404) throw new z.errors.Error('The hook could not be deleted', undefined, status)
    return answer as Json
  }
  const list = async (z: ZObject, bundle: Bundle): Promise<Json[]> =>
    (await z.request({ url: addressOf(bundle, '/hooks/sample'), params: { event } })).data as Json[]
  const operation = {
    type: 'hook',
    performSubscribe: subscribe,
    performUnsubscribe: unsubscribe,
    perform: receive,
    performList: list,
    sample,
  }
  return { key, noun, display, operation }
}

/** Zapier may repeat a step; the same request of a Zap within a day is charged once. */
const idempotencyKey = ({ meta }: Bundle, path: string, body: Json): string =>
  createHash('sha256')
    .update(JSON.stringify([(meta as { zap?: { id: string } }).zap?.id, path, body]))
    .digest('hex')

const perform = (request: ActionRequest) => async (z: ZObject, bundle: Bundle) => {
  const { method, path, charges, preset, each, inRow = [], list } = request
  const given = Object.entries(bundle.inputData).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const row = Object.fromEntries(given.filter(([name]) => inRow.includes(name)))
  const rest = Object.fromEntries(given.filter(([name]) => !inRow.includes(name)))
  const body = { ...preset, ...rest, ...(each ? { [each]: [row] } : {}) }
  const answer = await z.request({
    method: method as 'GET' | 'POST',
    url: addressOf(bundle, path),
    ...(charges ? { headers: { 'Idempotency-Key': idempotencyKey(bundle, path, body) } } : {}),
    ...(method === 'GET' ? { params: rest as Record<string, string> } : { body }),
  })
  return list === null ? answer.data : (answer.data as Record<string, unknown>)[list]
}

const actionsOf = (wanted: string) =>
  Object.fromEntries(
    data.actions
      .filter(({ type }) => type === wanted)
      .map(({ key, noun, display, request, inputFields, sample }) => [
        key,
        { key, noun, display, operation: { inputFields, perform: perform(request), sample } },
      ]),
  )

export default {
  version: manifest.version,
  platformVersion: manifest.dependencies['zapier-platform-core'],
  authentication,
  beforeRequest: [addKey],
  afterResponse: [judge],
  triggers: Object.fromEntries(data.triggers.map((each) => [each.key, trigger(each)])),
  creates: actionsOf('create'),
  searches: actionsOf('search'),
}
