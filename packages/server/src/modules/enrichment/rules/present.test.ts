import { expect, it } from 'vitest'
import { presentCompany, presentPerson } from './facts.ts'

it('the result of a profile job names the person, what it filled and what it cost [G21]', () => {
  const person = {
    urn: 'ACoAAx',
    name: 'Ann',
    headline: 'CTO at Acme',
    jobTitle: 'CTO',
    companyName: 'Acme',
    country: 'Chile',
    linkedinUrl: 'https://l/in/ann',
    avatarUrl: 'https://a',
    handle: 'ann',
    companyUrn: 'urn:li:company:1',
    enrichedAt: null,
  }
  expect(presentPerson(person as never, { charged: 2, updated: 3 })).toEqual({
    creditsCharged: 2,
    entityUrn: 'ACoAAx',
    leadsUpdated: 3,
    name: 'Ann',
    headline: 'CTO at Acme',
    jobTitle: 'CTO',
    company: 'Acme',
    country: 'Chile',
    linkedinUrl: 'https://l/in/ann',
    avatarUrl: 'https://a',
  })
})

it('the result of a company job is flat, free, and has its pictures together [G22]', () => {
  const record = {
    name: 'Acme',
    slug: 'acme',
    urn: 'urn:li:company:1',
    linkedinUrl: 'https://l/company/acme',
    website: 'https://acme.com',
    industry: 'Mining',
    employeeCount: 12,
    staffRange: '11-50',
    headquarters: 'Berlin',
    description: 'Pumps',
    foundedYear: 1999,
    followerCount: 7,
    specialties: ['pumps'],
    logoUrl: 'https://logo',
    coverUrl: null,
  }
  const { slug, logoUrl, coverUrl, ...same } = record
  expect(presentCompany(record as never, 4)).toEqual({
    ...same,
    creditsCharged: 0,
    leadsUpdated: 4,
    username: slug,
    images: { logo: logoUrl, cover: coverUrl },
  })
})
