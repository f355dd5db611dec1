/** Addresses of people and companies as pasted from the desktop, the mobile site and app, mails and sign-in walls. */
import { describe, expect, it } from 'vitest'
import { companySlug, normalizeHandle, personHandle, readNetworkAddress } from '../src/values/index.ts'

const id = 'ACoAABwT3rXkQz_7mVn-2LsYpBd8HfJcUe0GiKo'

/** An address's kind and normalised name, or the reason for `other`. */
function reading(text: string): readonly [string, string] | null {
  const address = readNetworkAddress(text)
  if (address === null) return null
  return address.kind === 'other' ? ['other', address.why] : [address.kind, normalizeHandle(address.name)]
}

const person = (name: string) => ['person', name]
const company = (name: string) => ['company', name]

describe('the address of a profile [G146]', () => {
  it.each([
    ['https://www.linkedin.com/in/jane-doe-3a91b2', 'jane-doe-3a91b2'],
    ['//www.linkedin.com/in/jane-doe', 'jane-doe'],
    ['HTTPS://WWW.LinkedIn.COM/IN/JANE-DOE', 'jane-doe'],
    ['https://de.linkedin.com/in/jane-doe', 'jane-doe'],
    [
      'https://www.linkedin.com/in/jane-doe?utm_source=share&utm_campaign=share_via&utm_content=profile&utm_medium=ios_app',
      'jane-doe',
    ],
    ['https://www.linkedin.com/in/jane-doe/?locale=es_ES', 'jane-doe'],
    ['https://www.linkedin.com/in/jane-doe/recent-activity/all/', 'jane-doe'],
    ['https://www.linkedin.com/in/jane-doe#experience', 'jane-doe'],
    ['https://www.linkedin.com/mwlite/in/jane-doe-26264122b', 'jane-doe-26264122b'],
    ['https://www.linkedin.com/m/in/jane-doe/', 'jane-doe'],
    ['https://www.linkedin.com/comm/in/jane-doe?midToken=AQE&trk=eml-email', 'jane-doe'],
    ['https://www.linkedin.com/in/jos%C3%A9-garc%C3%ADa-b5127', 'josé-garcía-b5127'],
    ['https://www.linkedin.com/in/jos%25C3%25A9-garc%25C3%25ADa-b5127/', 'josé-garcía-b5127'],
    ['https://www.linkedin.com/in/JOS\u00c9-GARCI\u0301A', 'josé-garcía'],
    ['https://www.linkedin.com/in/%E4%BC%9F-%E7%8E%8B-ba9945376?trk=contact-info', '伟-王-ba9945376'],
    ['https%3A%2F%2Fwww.linkedin.com%2Fin%2Fjane-doe%2F', 'jane-doe'],
    ['<https://www.linkedin.com/in/jane-doe/>', 'jane-doe'],
    ['“https://www.linkedin.com/in/jane-doe/”', 'jane-doe'],
    ['https://www.linkedin.com/in/jane-doe.', 'jane-doe'],
    ['\u200bhttps://www.linkedin.com/in/jane-doe ', 'jane-doe'],
    [`https://www.linkedin.com/in/${id}`, id],
    [`https://www.linkedin.com/in/${id}/?miniProfileUrn=urn%3Ali%3Afsd_profile%3A${id}`, id],
    [`https://www.linkedin.com/in/urn%3Ali%3Afsd_profile%3A${id}`, id],
    [`https://www.linkedin.com/profile/view?id=${id}`, id],
    [
      'https://www.linkedin.com/authwall?trk=qf&original_referer=&' +
        'sessionRedirect=https%3A%2F%2Fwww.linkedin.com%2Fin%2Fjane-doe%3Futm_source%3Dshare%26utm_medium%3Dios_app',
      'jane-doe',
    ],
    [
      'https://www.linkedin.com/authwall?trk=bf&' +
        'sessionRedirect=https%3A%2F%2Fwww.linkedin.com%2Fin%2F%25E4%25BC%259F-%25E7%258E%258B-ba9%3Ftrk%3Dcontact-info',
      '伟-王-ba9',
    ],
    ['https://www.linkedin.com/uas/login?session_redirect=%2Fin%2Fjane-doe%2F', 'jane-doe'],
  ])('%s names %s', (text, name) => {
    expect(reading(text)).toEqual(person(name))
    // The API takes handles instead of addresses, and the refusal says which handle to send (G7).
    expect(personHandle.safeParse(text).error?.issues[0]?.message).toContain(`send ${name}`)
    expect(personHandle.parse(name)).toBe(name)
  })

  it.each([
    ['https://www.linkedin.com/sales/lead/ACwAAABwT3rXkQz_7mVn,NAME_SEARCH,x7', /Sales Navigator/],
    ['https://www.linkedin.com/recruiter/profile/1234', /Recruiter/],
    ['https://www.linkedin.com/in/me/', /signed in/],
    ['https://www.linkedin.com/pub/jane-doe/12/345/678', /old form/],
    ['https://www.linkedin.com/profile/view?id=52220364&trk=nav_responsive_tab_profile', /old form/],
    ['https://www.linkedin.com/pulse/what-we-learnt-jane-doe', /article/],
    ['https://www.linkedin.com/in/', /not the address/],
    ['https://www.linkedin.com/', /not the address/],
    ['https://www.linkedin.com/feed/', /post or a feed/],
  ])('%s is refused in words of its own', (text, why) => {
    expect(reading(text)).toEqual(['other', expect.stringMatching(why)])
    expect(personHandle.safeParse(text).error?.issues[0]?.message).toMatch(why)
    expect(companySlug.safeParse(text).error?.issues[0]?.message).toMatch(why)
  })

  it.each([
    'jane-doe',
    'https://example.com/in/jane-doe',
    'https://linkedin.com.evil.example/in/jane',
    'https://notlinkedin.com/in/jane',
    'https://www.linkedin.com@evil.example/in/jane',
    'ftp://www.linkedin.com/in/jane',
    'mailto:jane@linkedin.com',
    '',
    `https://www.linkedin.com/in/${'x'.repeat(5_000)}`,
  ])('%j is no address on the network', (text) => {
    expect(reading(text)).toBeNull()
  })
})

