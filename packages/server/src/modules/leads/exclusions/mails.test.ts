import { expect, it } from 'vitest'
import { mailsSaid } from './mails.ts'

it.each([
  'jane@own.example',
  'jane@own.example.',
  'Jane Doe <jane@own.example>',
  'jane@own.example;',
  'jane@own。example',
  'jane%40own.example',
  'jane @own.example',
  'mailto:jane@own.example?subject=x',
  'jane@own.example/',
  'jane@[own.example]',
  '"jane"@own.example',
  'Jane ‹jane@own.example›',
  'jane@own.example|',
  'jane@own.example&gt;',
  'jane@own.example...',
  'jane@own.example\\',
  'jane﹫own.example!',
])('an address is found in «%s» [EXC-07]', (text) => {
  expect(mailsSaid(text)).toEqual(['jane@own.example'])
})

it.each(["'jane@own.example'", '`jane@own.example`', '{jane@own.example}', '*jane@own.example*'])(
  'an address is found with and without the sign before it in «%s» [EXC-07]',
  (text) => {
    expect(mailsSaid(text)).toEqual([`${text[0]}jane@own.example`, 'jane@own.example'])
  },
)

it('and each of several, none where there is none [EXC-07]', () => {
  expect(mailsSaid('jane@own.example|x@y.example')).toEqual(expect.arrayContaining(['jane@own.example', 'x@y.example']))
  expect(mailsSaid('jane@own.example, x@y.example')).toEqual(['jane@own.example', 'x@y.example'])
  expect(mailsSaid('Jane Doe')).toEqual([])
})
