import { describe, expect, it } from 'vitest'
import { sendWords } from './send-words.ts'

describe('what came of a send', () => {
  it('is told in a sentence for each count that is not zero', () => {
    expect(
      sendWords({
        sent: 3,
        added: 2,
        updated: 0,
        failed: 1,
        alreadyInCampaign: 4,
        skippedNoLinkedin: 0,
        notFound: 0,
        recorded: 2,
      }),
    ).toEqual([
      '2 people added to the campaign.',
      '4 people not sent again: sent to this campaign before.',
      '1 person not taken by the outreach platform; it does not say who.',
    ])
  })

  it('says so when nobody was sent', () => {
    expect(sendWords({})).toEqual(['Nobody was sent.'])
  })
})
