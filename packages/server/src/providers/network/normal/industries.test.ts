import { describe, expect, it } from 'vitest'
import { readIndustry } from './industries.ts'

const row = (fields: { id?: string; urn?: string; name?: string; title?: string }) => ({
  id: null,
  urn: null,
  name: null,
  title: null,
  ...fields,
})

describe('an industry', () => {
  it.each([
    [['Software Development'], '4', 'Software Development'],
    [['Computer Software'], '4', 'Software Development'],
    [['computer  software'], '4', 'Software Development'],
    [['Internet'], '6', 'Technology, Information and Internet'],
    [['Information Technology & Services'], '96', 'IT Services and IT Consulting'],
    [['Information Technology and Services'], '96', 'IT Services and IT Consulting'],
    [['Marketing & Advertising'], '80', 'Advertising Services'],
    [['Management Consulting'], '11', 'Business Consulting and Services'],
    [['Hospital & Health Care'], '14', 'Hospitals and Health Care'],
    [['Financial Services'], '43', 'Financial Services'],
    [['Robotics Engineering'], null, 'Robotics Engineering'],
    [[row({ id: '4', name: 'Software Development' })], '4', 'Software Development'],
    [[row({ urn: 'urn:li:fsd_industryV2:3231', name: 'Robotics Engineering' })], '3231', 'Robotics Engineering'],
    [[row({ id: ' 777777 ', name: 'Robotics Engineering' })], '777777', 'Robotics Engineering'],
    [[row({ id: '7777777', urn: 'urn:4x', name: 'Robotics Engineering' })], null, 'Robotics Engineering'],
    [['(Banking)'], '41', 'Banking'],
    [[row({ urn: 'urn:li:fsd_industryV2:4' })], '4', 'Software Development'],
    [[row({ title: 'Computer Games' })], '109', 'Computer Games'],
    [[row({}), 'Wine and Spirits'], '142', 'Beverage Manufacturing'],
    [['', '  ', 'Banking'], '41', 'Banking'],
  ])('%j is %s, %s', (rows, id, name) => {
    expect(readIndustry(rows)).toEqual({ id, name })
    expect(readIndustry([name])!.name).toBe(name)
  })
  it('is none where nothing is told', () => {
    expect([readIndustry([]), readIndustry(['', row({})]), readIndustry([row({ id: '999999' })])]).toEqual([
      null,
      null,
      null,
    ])
  })
})
