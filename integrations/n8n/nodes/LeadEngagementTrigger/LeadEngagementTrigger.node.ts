import {
  NodeConnectionTypes,
  type IDataObject,
  type IHookFunctions,
  type IHttpRequestMethods,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow'
import { events } from '../LeadEngagement/properties.ts'
import { verifyWebhook } from '../../../../packages/contract/src/verify-webhook.ts'

/** Static data of a workflow. */
type Subscription = { hookId?: string; secret?: string }

type Answer = { readonly statusCode: number; readonly body: IDataObject }

type Hook = { readonly id: string; readonly targetUrl: string; readonly event: string; readonly state: string }

/** Calls the service; with `missing`, only 401, 403, 429, 500, 502 and 503 are errors. */
async function ask(
  context: IHookFunctions,
  method: IHttpRequestMethods,
  path: string,
  { body, missing = false }: { readonly body?: IDataObject; readonly missing?: boolean } = {},
): Promise<IDataObject> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('leadEngagementApi')
  const answer = (await context.helpers.httpRequestWithAuthentication.call(context, 'leadEngagementApi', {
    method,
    url: `${baseUrl.replace(/\/+$/, '')}/api/v1${path}`,
    ...(body ? { body } : {}),
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: missing ? { ignore: true, except: [401, 403, 429, 500, 502, 503] } : false,
  })) as Answer
  return answer.body
}

/** Starts a workflow with an event of the service, through its own REST hook. */
export class LeadEngagementTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Lead Engagement Trigger',
    name: 'leadEngagementTrigger',
    icon: { light: 'file:../../icons/lead-engagement.svg', dark: 'file:../../icons/lead-engagement.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["event"] }}',
    description: 'Starts the workflow when a lead is captured, a post is found or a sync ends',
    defaults: { name: 'Lead Engagement Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'leadEngagementApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Event',
        name: 'event',
        type: 'options',
        options: events,
        default: 'lead.detected',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const kept: Subscription = this.getWorkflowStaticData('node')
        const targetUrl = this.getNodeWebhookUrl('default')
        const { hooks } = (await ask(this, 'GET', '/hooks')) as unknown as { hooks: readonly Hook[] }
        const isOurs = ({ id, event, state }: Hook): boolean =>
          id === kept.hookId && event === this.getNodeParameter('event') && state !== 'disabled'
        const atThisAddress = hooks.filter((hook) => hook.targetUrl === targetUrl)
        // The secret of other hooks at this address is lost, so their events could not be verified.
        for (const { id } of atThisAddress.filter((hook) => !isOurs(hook)))
          await ask(this, 'DELETE', `/hooks/${id}`, { missing: true })
        return atThisAddress.some(isOurs)
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const body = { targetUrl: this.getNodeWebhookUrl('default'), event: this.getNodeParameter('event') as string }
        const { id, secret } = await ask(this, 'POST', '/hooks', { body })
        Object.assign(this.getWorkflowStaticData('node'), { hookId: id, secret })
        return true
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const kept: Subscription = this.getWorkflowStaticData('node')
        // A hook that answered 410 is already gone.
        if (kept.hookId) await ask(this, 'DELETE', `/hooks/${kept.hookId}`, { missing: true })
        delete kept.hookId
        delete kept.secret
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret = '' }: Subscription = this.getWorkflowStaticData('node')
    const request = this.getRequestObject()
    await request.readRawBody?.()
    const verdict = await verifyWebhook({ body: request.rawBody, headers: request.headers, secret })
    if (!verdict.ok) {
      this.getResponseObject().status(401).json({ error: verdict.reason })
      return { noWebhookResponse: true }
    }
    return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] }
  }
}
