import { describe, expect, it } from 'vitest'
import { reaches, teamRoles } from '../src/dashboard/operation.ts'
import { roleOf } from '../src/index.ts'

describe('a role', () => {
  it.each([
    ['viewer', 'viewer', true],
    ['viewer', 'member', false],
    ['viewer', 'owner', false],
    ['member', 'viewer', true],
    ['member', 'member', true],
    ['member', 'owner', false],
    ['owner', 'viewer', true],
    ['owner', 'member', true],
    ['owner', 'owner', true],
  ] as const)('%s may do what a %s may: %s', (role, needed, expected) => {
    expect(reaches(role, needed)).toBe(expected)
  })
  it('is one of three', () => {
    expect([...teamRoles].sort()).toEqual(['member', 'owner', 'viewer'])
  })
  it('of a viewer reads what the contract offers, and a write, or the signing secret, needs a member', () => {
    expect([
      roleOf({ id: 'listLeads', method: 'GET' }),
      roleOf({ id: 'syncSource', method: 'POST' } as never),
      roleOf({ id: 'untrackProfile', method: 'DELETE' } as never),
      roleOf({ id: 'getSourceWebhook', method: 'GET' }),
    ]).toEqual(['viewer', 'member', 'member', 'member'])
  })
  it('of a viewer tries criteria, and nothing else, with dryRun: true', () => {
    const save = { id: 'updateSourceIcp', method: 'PUT' } as const
    const push = { id: 'pushSource', method: 'POST' } as const
    expect([{ dryRun: true }, { dryRun: 'true' }, { dryRun: false }, {}].map((body) => roleOf(save, body))).toEqual([
      'viewer',
      'member',
      'member',
      'member',
    ])
    expect([roleOf(save), roleOf(push), roleOf(push, { dryRun: true })]).toEqual(['viewer', 'member', 'member'])
  })
})
