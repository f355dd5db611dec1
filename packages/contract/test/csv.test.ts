import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvText, withoutFormulas } from '../src/index.ts'

it.each([
  ['=1+1', "'=1+1"],
  ['-1', "'-1"],
  ['   =1', "'   =1"],
  ['\u00a0@x', "'\u00a0@x"],
  ['＝1', "'＝1"],
  [' ＋1', "' ＋1"],
  ['－1', "'－1"],
  ['＠x', "'＠x"],
  ['﹦1', "'﹦1"],
  ['﹢1', "'﹢1"],
  ['﹣1', "'﹣1"],
  ['﹫x', "'﹫x"],
  ['⁼1', "'⁼1"],
  ['₊1', "'₊1"],
  ['⩵1', "'⩵1"],
  ['\u200b=1', "'\u200b=1"],
  ['\ufeff \u200e﹦1', "'\ufeff \u200e﹦1"],
  ['a;\u00ad@x', "a;'\u00ad@x"],
  ['\tx', "'\tx"],
  ['\t=1', "'\t'=1"],
  ['a;=1', "a;'=1"],
  ['a; ＠x', "a;' ＠x"],
  ['a\t+1', "a\t'+1"],
  ['a\r\n=1', "a\r\n'=1"],
  ['a=1; b-c', 'a=1; b-c'],
  ['a, -1', 'a, -1'],
])('%j becomes %j [FIX-09]', (text, guarded) => expect(withoutFormulas(text)).toBe(guarded))

it('text with a separator of any kind is quoted', () => {
  for (const text of ['a,b', 'a;b', 'a\tb', 'a\nb', 'a"b'])
    expect(csvText(text)).toBe(`"${text.replaceAll('"', '""')}"`)
  expect(csvText('plain')).toBe('plain')
})

it('wherever text is cut, no piece begins a formula; without the apostrophes it is what it was [FIX-09]', () => {
  for (let point = 1; point < 0x110000; point++) {
    const text = point >= 0xd800 && point <= 0xdfff ? '' : String.fromCodePoint(point)
    if (/^[=+\-@]/.test(text.normalize('NFKC'))) expect(withoutFormulas(`${text}1`)).toBe(`'${text}1`)
  }
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(
          'a',
          ' ',
          ',',
          '"',
          '\r',
          '\n',
          '\t',
          '=',
          '-',
          ';',
          '＝',
          '＠',
          '﹦',
          '\u200b',
          '\u3000',
        ),
      }),
      (text) => {
        const guarded = withoutFormulas(text)
        expect(guarded.replaceAll("'", '')).toBe(text)
        for (const piece of guarded.split(/[;\t\r\n]/)) expect(piece).not.toMatch(/^[\s\u200b]*[=+\-@＝＋－＠﹦]/)
      },
    ),
  )
})

it('thirty thousand of anything are guarded in a blink', () => {
  for (const unit of [' ', '=', '\u200b', ';', '\t', '\r\n', ' \t', '; ', '"'])
    expect(withoutFormulas(unit.repeat(30_000)).length).toBeGreaterThanOrEqual(30_000)
})
