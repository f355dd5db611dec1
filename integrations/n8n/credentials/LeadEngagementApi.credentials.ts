import type { IAuthenticateGeneric, Icon, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow'

/** A team's API key and the address of its service. */
export class LeadEngagementApi implements ICredentialType {
  name = 'leadEngagementApi'

  displayName = 'Lead Engagement API'

  icon: Icon = { light: 'file:../icons/lead-engagement.svg', dark: 'file:../icons/lead-engagement.dark.svg' }

  documentationUrl = 'https://leads.example.com/docs'

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://leads.example.com',
      description: 'Where your service is, without a path',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A key of your team, cs_…',
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'X-API-Key': '={{ $credentials.apiKey }}' } },
  }

  test: ICredentialTestRequest = {
    request: { baseURL: '={{ $credentials.baseUrl.replace(/[/]+$/, "") }}/api/v1', url: '/credits' },
  }
}
