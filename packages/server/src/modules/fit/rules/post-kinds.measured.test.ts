/** Error rates of the phrase rules on posts labelled by meaning (`post-kinds.table.txt`; `⏎` is a line break). */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { kindsOf } from './post-kinds.ts'
import { wordsOf } from './words.ts'

type Label = 'vacancy' | 'news' | 'neither'

const posts = readFileSync(new URL('post-kinds.table.txt', import.meta.url), 'utf8')
  .split(/^# /mu)
  .filter((part) => part !== '')
  .flatMap((part) => {
    const [label, ...texts] = part.split('\n')
    return texts
      .filter((text) => text !== '')
      .map((text) => ({ label: label as Label, text: text.replaceAll('⏎', '\n') }))
  })

const percent = (part: number, whole: number) => Math.round((1_000 * part) / whole) / 10

function measure(label: Label, found: (text: string) => string | null) {
  const meant = posts.filter((post) => post.label === label)
  const others = posts.filter((post) => post.label !== label)
  const falsely = others.filter(({ text }) => found(text) !== null)
  const missed = meant.filter(({ text }) => found(text) === null)
  return {
    meant: meant.length,
    others: others.length,
    falsely,
    missed,
    falsePercent: percent(falsely.length, others.length),
    missedPercent: percent(missed.length, meant.length),
  }
}

describe('the phrase rules, measured on posts labelled by their meaning', () => {
  it('has at least 200 posts, each once', () => {
    expect(new Set(posts.map((post) => post.text)).size).toBe(posts.length)
    expect(posts.length).toBeGreaterThanOrEqual(200)
    expect([...new Set(posts.map((post) => post.label))]).toEqual(['vacancy', 'news', 'neither'])
  })
  it.each<[Label, (text: string) => string | null, { falsePercent: number; missedPercent: number }]>([
    ['vacancy', (text) => kindsOf(wordsOf(text)).vacancy, { falsePercent: 2.5, missedPercent: 12 }],
    ['news', (text) => kindsOf(wordsOf(text)).personalNews, { falsePercent: 1, missedPercent: 15 }],
  ])('takes hardly anything else for %s and misses little of it [G142]', (label, found, most) => {
    const { meant, others, falsely, missed, falsePercent, missedPercent } = measure(label, found)
    console.info(
      `${label}: ${falsely.length} of ${others} others taken for it (${falsePercent} %), ` +
        `${missed.length} of ${meant} missed (${missedPercent} %)`,
    )
    const wrong = [
      ...falsely.map(({ text }) => `falsely (${found(text)}): ${text}`),
      ...missed.map(({ text }) => `missed: ${text}`),
    ].join('\n')
    expect(falsePercent, wrong).toBeLessThanOrEqual(most.falsePercent)
    expect(missedPercent, wrong).toBeLessThanOrEqual(most.missedPercent)
  })
})