describe('the address of a company page [G146]', () => {
  it.each([
    ['https://www.linkedin.com/company/acme', 'acme'],
    ['https://www.linkedin.com/company/Acme-Corp/', 'acme-corp'],
    ['https://in.linkedin.com/company/acme?trk=public_post_feed-actor-name', 'acme'],
    ['https://www.linkedin.com/company/acme/posts/?feedView=all', 'acme'],
    ['https://www.linkedin.com/company/1035', '1035'],
    ['https://www.linkedin.com/company-beta/2848937?pathWildcard=2848937', '2848937'],
    ['https://www.linkedin.com/showcase/acme-cloud/', 'acme-cloud'],
    [
      'https://www.linkedin.com/school/massachusetts-institute-of-technology/people/',
      'massachusetts-institute-of-technology',
    ],
    ['https://www.linkedin.com/mwlite/company/acme-official', 'acme-official'],
    ['https://www.linkedin.com/organization-guest/company/acme-industries?challengeId=AQHLTO', 'acme-industries'],
    ['https://www.linkedin.com/comm/company/acme?midToken=AQE', 'acme'],
    ['https://www.linkedin.com/company/health-&-fitness-limited', 'health-&-fitness-limited'],
    ['https://www.linkedin.com/company/caf%C3%A9-noir/', 'café-noir'],
    ['https%3A%2F%2Fwww.linkedin.com%2Fcompany%2Facme', 'acme'],
    // The slug of a page may end in a point.
    ['https://www.linkedin.com/company/acme-inc.', 'acme-inc.'],
    [
      'https://www.linkedin.com/authwall?trk=qf&sessionRedirect=https%3A%2F%2Fwww.linkedin.com%2Fcompany%2Facme%2Fabout%2F',
      'acme',
    ],
    [
      'https://www.linkedin.com/signup/cold-join?session_redirect=https%3A%2F%2Fwww.linkedin.com%2Fcompany%2Facme',
      'acme',
    ],
  ])('%s names %s', (text, slug) => {
    expect(reading(text)).toEqual(company(slug))
    expect(companySlug.parse(text)).toBe(slug)
  })

  it.each([
    ['https://www.linkedin.com/sales/company/1035', /Sales Navigator/],
    ['https://www.linkedin.com/in/jane-doe', /person/],
    [`https://www.linkedin.com/in/${id}`, /person/],
    [id, /person/],
    ['https://www.linkedin.com/groups/10462070/', /not the address/],
    ['https://www.linkedin.com/jobs/view/4100000001/', /not the address/],
    ['https://www.linkedin.com/posts/acme_x-activity-7395000000000000001-ab', /post/],
    ['https://www.linkedin.com/company/', /not the address/],
    ['https://www.linkedin.com/company/a%2Fb', /slug/],
    ['https://www.linkedin.com/company/%E0%A4%A', /slug/],
  ])('%s is refused', (text, why) => {
    expect(companySlug.safeParse(text).error?.issues[0]?.message).toMatch(why)
  })
})
