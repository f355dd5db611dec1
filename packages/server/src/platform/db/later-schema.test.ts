import { describe, expect, it } from 'vitest'
import { migrations, type ChangeOfSchema } from '../../../migrations/index.ts'
import { judgeLater, reasonsAgainst } from './later-schema.ts'

const known = ['0001-a', '0002-b']

describe('a program on the schema of a later one', () => {
  it('goes on when every later migration only adds, and refuses when one says that it breaks what came before', () => {
    expect(judgeLater(known, known, [])).toEqual([])
    expect(judgeLater(['0001-a'], known, null)).toEqual([])
    expect(judgeLater([...known, '0003-c'], known, [])).toEqual(['0003-c'])
    // One of our own that once broke older programs is none of ours to fear.
    expect(judgeLater([...known, '0003-c'], known, ['0002-b'])).toEqual(['0003-c'])
    expect(() => judgeLater([...known, '0003-c', '0004-d'], known, ['0004-d'])).toThrow('0004-d')
    expect(() => judgeLater([...known, '0003-c'], known, null)).toThrow('later version')
  })
})

describe('expand, then contract', () => {
  it('knows what the program before cannot bear', () => {
    for (const statement of [
      'alter table lead drop column name',
      'drop table lead',
      'alter table lead rename column a to b',
      'alter table lead alter column a type bigint',
      'alter table lead alter column a set not null',
      'alter table lead add column a text not null',
      'create index lead_by_a on lead (a)',
    ])
      expect([statement, reasonsAgainst([statement]).length]).toEqual([statement, 1])
    expect(
      reasonsAgainst([
        'create table note (team_id uuid not null references team, text text not null)',
        'create index note_by_team on note (team_id)',
        'alter table lead add column a text',
        'alter table lead add column b integer not null default 0',
      ]),
    ).toEqual([])
  })

  /** From here on a release can be taken back: what came before was never released under this rule. */
  const since = '0041'
  it('holds for every migration from then on, unless it says of itself that it breaks', () => {
    const later = Object.entries<ChangeOfSchema>(migrations).filter(
      ([name, { breaks }]) => name >= since && breaks !== true,
    )
    expect(
      later.flatMap(([name, { statements }]) => reasonsAgainst(statements).map((why) => `${name} ${why}`)),
    ).toEqual([])
  })
})
