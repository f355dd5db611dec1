/** Runs the packed nodes in n8n's own engine, with its hook and webhook contexts, expressions and runner of declarative nodes. */
import { temporaryFolder } from '../world/folder.ts'
import { responseDouble, type Credentials, type N8n } from './n8n-stage.ts'

type Loaded = {
  readonly nodes: Readonly<Record<string, any>>
  readonly credentialType: any
  readonly from: NodeJS.Require
}

/** Opens the engine; n8n's files go into a temporary folder. */
export async function openReal({ nodes, credentialType, from }: Loaded): Promise<N8n> {
  process.env.N8N_USER_FOLDER = await temporaryFolder('les-n8n-home-')
  from('reflect-metadata')
  const { ExecuteContext, HookContext, RoutingNode, WebhookContext } = from('n8n-core')
  const { createRunExecutionData, Workflow } = from('n8n-workflow')

  const nodeTypes = {
    getByName: (name: string) => nodes[name],
    getByNameAndVersion: (name: string) => nodes[name],
    getKnownTypes: () => ({}),
  }

  /** A workflow with one node, and what n8n passes to the code that runs it. */
  function place(type: string, parameters: Record<string, unknown>, credentials: Credentials, more: object = {}) {
    const node = {
      id: 'node',
      name: 'Node',
      type,
      typeVersion: 1,
      position: [0, 0],
      webhookId: 'path',
      parameters,
      credentials: { leadEngagementApi: { id: '1', name: 'ours' } },
    }
    const workflow = new Workflow({ id: 'w', nodes: [node], connections: {}, active: true, nodeTypes })
    const credentialsHelper = {
      isCredentialUsableByNode: () => true,
      getParentTypes: () => [],
      getDecrypted: async () => credentials,
      getCredentialsProperties: () => credentialType.properties,
      preAuthentication: async () => undefined,
      authenticate: async (data: Credentials, _: string, options: { headers?: object }) => {
        const added = Object.entries(credentialType.authenticate.properties.headers as Record<string, string>)
        const headers = added.map(([name, value]) => [
          name,
          workflow.expression.getSimpleParameterValue(node, value, 'internal', { $credentials: data }),
        ])
        return { ...options, headers: { ...options.headers, ...Object.fromEntries(headers) } }
      },
    }
    const additionalData = {
      executionId: '7',
      credentialsHelper,
      variables: {},
      webhookWaitingBaseUrl: 'http://127.0.0.1/waiting',
      formWaitingBaseUrl: 'http://127.0.0.1/waiting',
      hooks: { runHook: async () => undefined },
      currentNodeExecutionIndex: 0,
      ...more,
    }
    return { node, workflow, additionalData }
  }

  return {
    nodes,
    credentialType,
    run: async (credentials, parameters) => {
      const { node, workflow, additionalData } = place('leadEngagement', parameters, credentials)
      const items = [{ json: {} }]
      const data = { main: [items] }
      const context = new ExecuteContext(
        workflow,
        node,
        additionalData,
        'internal',
        createRunExecutionData({}),
        0,
        items,
        data,
        { data, node, source: null },
        [],
      )
      await workflow.expression.acquireIsolate?.()
      const [found] = await new RoutingNode(context, nodes.leadEngagement).runNode()
      return found
    },
    trigger: (credentials, { url, event }) => {
      const { node, workflow, additionalData } = place('leadEngagementTrigger', { event }, credentials)
      const { webhookMethods, webhook, description } = nodes.leadEngagementTrigger
      const webhookData = { webhookDescription: description.webhooks[0] }
      const hook = () => {
        const context = new HookContext(workflow, node, additionalData, 'trigger', 'activate', webhookData)
        // n8n's own webhook address is not the test's receiver.
        context.getNodeWebhookUrl = () => url
        return context
      }
      return {
        checkExists: () => webhookMethods.default.checkExists.call(hook()),
        create: () => webhookMethods.default.create.call(hook()),
        delete: () => webhookMethods.default.delete.call(hook()),
        webhook: async ({ raw, headers }) => {
          const httpRequest = { headers, rawBody: raw, body: JSON.parse(raw.toString()), readRawBody: async () => {} }
          const httpResponse = responseDouble()
          const came = { ...additionalData, httpRequest, httpResponse }
          const context = new WebhookContext(workflow, node, came, 'webhook', webhookData, [], null)
          const { workflowData = [[]] } = await webhook.call(context)
          return { items: workflowData[0], status: httpResponse.code }
        },
      }
    },
  }
}
