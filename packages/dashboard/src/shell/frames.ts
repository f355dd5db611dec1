/** The documents that are made at the build: one a page, with its frame, its heading and what its scripts need. */
import type { SessionInput, SessionOperationId, V1Input, OperationId } from '../api/types.ts'
import { places, type Place } from './navigation.ts'

type FirstRead =
  | { readonly [Id in OperationId]: { readonly v1: Id; readonly input: V1Input<Id> } }[OperationId]
  | {
      readonly [Id in SessionOperationId]: { readonly session: Id; readonly input: SessionInput<Id> }
    }[SessionOperationId]

/** A document: which addresses it is served at, which page it shows, and what it asks for first. */
export type Frame = {
  /** The name of the file; `-id` at its end stands for any last part of an address. */
  readonly name: string
  readonly page: string
  readonly kind: 'team' | 'plain'
  readonly place?: Place
  readonly title?: string
  readonly reads?: readonly FirstRead[]
}

/** What the pages of the navigation ask first, where it depends on nothing but the team and the hour (`{since}`: a day ago). */
const firstReads: Partial<Record<Place['to'], readonly FirstRead[]>> = {
  '/home': [
    { v1: 'listLeads', input: { isIcp: true, since: '{since}', limit: 8, includeSyncing: true } },
    { session: 'listSourceNames', input: {} },
    { session: 'listSourceHealth', input: { limit: '200' } },
    { session: 'getBurn', input: { days: 30 } },
  ],
  '/leads': [
    { v1: 'listLeads', input: { includeSyncing: true, offset: 0, limit: 100 } },
    { session: 'listSourceNames', input: {} },
  ],
  '/sources': [{ session: 'listSourceHealth', input: { includeInactive: 'false', limit: '100' } }],
  '/keyword': [{ v1: 'listSources', input: { type: 'keyword' } }],
  '/discover': [{ v1: 'listDiscoverRuns', input: {} }],
  '/agent': [{ v1: 'getAgent', input: {} }],
  '/webhooks': [{ session: 'listEndpoints', input: {} }],
  '/outreach': [{ v1: 'getOutreach', input: {} }],
  '/credits': [{ session: 'getBurn', input: { days: 30 } }],
  '/settings': [{ session: 'getSettings', input: {} }],
}

/** Pages of one thing, by the place of the navigation they belong to; `{id}` in a read is the last part of the address. */
const details: readonly (readonly [name: string, page: string, place: Place['to'], reads?: readonly FirstRead[]])[] = [
  ['sources-id', 'source-detail', '/sources', [{ session: 'getSourceHealth', input: { id: '{id}' } }]],
  ['keyword-id', 'keyword-edit', '/keyword'],
  ['discover-id', 'discover-run', '/discover'],
]

const placeAt = (to: Place['to']): Place => places.find((place) => place.to === to)!

export const frames: readonly Frame[] = [
  ...places.map((place): Frame => {
    const name = place.to.slice(1)
    return { name, page: name, kind: 'team', place, title: place.label, reads: firstReads[place.to] ?? [] }
  }),
  ...details.map(([name, page, to, reads = []]): Frame => ({ name, page, kind: 'team', place: placeAt(to), reads })),
  { name: 'sign-in', page: 'sign-in', kind: 'plain', title: 'Sign in' },
  { name: 'sign-up', page: 'sign-up', kind: 'plain', title: 'Create an account' },
]
