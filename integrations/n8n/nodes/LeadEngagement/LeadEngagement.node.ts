import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow'
import { properties } from './properties.ts'

/** The operations selected in `scripts/platforms/selection.ts`. */
export class LeadEngagement implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Lead Engagement',
    name: 'leadEngagement',
    icon: { light: 'file:../../icons/lead-engagement.svg', dark: 'file:../../icons/lead-engagement.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Read captured leads, track sources, exclude people and record results',
    defaults: { name: 'Lead Engagement' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'leadEngagementApi', required: true }],
    requestDefaults: {
      baseURL: '={{ $credentials.baseUrl.replace(/[/]+$/, "") }}/api/v1',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    },
    properties,
  }
}
