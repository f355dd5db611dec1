import { describe, expect, it } from 'vitest'
import { domainOf } from './domain.ts'

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
