import { expect, it } from 'vitest'
import { countriesSaid } from './locations.ts'

it.each([
  'Germany',
  'germany.',
  'DE',
  'DEU',
  'BRD',
  'Bundesrepublik Deutschland',
  'Deutschland',
  'Berlin, Germany',
  'Berlin, Deutschland',
  'Berlin · Deutschland (remote)',
  'Berlin, Berlin, Deutschland und Umgebung',
  'Berlin, DEU',
  'Berlin 🇩🇪',
  'Germany\u3164',
  'D\ufe0fE',
  'Ger\u00admany',
  'Berlin, Ger\u200bmany',
])('%j names Germany [EXC-08]', (text) => expect(countriesSaid(text)).toEqual(['DE']))

it('each of several countries is named [EXC-08]', () =>
  expect(countriesSaid('Germany / Austria').toSorted()).toEqual(['AT', 'DE']))

it.each(['', 'Somewhere', 'Wilmington, DE', 'New Germany Road', 'Germantown'])(
  'nobody can say that %j is in Germany [EXC-08]',
  (text) => expect(countriesSaid(text)).toEqual([]),
)
it('a state is in its country, and its code is none of another [EXC-08]', () =>
  expect(['San Francisco, CA', 'Lebanon, TN', 'Austin, Texas'].map(countriesSaid)).toEqual([[], ['US'], ['US']]))
