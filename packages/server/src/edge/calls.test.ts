import { findOperation, sessionRegistry, type Operation } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { openLog } from '../platform/log.ts'
import { Refusal } from '../platform/refusal.ts'
import { noteCalls, type OperationSurface, type Undeclared } from './calls.ts'
import { refusalReply } from './reply.ts'

function told(
  surface: OperationSurface,
  operation: Operation,
  key: ConstructorParameters<typeof Refusal>[0],
): { found: Undeclared[]; counted: unknown[] } {
  const found: Undeclared[] = []
  const counted: unknown[] = []
  const note = noteCalls(
    {
      log: openLog('silent'),
      system: { nowMs: () => 0 },
      metrics: { count: (...of) => void counted.push(of), request: () => {} },
      onUndeclared: (one) => void found.push(one),
    },
    surface,
  )
  note({ operation, reply: refusalReply(new Refusal(key), 'r-1'), startedMs: 0 })
  return { found, counted }
}

const getAgent = findOperation('getAgent')
const updateAgent = findOperation('updateAgent')
const listLeads = findOperation('listLeads')

describe('an operation that answers a refusal', () => {
  it('which it does not declare is told and counted [CON-27]', () => {
    const { found, counted } = told('api', getAgent, 'campaign_closed')
    expect(found).toEqual([{ surface: 'api', operation: 'getAgent', refusal: 'campaign_closed' }])
    expect(counted).toEqual([['undeclared_refusals', 'getAgent', 1]])
  })
  it.each<[string, OperationSurface, Operation, ConstructorParameters<typeof Refusal>[0]]>([
    ['its own', 'api', updateAgent, 'not_connected'],
    ['shared by all', 'api', getAgent, 'rate_limited'],
    ['of every write', 'api', updateAgent, 'idempotency_key_invalid'],
    ['of a strict body', 'api', updateAgent, 'unknown_field'],
    ['of a role, through a tool', 'mcp', listLeads, 'role_required'],
  ])('which is %s is told to nobody [CON-27]', (_what, surface, operation, key) => {
    expect(told(surface, operation, key)).toEqual({ found: [], counted: [] })
  })
  it.each<[string, OperationSurface, Operation, ConstructorParameters<typeof Refusal>[0]]>([
    ['a write only, answered by a read', 'api', getAgent, 'invalid_json'],
    ['sessions only, answered to a key', 'api', listLeads, 'role_required'],
    ['another operation, answered by one of the dashboard', 'dashboard', sessionRegistry[0], 'campaign_closed'],
  ])('which is one of %s is told [CON-27]', (_what, surface, operation, key) => {
    expect(told(surface, operation, key).found).toHaveLength(1)
  })
})
