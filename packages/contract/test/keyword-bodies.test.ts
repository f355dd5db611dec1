/** Invalid bodies of keyword searches, written by hand (KEY-10..KEY-47, KEY-62..KEY-71, AIF-01..AIF-07). */
import { describe, expect, it } from 'vitest'
import { operationsById } from '../src/index.ts'
import { refusalCodes, refusals } from './refusals.ts'

const track = operationsById.trackKeyword.body
const edit = operationsById.editKeyword.body
const of = (fields: object) => ({ keyword: 'sales', ...fields })
const member = `ACoAA${'b'.repeat(34)}`

type Row = readonly [fields: object, refused: readonly string[]]

const noAi = 'is required with `aiModel` and `aiPrompt`: the AI filter is rewritten together, or cleared with null'
const noPrompt = 'is required with `aiProvider`: the AI filter is rewritten together, or cleared with null'

describe('a targeting filter', () => {
  const industry = 'must be a numeric industry id, bare or as urn:li:industry:<n>'
  const organization = 'must be a numeric organisation id, bare or as urn:li:organization:<n>'
  const person =
    'must be a member id, bare or as urn:li:person:<id>: POST /enrich/profile and GET /profile/{username}/urn answer it as entityUrn'
  it.each<readonly [filter: string, sent: readonly string[], kept: readonly string[]]>([
    ['authorIndustry', ['4', ' urn:li:industry:96 ', 'URN:LI:INDUSTRY:4'], ['4', '96']],
    ['authorIndustry', ['9'.repeat(18)], ['9'.repeat(18)]],
    ['authorCompany', ['1035', 'urn:li:organization:1035', '7'], ['1035', '7']],
    ['fromCompany', ['1035'], ['1035']],
    ['mentionsCompany', ['urn:li:organization:1'], ['1']],
    ['authorKeyword', [' head of ', 'cmo', 'cmo'], ['head of', 'cmo']],
    ['fromPerson', [member, `urn:li:person:${member}`], [member]],
    ['mentionsPerson', [`urn:li:fsd_profile:${member}`], [member]],
    ['mentionsPerson', [], []],
  ])('%s keeps of %j each bare id once: %j', (filter, sent, kept) =>
    expect(track.parse(of({ [filter]: sent }))).toMatchObject({ [filter]: kept }),
  )
  it.each<readonly [filter: string, value: string, words: string]>([
    ['authorIndustry', 'software', industry],
    ['authorIndustry', '9'.repeat(19), industry],
    ['authorIndustry', 'x4', industry],
    ['authorIndustry', '4x', industry],
    ['authorIndustry', '', industry],
    ['authorIndustry', 'urn:li:organization:4', industry],
    ['authorIndustry', 'xurn:li:industry:4', industry],
    ['authorIndustry', 'urn:li:industry:4x', industry],
    ['authorIndustry', 'urn:li:industry:', industry],
    ['authorCompany', 'acme', organization],
    ['fromCompany', 'urn:li:industry:4', organization],
    ['mentionsCompany', '9'.repeat(19), organization],
    ['mentionsCompany', `urn:li:organization:${'9'.repeat(19)}`, organization],
    ['mentionsCompany', 'xurn:li:organization:1', organization],
    ['mentionsCompany', 'urn:li:organization:1x', organization],
    ['fromPerson', 'jane-doe', person],
    ['mentionsPerson', `${member.slice(0, 20)}`, person],
  ])('%s refuses %j with a code of its own', (filter, value, words) => {
    const given = of({ [filter]: ['1', value].slice(filter.endsWith('Person') ? 1 : 0) })
    expect(refusals(track, given)).toEqual([`${filter}.${filter.endsWith('Person') ? 0 : 1}: ${words}`])
    expect(refusalCodes(track, given)).toEqual(['invalid_urn'])
  })
})

describe('an edit of a search', () => {
  it.each<Row>([
    [{}, [': must name at least one setting to change, for example `creditCap`']],
    [{ confirmSpend: true }, [': must name at least one setting to change, for example `creditCap`']],
    [{ postBudget: 1 }, [': must name at least one setting to change, for example `creditCap`']],
    ...['name', 'contentType', 'aiProvider', 'aiPrompt', 'maxEngagementsPerPost', 'endAt', 'maxRuns'].map(
      (field): Row => [{ [field]: null }, []],
    ),
    ...Object.entries({
      captureReplies: true,
      enrichLeads: false,
      mode: 'engagers',
      postsPerSync: 5,
      sort: 'RELEVANCE',
      datePosted: 'PAST_WEEK',
      creditCap: 5,
      captureEngagers: true,
      capturePostAuthors: true,
      captureMode: 'depth',
      runOnce: false,
      authorIndustry: [],
      fromPerson: [],
      maxEngagementsPerPost: 1,
    }).map(([field, value]): Row => [{ [field]: value }, []]),
    [{ aiProvider: null, aiModel: null, aiPrompt: null }, []],
    [{ aiProvider: null, aiModel: ' ' }, []],
    [{ aiPrompt: null, aiModel: ' ' }, []],
    [{ aiModel: null }, [`aiProvider: ${noAi}`]],
    [{ aiModel: '' }, [`aiProvider: ${noAi}`]],
    [{ aiModel: 'm' }, [`aiProvider: ${noAi}`]],
    [{ aiPrompt: 'p' }, [`aiProvider: ${noAi}`]],
    [{ aiProvider: null, aiPrompt: 'p' }, [`aiProvider: ${noAi}`]],
    [{ aiProvider: null, aiModel: 'm' }, [`aiProvider: ${noAi}`]],
    [{ aiPrompt: null, aiModel: 'm' }, [`aiProvider: ${noAi}`]],
    [{ aiProvider: 'openai' }, [`aiPrompt: ${noPrompt}`]],
    [{ aiProvider: 'openai', aiPrompt: null }, [`aiPrompt: ${noPrompt}`]],
    [{ aiProvider: 'openai', aiPrompt: 'p' }, []],
    [{ aiProvider: 'openai', aiPrompt: 'p', aiModel: 'm' }, []],
    [{ mode: 'posts_only' }, ['postsPerSync: is required with mode posts_only: a whole number from 1 to 60']],
    [{ captureMode: 'depth', maxEngagementsPerPost: null }, []],
    [
      { captureMode: 'depth', maxEngagementsPerPost: 1 },
      ['maxEngagementsPerPost: is only allowed with captureMode: breadth'],
    ],
    [
      { aiProvider: 'x', aiPrompt: 'p' },
      ['aiProvider: must be openai, anthropic, google or mistral, or null to clear the AI filter'],
    ],
    [
      { contentType: 'X' },
      ['contentType: must be VIDEO, IMAGE, JOB, LIVE_VIDEO, DOCUMENT or COLLABORATIVE_ARTICLE, or null to clear it'],
    ],
    [{ name: 7 }, ['name: must be text of 1 to 200 characters, not blank, or null to clear it']],
    [{ aiModel: 7, creditCap: 1 }, ['aiModel: must be text of at most 200 characters, or null']],
    [{ aiPrompt: 7 }, ['aiPrompt: must be text of 1 to 10000 characters, not blank, or null to clear the AI filter']],
    [
      { maxEngagementsPerPost: 0 },
      ['maxEngagementsPerPost: must be a whole number from 1 to 2147483647, or null (no limit)'],
    ],
  ])('that names %j is refused with %j', (fields, refused) => expect(refusals(edit, fields)).toEqual(refused))
})
