import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../any-text.ts'
import { splitName } from '../../src/providers/outreach/profiles.ts'
import { profileKey, readProfileUrl } from '../../src/providers/outreach/port.ts'

describe('a name', () => {
  test.each([
    ['Jane Doe', 'x', 'Jane', 'Doe'],
    ['  Ludwig   van Beethoven ', 'x', 'Ludwig', 'van Beethoven'],
    ['Cher', 'x', 'Cher', '-'],
    ['', 'https://www.linkedin.com/in/jane-doe-8a1b2c', 'Jane', 'Doe'],
    [null, 'https://www.linkedin.com/in/8ab-jane-c9-d-doe8', 'Jane', '-'],
    [null, 'https://www.linkedin.com/in/jo-x2y-li', 'Jo', 'Li'],
    [null, 'https://www.linkedin.com/in/grace', 'Grace', '-'],
    [null, 'https://www.linkedin.com/in/ACoAAB1234567890abcdefbcdefghijklmnopqr', 'there', '-'],
    [null, 'https://www.linkedin.com/in/%E5%BC%A0', 'there', '-'],
    [null, 'https://example.com/', 'there', '-'],
  ])('%j of %s is %s and %s', (name, url, firstName, lastName) => {
    expect(splitName(name, url)).toEqual({ firstName, lastName })
  })
  test('has two parts, neither empty, whatever it is', () => {
    fc.assert(
      fc.property(fc.option(anyText()), fc.string(), (name, handle) => {
        const { firstName, lastName } = splitName(name, `https://www.linkedin.com/in/${handle}`)
        return firstName.trim() !== '' && lastName.trim() !== ''
      }),
    )
  })
})

describe('the address of a profile', () => {
  test.each([
    ['https://www.linkedin.com/in/Jane-Doe/', { handle: 'jane-doe' }],
    ['linkedin.com/in/jane-doe?utm=1#x', { handle: 'jane-doe' }],
    ['http://de.linkedin.com/in/jane-doe/details/skills', { handle: 'jane-doe' }],
    ['https://www.linkedin.com/in/j%C3%BCrgen', { handle: 'jürgen' }],
    [
      'https://www.linkedin.com/in/ACoAAB1234567890abcdefbcdefghijklmnopqr',
      { urn: 'ACoAAB1234567890abcdefbcdefghijklmnopqr' },
    ],
    ['https://www.linkedin.com/company/acme', null],
    ['https://www.linkedin.com/in/', null],
    ['https://notlinkedin.com/in/jane', null],
    ['https://example.com/in/jane', null],
    ['mailto:jane@linkedin.com', null],
    ['', null],
    ['   ', null],
  ])('%s names %j', (url, expected) => {
    expect(readProfileUrl(url)).toEqual(expected)
  })
  test('is the same for the same profile', () => {
    expect(profileKey('https://www.linkedin.com/in/A-B/')).toBe(profileKey('linkedin.com/in/a-b'))
    expect(profileKey('https://example.com/')).toBeNull()
    const id = 'ACoAAB1234567890abcdefbcdefghijklmnopqr'
    expect([profileKey(`https://www.linkedin.com/in/${id}`), profileKey('linkedin.com/in/jane')]).toEqual([
      id,
      'in/jane',
    ])
  })
})
