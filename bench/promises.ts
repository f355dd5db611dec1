/** Performance promises by name, with the floors for measured values. */

/** A promise; `command` measures it. `least` and `most` bound a figure's `value`. */
export type Promised = {
  readonly what: string
  readonly floor: string
  readonly command: string
  readonly least?: number
  readonly most?: number
}

/** In table order. */
export const promises = {
  capture: {
    what: 'capture and charge, 8 sources',
    floor: '≥ 0.45 of bare inserts of the same rows',
    command: 'node bench/capture.ts',
    least: 0.45,
  },
  keyword: {
    what: 'a keyword run over 2,000 posts',
    floor: '≥ 0.4 of the same',
    command: 'node bench/keyword.ts',
    least: 0.4,
  },
  'deliveries to 20': {
    what: 'signed deliveries to 20 endpoints',
    floor: '≥ 0.45 of undici and HMAC',
    command: 'node bench/deliveries.ts',
    least: 0.45,
  },
  'deliveries to one': {
    what: 'signed deliveries to one endpoint',
    floor: '≥ 0.3 of undici and HMAC',
    command: 'node bench/deliveries.ts',
    least: 0.3,
  },
  'deliveries beside graphile-worker': {
    what: 'signed deliveries beside `graphile-worker`',
    floor: '≥ 0.8 of it',
    command: 'node bench/peers.ts',
    least: 0.8,
  },
  'dead endpoint': {
    what: 'p95 of other deliveries beside a dead endpoint',
    floor: '≤ 2 times without it',
    command: 'node bench/dead-endpoint.ts',
    most: 2,
  },
  claims: {
    what: 'a claim with 100,000 waiting',
    floor: '≤ 1.3 times with 1,000',
    command: 'node bench/claims.ts',
    most: 1.3,
  },
  enrichment: {
    what: 'enrichment with instant vendors',
    floor: '≥ 1,000 people/s',
    command: 'node bench/enrichment.ts',
    least: 1_000,
  },
  'leads: rate': {
    what: '`GET /leads` at 1,000,000',
    floor: '≥ 0.6 of http and its statements',
    command: 'node bench/leads.ts',
    least: 0.6,
  },
  'leads: p95': {
    what: 'its p95 at 1,000,000',
    floor: '≤ 2 times that at 10,000',
    command: 'node bench/leads.ts',
    most: 2,
  },
  'leads: filters': {
    what: 'any one filter at 1,000,000',
    floor: '≤ 5 times the unfiltered page',
    command: 'node bench/leads.ts',
    most: 5,
  },
  'leads: jump': { what: 'a jump to row 500,000', floor: '≤ 1.5 s', command: 'node bench/leads.ts', most: 1.5 },
  'criteria: answer': {
    what: 'criteria saved at 1,000,000',
    floor: 'answered ≤ 1 s',
    command: 'node bench/criteria.ts',
    most: 1,
  },
  'criteria: applied': {
    what: 'criteria applied at 1,000,000',
    floor: '≥ 0.5 of one UPDATE',
    command: 'node bench/criteria.ts',
    least: 0.5,
  },
  'agent leads': {
    what: 'agent leads of 5,000 people',
    floor: '≤ 2 times a plain page',
    command: 'node bench/agent-leads.ts',
    most: 2,
  },
  start: {
    what: 'first lead after a start on a new data folder',
    floor: '≤ 8 s',
    command: 'node bench/start.ts',
    most: 8,
  },
  'rest: memory': { what: 'memory at rest', floor: '≤ 250 MB', command: 'node bench/start.ts', most: 250 },
  'rest: statements': {
    what: 'statements at rest',
    floor: '≤ 1 a second',
    command: 'node bench/rest.ts',
    most: 1,
  },
} as const satisfies Readonly<Record<string, Promised>>

export type PromiseName = keyof typeof promises
