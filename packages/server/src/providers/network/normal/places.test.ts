/** Places of people and companies, given by vendors as codes, names or whole locations. */
import { describe, expect, it } from 'vitest'
import { readCountry, headquartersOf } from './places.ts'

describe('a country', () => {
  it.each([
    [{ codes: ['zz', 'us', 'de'] }, 'US', 'United States'],
    [{ codes: ['us'], names: ['United States of America'] }, 'US', 'United States'],
    [{ names: ['United States of America'] }, 'US', 'United States'],
    [{ codes: ['UK'] }, 'GB', 'United Kingdom'],
    [{ codes: ['USA'], names: ['USA'] }, 'US', 'United States'],
    [{ codes: [null, 'tr'], names: ['Turkey'] }, 'TR', 'Türkiye'],
    [{ codes: ['OO'], names: ['Other'] }, null, 'Other'],
    [{ codes: ['EU'] }, null, null],
    [{ codes: ['HK'], names: ['Hong Kong'] }, 'HK', 'Hong Kong SAR'],
    [{ codes: ['XK'] }, 'XK', 'Kosovo'],
    [{ codes: [''], names: ['Česká republika'] }, 'CZ', 'Czechia'],
    [{ names: ['Viet Nam'] }, 'VN', 'Vietnam'],
    [{ location: 'Lyon, Auvergne-Rhône-Alpes, France' }, 'FR', 'France'],
    [{ codes: [null, undefined, ' DE '], names: ['France'] }, 'DE', 'Germany'],
    [{ codes: [`DE${'x'.repeat(20)}`] }, null, null],
    [{ names: ['Nowhere', 'Allemagne'] }, 'DE', 'Germany'],
    [{ names: ['Nowhere', 'Elsewhere'] }, null, 'Nowhere'],
    [{ names: [' ', null, 'Nowhere'] }, null, 'Nowhere'],
    [{ names: ['Berlin, Germany'] }, 'DE', 'Germany'],
    [{ names: ['Nowhere'], location: 'Lyon, France' }, 'FR', 'France'],
    [{ names: ['Germany'], location: 'Lyon, France' }, 'DE', 'Germany'],
    [{ location: 'Greater Seattle Area' }, null, null],
    [{ location: null }, null, null],
    [{ names: ['x'.repeat(101)] }, null, 'x'.repeat(100)],
    [{}, null, null],
  ])('told as %j is %s, %s', (raw, code, name) =>
    expect(readCountry({ codes: [], names: [], ...raw })).toEqual({ code, name }),
  )
})

describe('headquarters', () => {
  it.each([
    [{ city: 'Austin', region: 'Texas', codes: ['US'] }, 'Austin, Texas, United States'],
    [{ city: 'Singapore', region: '', codes: ['SG'], countries: ['Singapore'] }, 'Singapore'],
    [{ codes: ['de'], countries: [null] }, 'Germany'],
    [{ city: 'Berlin', region: 'berlin', codes: ['DE'] }, 'Berlin, Germany'],
    [{ city: 'Berlin, Germany', region: 'Land Berlin', codes: ['DE'] }, 'Berlin, Land Berlin, Germany'],
    [{ city: 'Atlanta', region: 'Georgia', codes: ['US'] }, 'Atlanta, Georgia, United States'],
    [{ city: 'San Francisco', region: 'CA', codes: ['US'] }, 'San Francisco, CA, United States'],
    [{ city: 'Luxembourg', codes: ['LU'] }, 'Luxembourg'],
    [{ city: 'Nowhere', codes: ['OO'], countries: ['Other'] }, 'Nowhere, Other'],
    [{ city: 'Austin', region: ' TEXAS ,Texas, USA' }, 'Austin, TEXAS, USA'],
    [{ city: 'Austin', region: ' TEXAS ,Texas, USA', codes: ['US'] }, 'Austin, TEXAS, United States'],
    [{ city: 'New   York', region: 'new york' }, 'New York'],
    [{ city: ' , ', region: '' }, null],
    [{ city: 'Singapore', countries: ['Singapore'] }, 'Singapore'],
    [{ city: 'Nowhere', countries: ['Somewhere'] }, 'Nowhere, Somewhere'],
    [{ city: 'x'.repeat(101) }, 'x'.repeat(100)],
    [{ region: 'Texas' }, 'Texas'],
    [{ codes: ['de'] }, 'Germany'],
    [{}, null],
  ])('told as %j are %s', (raw, home) =>
    expect(headquartersOf({ city: null, region: null, codes: [], countries: [], ...raw })).toBe(home),
  )
})
