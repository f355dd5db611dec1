/** The states of a destination in words, with the action that resolves each. */
import type { Said } from '@les/contract'
import type { ResultOf } from '../../api/index.ts'
import type { Destination } from './kinds.ts'

export type Delivery = ResultOf<'listDestinationDeliveries'>['deliveries'][number]

export const stateWords: Readonly<Record<Destination['state'], Said>> = {
  active: { text: 'Delivers', tone: 'good' },
  paused: { text: 'Paused', tone: 'warn' },
  failing: { text: 'Tries again', tone: 'bad' },
}

export const deliveryWords: Readonly<Record<Delivery['state'], Said>> = {
  waiting: { text: 'Waiting', tone: 'info' },
  delivered: { text: 'Delivered', tone: 'good' },
  unchanged: { text: 'Unchanged', tone: 'neutral' },
  refused: { text: 'Refused', tone: 'bad' },
  excluded: { text: 'Excluded', tone: 'neutral' },
  unknown: { text: 'Answer lost', tone: 'warn' },
}

type Pause = {
  readonly text: string
  /** The button that resumes it; without one it resumes by itself. */
  readonly button?: string
  readonly asksCredentials?: true
}

export const pauseWords: Readonly<Record<NonNullable<Destination['pausedReason']>, Pause>> = {
  credentials_rejected: {
    text: 'The platform refused the credentials. Store new ones, and waiting leads are delivered.',
    button: 'Store new credentials',
    asksCredentials: true,
  },
  scope_missing: {
    text: 'The credentials lack permissions that deliveries need. Add the missing scopes on the platform, then check again.',
    button: 'Check and resume',
  },
  setup_missing: {
    text: 'Something that deliveries need is gone on the platform: a field, a sheet, a bucket or a channel. Restore it, then check again.',
    button: 'Check and resume',
  },
  quota: { text: 'The daily quota is used up. It resumes automatically.' },
  plan: {
    text: 'Your plan on the platform does not include what deliveries need. Change it there, then check again.',
    button: 'Check and resume',
  },
  by_person: { text: 'Somebody paused it. Leads captured in the meantime wait.', button: 'Resume' },
}

/** Facts of a lead that can fill a field of the platform, by their names in a mapping. */
export const factNames = {
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email address',
  linkedinUrl: 'Profile address',
  headline: 'Headline',
  jobTitle: 'Job title',
  country: 'Country',
  'company.name': 'Company',
  'company.domain': 'Company domain',
  'company.linkedinUrl': 'Company page',
  'company.industry': 'Company industry',
  'company.staffRange': 'Company size range',
  'company.employeeCount': 'Company employees',
  isIcp: 'Fits',
  fit: 'Fit (ICP %)',
  sourceLabel: 'Source',
  engagementType: 'Kind of engagement',
  engagedAt: 'Time of the engagement',
  commentText: 'Text of the comment',
  postUrl: 'Post',
  why: 'Why, in a sentence',
  stage: 'Stage',
  owner: 'Owner',
  leadUrl: 'Link to the lead',
} as const

export const modeNames = { always: 'On every change', if_empty: 'Only while it is empty', never: 'Never' } as const
