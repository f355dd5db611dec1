import { expect, test } from 'vitest'
import { decideStatus } from './team-status.ts'

const now = new Date('2026-06-01T12:00:00Z')
const later = new Date(now.getTime() + 1)

const fortnight = new Date('2026-06-15T12:00:00Z')
const trial = { plan: 'trial', status: 'trial' as const, trialEndsAt: later }
const paid = { plan: 'starter', status: 'active' as const, trialEndsAt: null }
const growth = { plan: 'growth', status: 'active' }

test.each([
  ['a new team is on the growth plan', null, {}, { ...growth, trialEndsAt: null }],
  ['a new trial lasts 14 days', null, { status: 'trial' }, { ...trial, trialEndsAt: fortnight }],
  ['a new trial ends when told', null, { status: 'trial', trialEndsAt: later }, trial],
  ['a trial that subscribes gets the usual plan', trial, { status: 'active' }, { ...growth, trialEndsAt: later }],
  ['or the one named', trial, { status: 'active', plan: 'starter' }, { ...paid, trialEndsAt: later }],
  ['a change of something else changes nothing here', paid, {}, paid],
  ['a team that lapses keeps its plan', paid, { status: 'expired' }, { ...paid, status: 'expired' }],
  ['so does a lapsed trial', trial, { status: 'expired' }, { ...trial, status: 'expired' }],
  [
    'a trial after one that has ended lasts 14 days',
    { ...paid, trialEndsAt: now },
    { status: 'trial' },
    { ...trial, trialEndsAt: fortnight },
  ],
  ['a trial taken up again ends when it would have', { ...paid, trialEndsAt: later }, { status: 'trial' }, trial],
  [
    'one that has ended stays so, whatever else changes',
    { ...trial, trialEndsAt: now },
    { plan: 'trial' },
    { ...trial, trialEndsAt: now },
  ],
  ['a trial prolonged stays a trial', trial, { trialEndsAt: fortnight }, { ...trial, trialEndsAt: fortnight }],
] as const)('%s', (_title, before, change, after) => {
  expect(decideStatus(before, change, now)).toEqual(after)
})
