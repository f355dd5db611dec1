/** Addresses of posts as pasted from sites, apps, mails, share menus and embeds, with their meaning [POS-02..POS-07]. */
import { describe, expect, it } from 'vitest'
import { postUrnInPath, readPostReference, readPostUrn, type PostReference } from '../src/values/index.ts'

const site = 'https://www.linkedin.com'
const n = '7348677091536605184'
const m = '7484860821433458688'
const activity = { kind: 'post', urn: `urn:li:activity:${n}` } as const
const ugcPost = { kind: 'post', urn: `urn:li:ugcPost:${n}` } as const
const rcm = 'rcm=ACoAAB6VGscB2AplIT7PcrwZvA0ECup4mNaUoIw'

const forms: readonly (readonly [string, PostReference])[] = [
  // Update addresses of the feed.
  [`${site}/feed/update/urn:li:activity:${n}/`, activity],
  [`${site}/feed/update/urn%3Ali%3Aactivity%3A${n}/`, activity],
  [`${site}/feed/update/urn%253Ali%253Aactivity%253A${n}/`, activity],
  [`${site}/feed/update/activity:${n}`, activity],
  [`${site}/feed/update/ugcPost:${n}`, ugcPost],
  [
    `${site}/feed/update/urn:li:activity:${n}?` +
      `updateEntityUrn=urn%3Ali%3Afs_updateV2%3A%28urn%3Ali%3Aactivity%3A${n}%2CFEED_DETAIL%2CEMPTY%2CDEFAULT%2Cfalse%29`,
    activity,
  ],
  [
    `${site}/feed/update/urn:li:activity:${n}?commentUrn=urn%3Ali%3Acomment%3A%28activity%3A${n}%2C7348700000000000000%29`,
    activity,
  ],
  [`${site}/feed/update/urn:li:fsd_update:(urn:li:activity:${n},MAIN_FEED,EMPTY,DEFAULT,false)/`, activity],
  [`${site}/feed/update/urn:li:fs_feedUpdate:(V2,urn:li:ugcPost:${n})/`, ugcPost],
  [`https://de.linkedin.com/feed/update/urn:li:activity:${n}`, activity],
  [`HTTPS://WWW.LINKEDIN.COM/FEED/UPDATE/URN:LI:ACTIVITY:${n}`, activity],
  [`//www.linkedin.com/feed/update/urn:li:activity:${n}`, activity],
  // The share menu of the desktop.
  [`${site}/posts/klarna_activity-${n}-Br-h`, activity],
  [`${site}/posts/klarna_activity-${n}-Br-h?utm_source=share&utm_medium=member_desktop&${rcm}`, activity],
  [`${site}/posts/jane-doe_we-are-growing-activity-${n}-xY2_/`, activity],
  [
    `${site}/posts/jane-doe-3a91b2_ai-saas-growth-ugcPost-${n}-Ab-c?` +
      `utm_source=social_share_send&utm_medium=member_desktop_web&${rcm}`,
    ugcPost,
  ],
  [`${site}/posts/jane-doe_ugcPost-${n}-Ab1_`, ugcPost],
  [`${site}/posts/activity-${n}-ywWR`, activity],
  [`${site}/posts/j%C3%BCrgen-m%C3%BCller_%E2%9C%A8-neues-activity-${n}-aB9x`, activity],
  [`${site}/posts/j\u00fcrgen_\u{1f680}-activity-${n}-aB9x`, activity],
  [`${site}/posts/jane_market-share-12-activity-${n}-ab`, activity],
  [`${site}/posts/jane_activity-5-steps-ugcPost-${n}-ab`, ugcPost],
  [`${site}/posts/jane-doe_activity-${n}-Br-h%3Futm_source=share`, activity],
  // Mobile apps and the mobile site.
  [`${site}/posts/jane-doe_hello-activity-${n}-aB9x?utm_source=share&utm_medium=member_ios&${rcm}`, activity],
  [`${site}/posts/jane-doe_hello-ugcPost-${n}-aB9x?utm_source=share&utm_medium=member_android`, ugcPost],
  [`${site}/mwlite/feed/update/activity:${n}?trk=share-post-success`, activity],
  [`https://m.linkedin.com/feed/update/urn:li:activity:${n}`, activity],
  [`https://fr.linkedin.com/posts/jane-doe_bonjour-activity-${n}-aB9x?trk=public_profile_like_view`, activity],
  [`linkedin.com/posts/jane-doe_hello-activity-${n}-aB9x`, activity],
  // Mails and notifications.
  [`${site}/comm/feed/update/urn:li:activity:${n}?midToken=AQE&trk=eml-email_notification_single`, activity],
  [`${site}/comm/posts/jane-doe_hello-activity-${n}-aB9x?midToken=AQE`, activity],
  [`${site}/feed/?highlightedUpdateUrn=urn%3Ali%3Aactivity%3A${n}`, activity],
  [
    `${site}/feed/?highlightedUpdateType=TRENDING_IN_PAGE_YOU_FOLLOW&highlightedUpdateUrn=urn%3Ali%3Aactivity%3A${n}`,
    activity,
  ],
  [`${site}/feed/?highlightedUpdateUrn=urn:li:ugcPost:${n}&highlightedUpdateType=MENTIONING_YOU`, ugcPost],
  [`${site}/company/acme/posts/?highlightedUpdateUrn=urn%3Ali%3Aactivity%3A${n}`, activity],
  // A share that became a post, together with that post.
  [
    `${site}/posts/share-${m}-DlJ8/?highlightedUpdateUrn=urn%3Ali%3Aactivity%3A${n}&` +
      'highlightedUpdateType=SOCIAL_SHARE&origin=SOCIAL_SHARE',
    activity,
  ],
  [
    `${site}/posts/jane-doe_devops-aws-share-${m}-Zu6h/?highlightedUpdateUrn=urn%3Ali%3Aactivity%3A${n}&utm_source=share`,
    activity,
  ],
  [`${site}/posts/jane-doe_hello-activity-${n}-aB9x?highlightedUpdateUrn=urn%3Ali%3Aactivity%3A${m}`, activity],
  // Embeds, live videos, the author's statistics.
  [`${site}/embed/feed/update/urn:li:activity:${n}/`, activity],
  [`${site}/video/live/urn:li:ugcPost:${n}/`, ugcPost],
  [`${site}/video/embed/live/urn:li:ugcPost:${n}`, ugcPost],
  [`${site}/analytics/post-summary/urn:li:activity:${n}/`, activity],
  // Older addresses that still lead to the post.
  [`${site}/hp/update/${n}`, activity],
  [`${site}/nhome/updates?topic=${n}`, activity],
  // Behind a sign-in page, or copied with surrounding text.
  [
    `${site}/authwall?trk=bf&sessionRedirect=https%3A%2F%2Fwww.linkedin.com%2Fposts%2Fjane-doe_hello-activity-${n}-aB9x`,
    activity,
  ],
  [`${site}/uas/login?session_redirect=%2Ffeed%2Fupdate%2Furn%3Ali%3Aactivity%3A${n}%2F`, activity],
  [`<https://www.linkedin.com/feed/update/urn:li:activity:${n}/>`, activity],
  [`\u200bhttps://www.linkedin.com/posts/activity-${n}-ywWR\u200b`, activity],
  [`https%3A%2F%2Fwww.linkedin.com%2Fposts%2Fjane_activity-${n}-aB9x`, activity],
  // With the quotes, brackets and full stops of the text they were copied from.
  [`"https://www.linkedin.com/posts/jane-doe_hello-activity-${n}-aB9x"`, activity],
  [`(https://www.linkedin.com/feed/update/urn:li:activity:${n})`, activity],
  [`„https://www.linkedin.com/feed/update/urn:li:ugcPost:${n}/“`, ugcPost],
  [`${site}/feed/update/urn%3Ali%3Aactivity%3A${n}%2F`, activity],
  [`${site}/posts/jane-doe_hello-activity-${n}.`, activity],
  [`${site}/feed/update/urn:li:fs_updateV2:(urn:li:activity:${n})`, activity],
  // A notification names the update that it opens.
  [`${site}/feed/?updateEntityUrn=urn%3Ali%3Afs_feedUpdate%3A%28V2%2Curn%3Ali%3Aactivity%3A${n}%29`, activity],
  [
    `${site}/feed/?updateEntityUrn=urn%3Ali%3Afs_updateV2%3A%28` +
      `urn%3Ali%3AugcPost%3A${n}%2CFEED_DETAIL%2CEMPTY%2CDEFAULT%2Cfalse%29`,
    ugcPost,
  ],
  [`${site}/posts/jane-doe_hello-activity-${n}5x`, { kind: 'other' }],
  // URNs.
  [`  URN:li:Activity:${n}\n`, activity],
  [`urn:li:UGCPOST:${n}`, ugcPost],
  [`urn:li:activity:${n}`, activity],
  [`urn%253Ali%253AugcPost%253A${n}`, ugcPost],
  [`urn:li:fsd_update:(urn:li:activity:${n},MAIN_FEED,EMPTY,DEFAULT,false)`, activity],
  // Never accepted, each with its own message.
  [`${site}/embed/feed/update/urn:li:share:${n}?collapsed=1`, { kind: 'share' }],
  [`${site}/posts/jane-doe_share-${n}-aB9x`, { kind: 'share' }],
  [`${site}/posts/share-${n}-aB9x`, { kind: 'share' }],
  [`${site}/feed/?highlightedUpdateUrn=urn%3Ali%3Ashare%3A${n}`, { kind: 'share' }],
  ['https://lnkd.in/p/eCGuiuqE', { kind: 'short' }],
  [`${site}/slink?code=gABc12`, { kind: 'short' }],
  [`${site}/pulse/what-we-learnt-jane-doe`, { kind: 'article' }],
  [`${site}/newsletters/growth-letters-6800000000000000000/`, { kind: 'article' }],
  [
    `${site}/groups/10462070/?highlightedUpdateUrn=urn%3Ali%3AgroupPost%3A10462070-${n}&q=highlightedFeedForGroups`,
    { kind: 'group' },
  ],
  [`${site}/feed/update/urn:li:groupPost:10462070-${n}`, { kind: 'group' }],
  [`${site}/feed/`, { kind: 'other' }],
  [`${site}/video/live/123456789`, { kind: 'other' }],
  [`${site}/posts/jane-doe_hello-${n}`, { kind: 'other' }],
  [`https://lnkd.in.evil.example/p/x`, { kind: 'other' }],
  [`https://evil.example/feed/?highlightedUpdateUrn=urn%3Ali%3Aactivity%3A${n}`, { kind: 'other' }],
  [`${site}/login?session_redirect=https%3A%2F%2Fevil.example%2Fposts%2Factivity-${n}`, { kind: 'other' }],
]

