/** What automation platforms offer: the only list to edit. Fields, texts and routes come from the operations. */
import { sourceSettingNames, type OperationId } from '../../packages/contract/src/index.ts'
import type { hookEvents } from '../../packages/contract/src/operations/hooks.ts'

export type Choice = {
  readonly resource: 'lead' | 'source' | 'exclusion' | 'result' | 'export' | 'account'
  readonly name: string
  readonly id: OperationId
  readonly preset?: Readonly<Record<string, unknown>>
  readonly omit?: readonly string[]
  /** A list in the body; each action sends one row of it. */
  readonly each?: string
  /** Absent: only n8n offers it. */
  readonly zapier?: 'create' | 'search'
}

const tracking = { preset: { saveTrackedProfile: true } }
const once = { omit: ['saveTrackedProfile', 'confirmSpend', ...sourceSettingNames] }

/** In display order. */
export const selection: readonly Choice[] = [
  { resource: 'lead', name: 'Get Many', id: 'listLeads', zapier: 'search' },
  { resource: 'lead', name: 'Get People', id: 'listEngagers' },
  { resource: 'lead', name: 'Explain', id: 'explainLead' },
  { resource: 'lead', name: 'Enrich Person', id: 'enrichProfile', ...once, zapier: 'create' },
  { resource: 'lead', name: 'Enrich Company', id: 'enrichCompany', ...once },
  { resource: 'source', name: 'Get Many', id: 'listSources' },
  { resource: 'source', name: 'Get Sync', id: 'getSourceSync' },
  { resource: 'source', name: 'Sync', id: 'startSourceSync' },
  { resource: 'source', name: 'Track Person', id: 'enrichProfile', ...tracking, zapier: 'create' },
  { resource: 'source', name: 'Track Company', id: 'enrichCompany', ...tracking, zapier: 'create' },
  { resource: 'source', name: 'Track Post', id: 'trackPost', zapier: 'create' },
  {
    resource: 'source',
    name: 'Track Keyword',
    id: 'trackKeyword',
    omit: ['keyword', 'postBudget', 'contractVersion'],
  },
  { resource: 'exclusion', name: 'Add', id: 'addExclusions', each: 'entries', omit: ['origin'], zapier: 'create' },
  { resource: 'exclusion', name: 'Get Many', id: 'listExclusions' },
  { resource: 'result', name: 'Record', id: 'recordResults', each: 'results', zapier: 'create' },
  { resource: 'export', name: 'Create', id: 'createExport' },
  { resource: 'export', name: 'Get', id: 'getExport' },
  { resource: 'account', name: 'Get Credits', id: 'getCredits' },
]

/** Triggers, each a REST hook for one event. */
export const beginnings: Readonly<
  Record<(typeof hookEvents)[number], { readonly name: string; readonly noun: string; readonly when: string }>
> = {
  'lead.detected': { name: 'New Lead', noun: 'Lead', when: 'a new lead is captured and enriched' },
  'post.detected': { name: 'New Post', noun: 'Post', when: 'a source that is watched for posts has a new one' },
  'sync.completed': { name: 'Sync Completed', noun: 'Sync', when: 'a sync of a source has completed' },
  'sync.failed': { name: 'Sync Failed', noun: 'Sync', when: 'a sync of a source has failed' },
}
