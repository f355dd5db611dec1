import { describe, expect, it } from 'vitest'
import { layOut } from './lay-out.ts'

describe('a call', () => {
  it('lays its fields out over path, query and body', () => {
    expect(
      layOut(['POST', '/profiles/{id}/track', ['mode'], true, false], {
        id: 'a/b c',
        mode: 'x',
        confirmSpend: true,
        none: undefined,
      }),
    ).toEqual({ path: '/profiles/a%2Fb%20c/track?mode=x', body: { confirmSpend: true } })
  })
  it('without a body asks by its query alone', () => {
    expect(
      layOut(['GET', '/leads', [], false, false], { offset: 100, isIcp: true, filters: [{ field: 'a' }] }),
    ).toEqual({ path: '/leads?offset=100&isIcp=true&filters=%5B%7B%22field%22%3A%22a%22%7D%5D', body: undefined })
  })
  it('is not made without a parameter of its path', () => {
    expect(() => layOut(['GET', '/leads/{id}', [], false, false], { id: '' })).toThrow('needs id')
  })
})
