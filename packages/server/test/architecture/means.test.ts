/** Time, random numbers, ids, network and settings each enter in one place; SQL reads no clock and makes no id. */
import { describe, expect, it } from 'vitest'
import { parseFolder } from './code.ts'

/** Text without comments, so that words in prose do not count as uses. */
const codeOf = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1')

/** What counts as a use, and the only place that may contain one. */
const means: Readonly<Record<string, { readonly use: RegExp; readonly place: RegExp }>> = {
  clock: {
    use: /\bnew (?:globalThis\.)?Date\(\)|(?<![\w.] ?)Date\(\)|\bDate(?:\.now\b|\['now'\])|\} = Date\b|\bperformance\.now\b/,
    place: /^server\/src\/platform\//,
  },
  random: {
    use: /\bMath\.random\b|\bcrypto\.getRandomValues\b|\brandomInt\b|\} = Math\b/,
    place: /^server\/src\/platform\//,
  },
  ids: { use: /\brandomUUID\b/, place: /^server\/src\/platform\// },
  timers: {
    use: /(?<!\.|\w)(?:globalThis\.)?set(?:Timeout|Interval|Immediate)\(|'(?:node:)?timers(?:\/promises)?'/,
    place: /^server\/src\/platform\//,
  },
  network: {
    use: /(?<![.\w])(?:globalThis\.)?fetch\(|^import (?!type\b)[^']*'(?:undici|(?:node:)?https?2?)'/m,
    // Servers use the HTTP module too.
    place: /^server\/src\/platform\/(?:egress\/|metrics-server)|^server\/src\/edge\/http\//,
  },
  environment: {
    use: /\bprocess\.env\b|\bprocess\['env'\]|\{ env \} (?:= process|from 'node:process')/,
    place: /^server\/src\/config\/env\.ts$|^server\/src\/platform\/db\/embedded/,
  },
  'a clock or ids of SQL': {
    use: /\bnow\(\)|\bcurrent_(?:timestamp|date|time)\b|\bclock_timestamp\(|\bgen_random_uuid\(|\buuidv7\(/i,
    place: /platform\/db\/embedded|platform\/clock\.ts/,
  },
}

describe('one place each', () => {
  const files = [...parseFolder('server/src'), ...parseFolder('server/migrations')]
  it.each(Object.entries(means))('%s', (_kind, { use, place }) => {
    const found = files.filter(({ path, text }) => !place.test(path) && use.test(codeOf(text)))
    expect(found.map(({ path }) => path)).toEqual([])
  })
})