describe('the address of a post [POS-02, POS-03, POS-04, POS-05, POS-07]', () => {
  it.each(forms)('%s', (text, expected) => expect(readPostReference(text)).toEqual(expected))

  it('of a hostile length is read in no time and names nothing', () => {
    for (const text of [
      `${site}/posts/${'_activity-'.repeat(30_000)}`,
      ' '.repeat(300_000),
      `x${' '.repeat(300_000)}x`,
      `urn${'%25'.repeat(100_000)}`,
    ])
      expect(readPostReference(text).kind).toBe('other')
  })

  it.each([
    `urn:li:share:${n}`,
    `urn%3Ali%3Ashare%3A${n}`,
    `${site}/feed/update/urn:li:share:${n}/`,
    `${site}/posts/jane_activity-5-share-${n}-ab?x=urn:li:activity:${n}`,
  ])('%s is a share', (text) => {
    expect(readPostReference(text)).toEqual({ kind: 'share' })
  })

  it.each([
    '',
    'jane',
    n,
    'urn:li:activity:',
    'urn:li:activity:1x',
    `urn:li:activity:${'1'.repeat(26)}`,
    `urn:li:comment:(activity:${n},1)`,
    `xurn:li:activity:${n}`,
    `https://example.com/feed/update/urn:li:activity:${n}`,
    `https://evillinkedin.com/feed/update/urn:li:activity:${n}`,
    `https://www.linkedin.com@example.com/feed/update/urn:li:activity:${n}`,
    `${site}/feed/update/urn:li:activity:${n}/more`,
    `${site}/posts/a/b-activity-${n}-x`,
    `javascript:urn:li:activity:${n}`,
    'https://',
    '%',
    '%E0%A4%A',
    `${site}/in/jane?u=urn:li:activity:${n}`,
  ])('%j names nothing', (text) => {
    expect(readPostReference(text)).toEqual({ kind: 'other' })
  })
})

describe('a URN in a path [POS-19, POS-21]', () => {
  it('is an activity or ugcPost URN, raw or encoded, and no address', () => {
    for (const text of [`urn:li:activity:${n}`, `urn%3Ali%3Aactivity%3A${n}`])
      expect(readPostUrn(text)).toEqual(activity)
    expect(postUrnInPath.parse(`urn:li:ugcPost:${n}`)).toBe(ugcPost.urn)
    for (const text of ['track', n, `urn:li:share:${n}`, `${site}/feed/update/urn:li:activity:${n}`])
      expect(postUrnInPath.safeParse(text).success).toBe(false)
  })
})
