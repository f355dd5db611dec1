/** The search parameters of each page of a team, by page, with the values they may have. */
import { exclusionKindNames, ledgerKindNames, type EventName, type ExclusionKind } from '@les/contract'
import { day, flag, oneOf, page, shaped, text, upTo, uuid, whole, type Reader } from './search.ts'

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
export const engagementTypes = ['Like', 'Comment', 'Author'] as const

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
const words: Reader<string> = upTo(200)

const instant: Reader<string> = (raw, name) => {
  const value = shaped(/^\d{4}-\d\d-\d\d/)(raw, name)
  return value === undefined || Number.isNaN(Date.parse(value)) ? undefined : value
}

const offset = whole(1)

export const searches = {
  agent: page({
    agent: text,
    tab: oneOf(['leads', 'profile', 'delivery', 'sources']),
    step: oneOf(agentSteps),
    add: flag,
    /** JSON of the filter rows, which the router may already have parsed. */
    filters: (raw, name) => (Array.isArray(raw[name]) ? JSON.stringify(raw[name]).slice(0, 8_000) : text(raw, name)),
  }),
  credits: page({
    tab: oneOf(['burn', 'yield', 'sums', 'ledger', 'statement']),
    days: (raw, name) => creditSpans.find((span) => span === whole()(raw, name)),
    kind: oneOf(lineKinds),
    sourceId: uuid,
    syncId: uuid,
    leadId: uuid,
    by: oneOf(sumGroups),
    month: shaped(/^\d{4}-\d\d$/),
    offset,
  }),
  /** First the kind, then the id of the created destination and the step. */
  connect: page({ kind: oneOf(destinationKinds), id: upTo(36), step: oneOf(destinationSteps) }),
  destination: page({ tab: oneOf(['who', 'fields', 'settings']), state: oneOf(destinationStates), offset }),
  /** `new`: the form of a new run is open. */
  discover: page({ new: flag }),
  discoverRun: page({ view: oneOf(['cards', 'table']) }),
  exclusions: page({ tab: oneOf(['settings']), list: upTo(60), kind: oneOf(exclusionKinds), query: words, offset }),
  keyword: page({ tab: oneOf(['active', 'stopped']) }),
  /** `from`: the search to copy; `terms`: a first term of a new search. */
  keywordEdit: page({
    tab: oneOf(['settings', 'posts', 'try']),
    posts: oneOf(['kept']),
    offset,
    from: text,
    terms: text,
  }),
  leads: page({
    tab: oneOf(leadTabs),
    lead: uuid,
    columns: upTo(500),
    sort: oneOf(leadSorts),
    direction: oneOf(['up', 'down']),
    profileId: uuid,
    username: words,
    sourceKind: oneOf(['profile', 'post', 'keyword']),
    engagementType: oneOf(engagementTypes),
    isIcp: flag,
    webhookStatus: oneOf(['pending', 'sent', 'failed', 'no_webhook']),
    excluded: oneOf(['exclude', 'only']),
    name: words,
    jobTitle: words,
    company: words,
    companyDomain: words,
    country: words,
    companyIndustry: words,
    since: instant,
    until: instant,
    includeSyncing: flag,
    includeInactive: flag,
  }),
  operator: page({ tab: oneOf(['teams', 'vendors', 'costs', 'work']) }),
  outreach: page({ tab: oneOf(['results', 'rules', 'campaigns']) }),
  privacy: page({ tab: oneOf(['receipts', 'retention']), query: upTo(500), offset }),
  requests: page({
    status: oneOf(callStatuses),
    surface: oneOf(['api', 'mcp']),
    operation: shaped(/^[A-Za-z]{1,60}$/),
    requestId: shaped(/^[A-Za-z0-9._-]{1,128}$/),
    keyId: uuid,
    call: uuid,
  }),
  results: page({ tab: oneOf(['figures', 'suggestions']), by: oneOf(resultGroups), from: day, to: day }),
  /** `add`: opens the tab's dialog for a new key or invitation. */
  settings: page({
    tab: oneOf(['team', 'members', 'keys', 'credentials', 'secret', 'audit', 'sessions', 'account']),
    add: flag,
  }),
  /** `add`: a criterion to try (JSON). */
  source: page({ tab: oneOf(sourceTabs), offset, posts: oneOf(['kept']), add: text }),
  /** `track` opens the form to track something, `lines` fills it. */
  sources: page({
    tab: oneOf(['stopped', 'overlap', 'defaults']),
    kind: oneOf(sourceKinds),
    find: text,
    track: flag,
    lines: text,
  }),
  webhooks: page({
    tab: oneOf(['endpoints', 'log', 'verify']),
    state: oneOf(deliveryStates),
    event: oneOf(Object.keys(events) as readonly EventName[]),
    ownerId: uuid,
    leadId: uuid,
    delivery: uuid,
  }),
}

export type SearchOf<Page extends keyof typeof searches> = ReturnType<(typeof searches)[Page]>
