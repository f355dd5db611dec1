import { describe, expect, it } from 'vitest'
import { domainOf } from './domain.ts'
import { companyIsFresh, personIsFresh } from './freshness.ts'

const at = (iso: string) => new Date(iso)

describe('what the network said is good', () => {
  it('of a company for six months, to the millisecond and over the end of a year', () => {
    expect(companyIsFresh(at('2026-03-10T08:00:00Z'), at('2026-09-10T07:59:59.999Z'))).toBe(true)
    expect(companyIsFresh(at('2026-03-10T08:00:00Z'), at('2026-09-10T08:00:00Z'))).toBe(false)
    expect(companyIsFresh(at('2026-09-10T08:00:00Z'), at('2027-03-10T07:59:59Z'))).toBe(true)
    expect(companyIsFresh(at('2026-09-10T08:00:00Z'), at('2027-03-10T08:00:00Z'))).toBe(false)
  })
  it('of a person for 30 days, and not at all when nothing was asked', () => {
    expect(personIsFresh(at('2026-03-01T00:00:00Z'), at('2026-03-30T23:59:59.999Z'))).toBe(true)
    expect(personIsFresh(at('2026-03-01T00:00:00Z'), at('2026-03-31T00:00:00Z'))).toBe(false)
    expect(personIsFresh(null, at('2026-03-01T00:00:00Z'))).toBe(false)
  })
  it('is not spoiled by asking', () => {
    const fetchedAt = at('2026-03-10T08:00:00Z')
    companyIsFresh(fetchedAt, at('2026-04-01T00:00:00Z'))
    expect(fetchedAt).toEqual(at('2026-03-10T08:00:00Z'))
  })
})

describe('the domain of a company', () => {
  it.each([
    ['https://www.Acme.com/about?x=1', 'acme.com'],
    ['acme.co.uk', 'acme.co.uk'],
    ['HTTP://acme.com:8080', 'acme.com'],
    ['shop.www.acme.com', 'shop.www.acme.com'],
    ['wwwacme.com', 'wwwacme.com'],
    ['ftp://www.acme.com', 'acme.com'],
    ['localhost', null],
    ['http://', null],
    ['not a site', null],
    ['', null],
    [null, null],
  ])('%j is %j [LED-18]', (website, expected) => {
    expect(domainOf(website)).toBe(expected)
  })
})
