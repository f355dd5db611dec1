import { by, type ToolEntry } from './tool-entry.ts'

/** Where leads go by themselves, and pushing them by hand. */
export const deliveryTools: readonly ToolEntry[] = [
  {
    name: 'get_delivery_settings',
    title: 'Read webhook, ICP and outreach',
    toolsets: ['sources', 'leads', 'outreach'],
    description:
      'Where leads of a source go, and which of them fit the ideal customer profile. outreach is by source only.',
    selectors: [{ name: 'settings' }, by],
    operations: {
      'webhook source': 'getSourceWebhook',
      'webhook person': 'getProfileWebhook',
      'webhook company': 'getCompanyWebhook',
      'webhook keyword': 'getKeywordWebhook',
      'icp source': 'getSourceIcp',
      'icp person': 'getProfileIcp',
      'icp company': 'getCompanyIcp',
      'icp keyword': 'getKeywordIcp',
      'outreach source': 'getSourceOutreach',
    },
  },
  {
    name: 'configure_delivery',
    title: 'Set webhook, ICP and outreach',
    toolsets: ['sources', 'leads', 'outreach'],
    description:
      'Partly updates webhook or ICP criteria of a source (dryRun tries them without saving), ' +
      'or sets its campaign (by source only; null removes it).',
    selectors: [{ name: 'settings' }, by],
    operations: {
      'webhook source': 'updateSourceWebhook',
      'webhook person': 'updateProfileWebhook',
      'webhook company': 'updateCompanyWebhook',
      'webhook keyword': 'updateKeywordWebhook',
      'icp source': 'updateSourceIcp',
      'icp person': 'updateProfileIcp',
      'icp company': 'updateCompanyIcp',
      'icp keyword': 'updateKeywordIcp',
      'outreach source': 'updateSourceOutreach',
    },
    effect: 'changes',
    repeatable: true,
    outside: true,
  },
  {
    name: 'push_leads',
    title: 'Push leads to the webhook',
    toolsets: ['leads', 'sources', 'agent'],
    description: 'Sends leads captured before. None is sent twice. Free.',
    selectors: [by],
    operations: {
      source: 'pushSource',
      person: 'pushProfile',
      company: 'pushCompany',
      keyword: 'pushKeyword',
      agent: 'pushAgent',
    },
    outside: true,
    repeatable: true,
  },
]
