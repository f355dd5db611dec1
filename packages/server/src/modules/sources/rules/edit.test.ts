import { initialSettings, type SourceSettings } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { decideEdit } from './settings.ts'

const engagers: SourceSettings = { ...initialSettings, creditCapPerSync: 40 }
const watch: SourceSettings = { ...initialSettings, mode: 'posts_only', postsPerSync: 10 }

describe('an edit that is made', () => {
  it.each([
    [
      'to posts_only without a yes',
      engagers,
      { mode: 'posts_only', postsPerSync: 5 },
      undefined,
      { ...engagers, mode: 'posts_only', postsPerSync: 5 },
    ],
    [
      'to engagers with a yes empties postsPerSync',
      watch,
      { mode: 'engagers' },
      true,
      { ...watch, mode: 'engagers', postsPerSync: null },
    ],
    ['fewer posts', watch, { mode: 'posts_only', postsPerSync: 9 }, undefined, { ...watch, postsPerSync: 9 }],
    ['as many posts', watch, { mode: 'posts_only', postsPerSync: 10 }, undefined, watch],
    ['more posts with a yes', watch, { mode: 'posts_only', postsPerSync: 11 }, true, { ...watch, postsPerSync: 11 }],
    ['engagers once more', engagers, { mode: 'engagers' }, undefined, engagers],
    [
      'a higher cap',
      engagers,
      { creditCapPerSync: 2_147_483_647 },
      undefined,
      { ...engagers, creditCapPerSync: 2_147_483_647 },
    ],
    ['a cleared cap', engagers, { creditCapPerSync: null }, false, { ...engagers, creditCapPerSync: null }],
    ['a cap of a watch', watch, { creditCapPerSync: 3 }, undefined, { ...watch, creditCapPerSync: 3 }],
    [
      'flags alone leave the mode',
      watch,
      { captureReplies: false, enrichLeads: false },
      undefined,
      { ...watch, captureReplies: false, enrichLeads: false },
    ],
    [
      'undefined names nothing',
      engagers,
      { creditCapPerSync: undefined, enrichLeads: false },
      undefined,
      { ...engagers, enrichLeads: false },
    ],
  ] as const)('%s', (_title, present, named, confirmSpend, settings) => {
    expect(decideEdit(present, { named, confirmSpend, balance: 0 })).toEqual({ kind: 'edit', settings })
  })
})

describe('an edit that needs a yes', () => {
  const previous = { mode: 'posts_only', postsPerSync: 10 }
  it.each([
    [
      'to engagers, no cap: no honest daily figure',
      watch,
      { mode: 'engagers' },
      { previous, mode: 'engagers', creditCapPerSync: null, remainingBalance: 100 },
    ],
    [
      'to engagers under a cap',
      watch,
      { mode: 'engagers', creditCapPerSync: 30 },
      {
        previous,
        mode: 'engagers',
        creditCapPerSync: 30,
        estimatedDailyMax: 30,
        daysToExhaustAtCap: 3,
        remainingBalance: 100,
      },
    ],
    [
      'more posts',
      watch,
      { mode: 'posts_only', postsPerSync: 60, enrichLeads: false },
      {
        previous,
        mode: 'posts_only',
        postsPerSync: 60,
        creditCapPerSync: null,
        estimatedDailyMax: 60,
        daysToExhaustAtCap: 1,
        remainingBalance: 100,
      },
    ],
  ] as const)('%s', (_title, present, named, figures) => {
    for (const confirmSpend of [undefined, false])
      expect(decideEdit(present, { named, confirmSpend, balance: 100 })).toEqual({ kind: 'refused', figures })
  })
})
