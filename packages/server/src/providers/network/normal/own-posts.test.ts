import { describe, expect, it, vi } from 'vitest'
import { type Post, type PostsOf, ProviderFailure } from '../../ports.ts'
import { keepOwn, type Owner } from './own-posts.ts'

type Author = Partial<Post['author']>
const url = (name: string, part = 'in') => `https://www.linkedin.com/${part}/${name}`
const by = (author: Author): Post => ({
  urn: 'urn:li:activity:7',
  url: '',
  text: null,
  author: { kind: 'person', urn: null, name: null, url: null, headline: null, ...author },
  postedAt: null,
  contentType: null,
  totalReactionCount: null,
  commentsCount: null,
  aliases: [],
})
const ada: PostsOf = { kind: 'person', handle: 'ada', urn: 'A' }
const acme: PostsOf = { kind: 'company', slug: 'acme', urn: 'urn:li:company:42' }
const company = (author: Author): Author => ({ kind: 'company', ...author })
const notFound = new ProviderFailure({ provider: 'x', operation: 'posts', kind: 'not_found', message: 'x' })

/** Whether a post of the feed counts as its owner's, and how often the owner's id was requested. */
async function kept(of: PostsOf, author: Author, answer: Owner | Error = { urn: 'A', name: 'ada' }) {
  const ask = vi.fn(async () => {
    if (answer instanceof Error) throw answer
    return answer
  })
  const { items } = await keepOwn([by(author)], { of, owner: null, ask })
  return [items.length === 1, ask.mock.calls.length]
}

describe('a post in a feed is its owner’s', () => {
  it.each([
    ['the same id', ada, { urn: 'A' }, true],
    ['the same id under another handle', ada, { urn: 'A', url: url('ada-new') }, true],
    ['another id under the same handle', ada, { urn: 'B', url: url('ada') }, false],
    ['another id', ada, { urn: 'B' }, false],
    ['no id and the same handle', ada, { url: url('ada') }, true],
    ['no id and the handle they have now', { ...ada, alias: 'ada-new' }, { url: url('ada-new') }, true],
    ['no id and another handle', ada, { url: url('zoe') }, false],
    ['neither id nor handle', ada, { name: 'Ada' }, false],
    ['a page of the same name', ada, company({ url: url('ada', 'company') }), false],
    ['the page itself', acme, company({ urn: 'urn:li:company:42' }), true],
    ['another page', acme, company({ urn: 'urn:li:company:43', url: url('acme', 'company') }), false],
    ['the page by its slug', acme, company({ url: url('acme', 'company') }), true],
    ['another page by its slug', acme, company({ url: url('zeta', 'company') }), false],
    ['a person at a page', acme, { url: url('acme') }, false],
    ['a page named by number', { ...acme, slug: '42', urn: null }, company({ urn: 'urn:li:company:43' }), false],
  ] as const)('by id, else by handle, else not at all: %s [FIX-00]', async (_what, of, author, own) =>
    expect(await kept(of, author)).toEqual([own, 0]),
  )
  it('and where handles do not settle it the id is asked for before any post counts [FIX-00]', async () => {
    const of = { ...ada, urn: null }
    expect(await kept(of, { urn: 'A', url: url('ada') })).toEqual([true, 0])
    expect(await kept(of, { urn: 'A', url: url('ada-new') })).toEqual([true, 1])
    expect(await kept(of, { urn: 'B', url: url('zoe') })).toEqual([false, 1])
    expect(await kept(of, { url: url('ada-new') }, { urn: 'A', name: 'ada-new' })).toEqual([true, 1])
    expect(await kept(of, { url: url('zoe') })).toEqual([false, 1])
    expect(
      await kept({ ...acme, urn: null }, company({ urn: 'urn:li:company:43' }), {
        urn: 'urn:li:company:42',
        name: 'acme',
      }),
    ).toEqual([false, 1])
  })
  it('not when nobody has its owner’s id; trouble with asking is trouble with the page [FIX-00]', async () => {
    const of = { ...ada, urn: null }
    expect(await kept(of, { urn: 'B', url: url('zoe') }, notFound)).toEqual([false, 1])
    await expect(kept(of, { urn: 'B' }, new Error('away'))).rejects.toThrow('away')
  })
})
