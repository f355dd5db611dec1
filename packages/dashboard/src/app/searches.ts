/** The search parameters of each page of a team, by page, with the values they may have. */
import { exclusionKindNames, ledgerKindNames, type EventName, type ExclusionKind } from '@les/contract'
import { compact, day, flag, oneOf, shaped, text, uuid, whole, type Raw } from './search.ts'

export const agentSteps = ['company', 'buyers', 'topics', 'budget', 'delivery'] as const

export const creditSpans = [7, 30, 90] as const
export const sumGroups = ['run', 'source', 'day'] as const
export const lineKinds = Object.keys(ledgerKindNames) as readonly (keyof typeof ledgerKindNames)[]

const destinationKinds = ['hubspot', 'slack', 'google_sheets', 'attio', 'salesforce', 's3', 'webhook'] as const
export const destinationSteps = ['who', 'fields', 'test', 'start'] as const
export const destinationStates = ['waiting', 'delivered', 'unchanged', 'refused', 'excluded', 'unknown'] as const

export const exclusionKinds = Object.keys(exclusionKindNames) as readonly ExclusionKind[]

export const leadTabs = ['leads', 'engagers', 'raw'] as const
export const leadSorts = ['captured', 'name', 'company', 'fit', 'engagement'] as const
const leadSourceKinds = ['profile', 'post', 'keyword'] as const
export const engagementTypes = ['Like', 'Comment', 'Author'] as const
const webhookStatuses = ['pending', 'sent', 'failed', 'no_webhook'] as const
const exclusionFilters = ['exclude', 'only'] as const

export const callStatuses = ['2xx', '4xx', '5xx'] as const

export const resultGroups = ['keyword', 'topic', 'post', 'criteria'] as const

export const sourceKinds = ['person', 'company', 'post', 'keyword'] as const
export const sourceTabs = ['runs', 'settings', 'fit', 'webhook', 'outreach', 'posts', 'try', 'raw', 'coverage'] as const

export const deliveryStates = ['pending', 'sending', 'sent', 'failed', 'held', 'cancelled', 'excluded'] as const
const events: Readonly<Record<EventName, true>> = {
  'lead.detected': true,
  'post.detected': true,
  'sync.completed': true,
  'sync.failed': true,
  'person.erased': true,
}

/** Text that narrows a list, cut to what the service takes. */
const words = (raw: Raw, name: string) => text(raw, name)?.slice(0, 200)

const instant = (raw: Raw, name: string) => {
  const value = shaped(raw, name, /^\d{4}-\d\d-\d\d/)
  return value === undefined || Number.isNaN(Date.parse(value)) ? undefined : value
}

