import { sourceSettingNames } from '@les/contract'
import { by, type ToolEntry } from './tool-entry.ts'

/** Leads, and the sources that they are captured from. */
export const sourceTools: readonly ToolEntry[] = [
  {
    name: 'search_leads',
    title: 'Search leads',
    toolsets: ['leads'],
    description:
      'Captured people, newest first: leads (one row an engagement), people (one row a person) or raw (never enriched).',
    selectors: [{ name: 'view', default: 'leads' }],
    operations: { leads: 'listLeads', people: 'listEngagers', raw: 'listRawLeads' },
  },
  {
    name: 'list_sources',
    title: 'List tracked sources',
    toolsets: ['sources', 'leads', 'keyword'],
    description: 'What the team tracks, with settings and last run. A source id is the profileId of leads.',
    selectors: [],
    operations: { '': 'listSources' },
  },
  {
    name: 'get_sync_status',
    title: 'Follow a sync',
    toolsets: ['sources', 'keyword', 'leads'],
    description: 'How far the capture of a source has come and why it ended. Poll until isFinal is true.',
    selectors: [by],
    operations: {
      source: 'getSourceSync',
      person: 'getProfileSync',
      company: 'getCompanySync',
      keyword: 'getKeywordSync',
    },
  },
  {
    name: 'get_job',
    title: 'Read a job or push',
    toolsets: ['sources', 'leads', 'agent'],
    description: 'The state of a job (until completed or failed) or a push of leads (until finished).',
    selectors: [{ name: 'of', default: 'job' }],
    operations: { job: 'getJobStatus', push: 'getPush' },
  },
  {
    name: 'track_source',
    title: 'Track a person, company or post',
    toolsets: ['sources'],
    description:
      'Starts daily capture of everybody who engages, one credit a new person; ' +
      'or posts only with mode posts_only. Leads come over minutes.',
    selectors: [{ name: 'kind' }],
    operations: { person: 'enrichProfile', company: 'enrichCompany', post: 'trackPost' },
    preset: { saveTrackedProfile: true },
    outside: true,
    repeatable: true,
  },
  {
    name: 'enrich',
    title: 'Enrich captured leads once',
    toolsets: ['sources', 'leads'],
    description: 'Queues a job that looks up a person who is a lead, or a company, without tracking them.',
    selectors: [{ name: 'kind', default: 'person' }],
    operations: { person: 'enrichProfile', company: 'enrichCompany' },
    omit: ['saveTrackedProfile', 'confirmSpend', ...sourceSettingNames],
    outside: true,
    repeatable: true,
  },
  {
    name: 'edit_source',
    title: 'Edit or sync a source',
    toolsets: ['sources'],
    description: 'Changes the settings of a tracked person or company, or syncs a source now (charged like any sync).',
    selectors: [{ name: 'action' }],
    operations: { edit_person: 'editProfile', edit_company: 'editCompany', sync_now: 'startSourceSync' },
    outside: true,
  },
  {
    name: 'untrack_source',
    title: 'Stop tracking',
    toolsets: ['sources', 'keyword'],
    description: 'Ends the capture of a source or search. Leads are kept, credits not refunded.',
    selectors: [{ name: 'kind' }],
    operations: { person: 'untrackProfile', company: 'untrackCompany', post: 'untrackPost', keyword: 'untrackKeyword' },
    effect: 'removes',
    repeatable: true,
  },
]
