import { expect, it } from 'vitest'
import { authorKey, commentKey, reactionKey } from './engagement.ts'

it('the key of a row names kind, post and what tells it from others: stored rows and charges hang on the spelling [G111]', () => {
  expect([
    reactionKey('urn:li:activity:1', 'ACoAAx'),
    commentKey('urn:li:activity:1', '77'),
    authorKey('urn:li:activity:1'),
  ]).toEqual(['reaction:urn:li:activity:1:ACoAAx', 'comment:urn:li:activity:1:77', 'author:urn:li:activity:1'])
})
