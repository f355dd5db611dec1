// A private app for Zapier: new leads as a trigger, tracking somebody as an action. See docs/guides/automations.md.
const { createHmac, timingSafeEqual } = require('node:crypto')

const request = async (z, bundle, method, path, body) => {
  const response = await z.request({
    method,
    url: `${bundle.authData.address.replace(/\/+$/, '')}/api/v1${path}`,
    headers: {
      'X-API-Key': bundle.authData.apiKey,
      // Zapier repeats a step: what the same Zap asks again within a day counts once.
      ...(bundle.meta?.zap?.id && method === 'POST'
        ? {
            'Idempotency-Key': createHmac('sha256', 'zapier')
              .update(`${bundle.meta.zap.id} ${JSON.stringify(body)}`)
              .digest('hex'),
          }
        : {}),
    },
    ...(body === undefined ? {} : { body }),
    skipThrowForStatus: true,
  })
  if (response.status < 300) return response.data
  const { code = 'failed', error = `HTTP ${response.status}` } = response.data ?? {}
  if (response.status === 401) throw new z.errors.ExpiredAuthError(error)
  if (response.status === 429) throw new z.errors.ThrottledError(error, Number(response.getHeader('retry-after')) || 60)
  throw new z.errors.Error(error, code, response.status)
}

const webhookOf = (sourceId) => `/sources/${encodeURIComponent(sourceId)}/webhook`

/** True for a delivery of the service: signed over the bytes as they came, at most five minutes ago. */
const isOurs = ({ content, headers }, secret) => {
  const header = (name) =>
    Object.entries(headers).find(([key]) => key.toLowerCase().replace(/^http-/, '') === name)?.[1] ?? ''
  const timestamp = header('x-service-timestamp')
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const wanted = createHmac('sha256', key).update(`${timestamp}.${content}`).digest()
  return header('x-service-signature')
    .split(',')
    .some((part) => {
      const given = Buffer.from(part.trim().replace(/^v1=/, ''), 'hex')
      return given.length === wanted.length && timingSafeEqual(given, wanted)
    })
}

const subscribe = async (z, bundle) => {
  const path = webhookOf(bundle.inputData.sourceId)
  const { webhookUrl, signingSecret } = await request(z, bundle, 'GET', path)
  // One address a source: taking another's away would end its deliveries without a word.
  if (webhookUrl && webhookUrl !== bundle.targetUrl)
    throw new z.errors.Error(
      'This source already sends its leads elsewhere. Clear its webhook first.',
      'webhook_taken',
      409,
    )
  await request(z, bundle, 'PUT', path, { webhookUrl: bundle.targetUrl, icpOnly: bundle.inputData.icpOnly === true })
  return { sourceId: bundle.inputData.sourceId, url: bundle.targetUrl, signingSecret }
}

const unsubscribe = async (z, bundle) => {
  const path = webhookOf(bundle.subscribeData.sourceId)
  const { webhookUrl } = await request(z, bundle, 'GET', path)
  // Somebody has set another address since: that one stays.
  if (webhookUrl === bundle.subscribeData.url) await request(z, bundle, 'PUT', path, { webhookUrl: '' })
  return {}
}

const receive = async (z, bundle) => {
  if (!isOurs(bundle.rawRequest, bundle.subscribeData.signingSecret)) return []
  const event = JSON.parse(bundle.rawRequest.content)
  // The lead's id is that of its delivery: Zapier itself leaves out an id it has seen.
  return event.event === 'lead.detected' ? [{ ...event.lead, source: event.source }] : []
}

const samples = async (z, bundle) => {
  const { leads } = await request(z, bundle, 'GET', '/leads?limit=3')
  return leads
}

const sources = async (z, bundle) => {
  const { sources: all } = await request(z, bundle, 'GET', '/sources')
  return all.map(({ id, type, username }) => ({ id, name: `${username} (${type})` }))
}

const track = async (z, { inputData: { username }, ...bundle }) =>
  request(z, bundle, 'POST', '/enrich/profile', { username, saveTrackedProfile: true })

module.exports = {
  version: require('./package.json').version,
  platformVersion: require('./package.json').dependencies['zapier-platform-core'],
  authentication: {
    type: 'custom',
    fields: [
      {
        key: 'address',
        label: 'Address of the service',
        required: true,
        helpText: 'For example https://leads.example.com',
      },
      { key: 'apiKey', label: 'API key', required: true, type: 'password' },
    ],
    test: (z, bundle) => request(z, bundle, 'GET', '/credits'),
    connectionLabel: '{{bundle.authData.address}}',
  },
  triggers: {
    lead: {
      key: 'lead',
      noun: 'Lead',
      display: { label: 'New Lead', description: 'Triggers when a lead of a source is delivered.' },
      operation: {
        type: 'hook',
        inputFields: [
          { key: 'sourceId', label: 'Source', required: true, dynamic: 'source.id.name' },
          { key: 'icpOnly', label: 'Only leads that match the ICP criteria', type: 'boolean' },
        ],
        performSubscribe: subscribe,
        performUnsubscribe: unsubscribe,
        perform: receive,
        performList: samples,
        sample: {
          id: '019aa2f1-7c00-7000-8000-000000000004',
          name: 'Ann Example',
          jobTitle: 'Head of Growth',
          linkedinUrl: 'https://www.linkedin.com/in/ann-example',
        },
      },
    },
    source: {
      key: 'source',
      noun: 'Source',
      display: { label: 'List of Sources', description: 'Fills the choice of sources.', hidden: true },
      operation: { type: 'polling', perform: sources },
    },
  },
  creates: {
    track: {
      key: 'track',
      noun: 'Person',
      display: {
        label: 'Track Person',
        description: 'Tracks a person; those who engage with their posts arrive as leads, a credit each.',
      },
      operation: {
        inputFields: [
          { key: 'username', label: 'Name in the address of their profile, or the address', required: true },
        ],
        perform: track,
        sample: { jobId: '019aa2f1-7c00-7000-8000-000000000005' },
      },
    },
  },
}
