import { describe, expect, it } from 'vitest'
import { namesMentioned } from './mentions.ts'

const memberId = 'ACoAAAEkwwAB9KEc2TrQgOLEQ-vzRyZeCDyc6DQ'
const encoded = encodeURIComponent('josé-díaz'.normalize('NFD'))

describe('what names somebody in a value', () => {
  it.each([
    ['a handle', 'jane-doe', { handle: 'jane-doe' }],
    ['a handle with what is pasted along', ' @Jane-Doe ', { handle: 'jane-doe' }],
    ['an address', 'https://de.linkedin.com/in/JANE-doe/?trk=x#about', { handle: 'jane-doe' }],
    ['an address of a post', 'linkedin.com/posts/jane-doe_a-title-activity-7-x', { handle: 'jane-doe' }],
    ['a path, percent-encoded in another spelling', `/profile/${encoded}/sync`, { handle: 'josé-díaz' }],
    ['a word of a sentence', 'Ask (jane-doe), please.', { handle: 'jane-doe' }],
    ['the last word of a sentence', 'It was jane-doe.', { handle: 'jane-doe' }],
    ['the name before the @ of a mail address', 'jane-doe@mail.example', { handle: 'jane-doe' }],
    ['a member id, whose case counts', `urn:li:fsd_profile:${memberId}`, { urn: memberId }],
    ['a member id in a sentence', `it is (${memberId}), or`, { urn: memberId }],
    ['a mail address', '<Jane@Mail.example>, for one', { mail: 'jane@mail.example' }],
    ['what somebody is called', ' Jane DOE ', { name: 'jane doe' }],
    ['a value deep inside', { list: [1, null, { of: ['jane-doe'] }] }, { handle: 'jane-doe' }],
    ['the name of a field', { 'jane-doe': true }, { handle: 'jane-doe' }],
  ])('is %s', (_what, value, name) => {
    expect(namesMentioned(value)).toContainEqual(name)
  })

  it('is no part of a word, and nothing of a number', () => {
    expect(namesMentioned('jane-doe-smith')).not.toContainEqual({ handle: 'jane-doe' })
    expect(namesMentioned([1, true, null])).toEqual([])
  })
})
