/** The values of an agent's profile, cleaned and truncated (G96). */
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { agentCompetitors, agentTitles, agentTopics, agentWebsite, bareDomain } from '../src/values/agent.ts'

const messages = (schema: z.ZodType, given: unknown): string[] =>
  schema.safeParse(given).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('texts', () => {
  it.each([
    [' two \t\n words ', 'two words'],
    ['"quoted" (in) [all] {ways} «of» ‘them’', 'quoted in all ways of them'],
    ['מנכ"ל', 'מנכ״ל'],
    ['"מנכל"', 'מנכל'],
    ['x'.repeat(61), 'x'.repeat(60)],
    [`${'x'.repeat(59)} y`, 'x'.repeat(59)],
    [`${'x'.repeat(59)}😀😀`, `${'x'.repeat(59)}😀`],
  ])('a topic «%s» is kept as «%s»', (given, kept) => expect(agentTopics.parse([given])).toEqual([kept]))
  it('that are blank when cleaned are dropped; too many, and what is no text, are refused', () => {
    expect(agentTopics.parse(['a', ' ', '""', 'b'])).toEqual(['a', 'b'])
    expect(agentTitles.parse(['"CEO"', `${'t'.repeat(201)}`])).toEqual(['"CEO"', 't'.repeat(200)])
    expect([messages(agentTopics, Array(20).fill('a')), messages(agentTitles, Array(15).fill('a'))]).toEqual([[], []])
    expect(messages(agentTopics, Array(21).fill('a'))).toEqual([': must be a list of at most 20 texts'])
    expect(messages(agentTitles, Array(16).fill('a'))).toEqual([': must be a list of at most 15 texts'])
    expect(messages(agentTitles, 'CEO')).toEqual([': must be a list of at most 15 texts'])
    expect(messages(agentTitles, ['CEO', 7])).toEqual(['1: must be text'])
  })
})

describe('a website [AGT-05]', () => {
  it.each([
    [' https://www.Example.com/about?x=1 ', 'example.com'],
    ['example.com', 'example.com'],
    ['HTTP://a.b-c.example.co.uk:8080', 'a.b-c.example.co.uk'],
    ['example.com.', 'example.com'],
    ['www.www.example.com', 'www.example.com'],
    ['_x.example.com', '_x.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    [`${'a'.repeat(63)}.example.com`, `${'a'.repeat(63)}.example.com`],
    ['ftp://example.com', undefined],
    ['javascript://example.com', undefined],
    ['me@example.com', undefined],
    ['exa mple.com', undefined],
    ['https:\\\\example.com', undefined],
    ['localhost', undefined],
    ['127.0.0.1', undefined],
    ['[::1]', undefined],
    ['-a.example.com', undefined],
    ['a-.example.com', undefined],
    ['example.c', undefined],
    ['example.com-', undefined],
    [`${'a.'.repeat(125)}com`, `${'a.'.repeat(125)}com`],
    [`${'a.'.repeat(126)}com`, undefined],
    ['', undefined],
    ['https://', undefined],
  ])('«%s» is that of %s', (address, domain) => expect(bareDomain(address)).toBe(domain))
  const words = ': must be the address of a website, for example https://www.example.com, or null'
  it('is kept as its bare domain, or refused in words', () => {
    expect([agentWebsite.parse('https://www.example.com/x'), agentWebsite.parse(null)]).toEqual(['example.com', null])
    for (const given of ['nothing', 7, `https://example.com/${'x'.repeat(2_000)}`])
      expect(messages(agentWebsite, given)).toEqual([words])
  })
})

describe('competitors', () => {
  it('have a name and perhaps a domain; nameless ones are dropped', () =>
    expect(
      agentCompetitors.parse([{ name: ' A  B ' }, { name: ' ', domain: 'x.com' }, { name: 'C', domain: 'www.c.com' }]),
    ).toStrictEqual([{ name: 'A B' }, { name: 'C', domain: 'c.com' }]))
  it.each([
    [[{ name: 7 }], '0.name: must be text'],
    [[{ name: 'A', domain: 7 }], '0.domain: must be a domain, as text'],
    [[{ name: 'A', domain: 'nothing' }], '0.domain: must be a domain, for example example.com'],
    [[{ name: 'A', url: 'x' }], '0: takes name and domain only'],
    [['A'], '0: must be an object {name, domain}'],
    ['A', ': must be a list of at most 8 competitors {name, domain}'],
    [Array(9).fill({ name: 'A' }), ': must be a list of at most 8 competitors {name, domain}'],
  ])('%j are refused in words', (given, words) => expect(messages(agentCompetitors, given)).toEqual([words]))
})
