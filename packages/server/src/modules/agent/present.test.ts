import { expect, it } from 'vitest'
import { presentSources } from './present.ts'
import type { AgentSourceRow } from './store.ts'

const row = (sourceId: string, over: Partial<AgentSourceRow>): AgentSourceRow => ({
  sourceId,
  type: 'keyword',
  label: sourceId,
  active: true,
  made: false,
  topic: null,
  launch: 1,
  networkUrn: null,
  stopped: false,
  ...over,
})
const rows = [
  row('reused before', {}),
  row('own, tracked still', { made: true }),
  row('own, untracked', { made: true, active: false }),
  row('own, stopped', { made: true, stopped: true }),
  row('of this start', { launch: 2, active: false }),
  row('of a start not saved', { launch: 3 }),
]
const shown = (agent: Parameters<typeof presentSources>[0]) =>
  presentSources(agent, rows).map((source) => source.sourceId)

it('an agent shows the sources of its last start, of one under way, and its own that are tracked still', () => {
  expect(shown({ launch: 2, pending: null })).toEqual(['own, tracked still', 'of this start'])
  expect(shown({ launch: 2, pending: { launch: 3 } as never })).toEqual([
    'own, tracked still',
    'of this start',
    'of a start not saved',
  ])
})