export const searches = {
  /** `filters` is JSON of the filter rows, which the router may already have parsed. */
  agent: (raw: Raw) =>
    compact({
      agent: text(raw, 'agent'),
      tab: oneOf(raw, 'tab', ['leads', 'profile', 'delivery', 'sources']),
      step: oneOf(raw, 'step', agentSteps),
      add: flag(raw, 'add'),
      filters: Array.isArray(raw.filters) ? JSON.stringify(raw.filters).slice(0, 8_000) : text(raw, 'filters'),
    }),
  credits: (raw: Raw) => {
    const days = whole(raw, 'days')
    return compact({
      tab: oneOf(raw, 'tab', ['burn', 'yield', 'sums', 'ledger', 'statement']),
      days: creditSpans.find((span) => span === days),
      kind: oneOf(raw, 'kind', lineKinds),
      sourceId: uuid(raw, 'sourceId'),
      syncId: uuid(raw, 'syncId'),
      leadId: uuid(raw, 'leadId'),
      by: oneOf(raw, 'by', sumGroups),
      month: shaped(raw, 'month', /^\d{4}-\d\d$/),
      offset: whole(raw, 'offset', 1),
    })
  },
  /** First the kind, then the id of the created destination and the step. */
  connect: (raw: Raw) =>
    compact({
      kind: oneOf(raw, 'kind', destinationKinds),
      id: text(raw, 'id')?.slice(0, 36),
      step: oneOf(raw, 'step', destinationSteps),
    }),
  destination: (raw: Raw) =>
    compact({
      tab: oneOf(raw, 'tab', ['who', 'fields', 'settings']),
      state: oneOf(raw, 'state', destinationStates),
      offset: whole(raw, 'offset', 1),
    }),
  /** `new`: the form of a new run is open. */
  discover: (raw: Raw) => compact({ new: flag(raw, 'new') }),
  discoverRun: (raw: Raw) => compact({ view: oneOf(raw, 'view', ['cards', 'table']) }),
  exclusions: (raw: Raw) =>
    compact({
      tab: oneOf(raw, 'tab', ['settings']),
      list: text(raw, 'list')?.slice(0, 60),
      kind: oneOf(raw, 'kind', exclusionKinds),
      query: words(raw, 'query'),
      offset: whole(raw, 'offset', 1),
    }),
  keyword: (raw: Raw) => compact({ tab: oneOf(raw, 'tab', ['active', 'stopped']) }),
  /** `from`: the search to copy; `terms`: a first term of a new search. */
  keywordEdit: (raw: Raw) =>
    compact({
      tab: oneOf(raw, 'tab', ['settings', 'posts', 'try']),
      posts: oneOf(raw, 'posts', ['kept']),
      offset: whole(raw, 'offset', 1),
      from: text(raw, 'from'),
      terms: text(raw, 'terms'),
    }),
  leads: (raw: Raw) =>
    compact({
      tab: oneOf(raw, 'tab', leadTabs),
      lead: uuid(raw, 'lead'),
      columns: text(raw, 'columns')?.slice(0, 500),
      sort: oneOf(raw, 'sort', leadSorts),
      direction: oneOf(raw, 'direction', ['up', 'down']),
      profileId: uuid(raw, 'profileId'),
      username: words(raw, 'username'),
      sourceKind: oneOf(raw, 'sourceKind', leadSourceKinds),
      engagementType: oneOf(raw, 'engagementType', engagementTypes),
      isIcp: flag(raw, 'isIcp'),
      webhookStatus: oneOf(raw, 'webhookStatus', webhookStatuses),
      excluded: oneOf(raw, 'excluded', exclusionFilters),
      name: words(raw, 'name'),
      jobTitle: words(raw, 'jobTitle'),
      company: words(raw, 'company'),
      companyDomain: words(raw, 'companyDomain'),
      country: words(raw, 'country'),
      companyIndustry: words(raw, 'companyIndustry'),
      since: instant(raw, 'since'),
      until: instant(raw, 'until'),
      includeSyncing: flag(raw, 'includeSyncing'),
      includeInactive: flag(raw, 'includeInactive'),
    }),
  operator: (raw: Raw) => compact({ tab: oneOf(raw, 'tab', ['teams', 'vendors', 'costs', 'work']) }),
  outreach: (raw: Raw) => compact({ tab: oneOf(raw, 'tab', ['results', 'rules', 'campaigns']) }),
  privacy: (raw: Raw) =>
    compact({
      tab: oneOf(raw, 'tab', ['receipts', 'retention']),
      query: text(raw, 'query')?.slice(0, 500),
      offset: whole(raw, 'offset', 1),
    }),
  requests: (raw: Raw) =>
    compact({
      status: oneOf(raw, 'status', callStatuses),
      surface: oneOf(raw, 'surface', ['api', 'mcp']),
      operation: shaped(raw, 'operation', /^[A-Za-z]{1,60}$/),
      requestId: shaped(raw, 'requestId', /^[A-Za-z0-9._-]{1,128}$/),
      keyId: uuid(raw, 'keyId'),
      call: uuid(raw, 'call'),
    }),
  results: (raw: Raw) =>
    compact({
      tab: oneOf(raw, 'tab', ['figures', 'suggestions']),
      by: oneOf(raw, 'by', resultGroups),
      from: day(raw, 'from'),
      to: day(raw, 'to'),
    }),
  /** `add`: opens the tab's dialog for a new key or invitation. */
  settings: (raw: Raw) =>
    compact({
      tab: oneOf(raw, 'tab', ['team', 'members', 'keys', 'credentials', 'secret', 'audit', 'sessions', 'account']),
      add: flag(raw, 'add'),
    }),
  /** `add`: a criterion to try (JSON). */
  source: (raw: Raw) =>
    compact({
      tab: oneOf(raw, 'tab', sourceTabs),
      offset: whole(raw, 'offset', 1),
      posts: oneOf(raw, 'posts', ['kept']),
      add: text(raw, 'add'),
    }),
  /** `track` opens the form to track something, `lines` fills it. */
  sources: (raw: Raw) =>
    compact({
      tab: oneOf(raw, 'tab', ['stopped', 'overlap', 'defaults']),
      kind: oneOf(raw, 'kind', sourceKinds),
      find: text(raw, 'find'),
      track: flag(raw, 'track'),
      lines: text(raw, 'lines'),
    }),
  webhooks: (raw: Raw) =>
    compact({
      tab: oneOf(raw, 'tab', ['endpoints', 'log', 'verify']),
      state: oneOf(raw, 'state', deliveryStates),
      event: oneOf(raw, 'event', Object.keys(events) as readonly EventName[]),
      ownerId: uuid(raw, 'ownerId'),
      leadId: uuid(raw, 'leadId'),
      delivery: uuid(raw, 'delivery'),
    }),
}

export type SearchOf<Page extends keyof typeof searches> = ReturnType<(typeof searches)[Page]>
