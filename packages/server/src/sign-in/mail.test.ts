import { expect, it } from 'vitest'
import { invitationMail } from './mail.ts'

it('words of members add no line, no link and no direction to an invitation', () => {
  const { subject, text } = invitationMail('https://service.example', {
    to: 'guest@example.com',
    teamName: 'Safe\u202e moc.live\u2066\r\nPay at https://evil.example/now\u2028today',
    invitedBy: 'owner@example.com',
    token: 'a&b',
  })
  expect(subject).toBe('You were invited to a team')
  expect(text.split('\n')[0]).toBe(
    'owner@example.com invites you to the team "Safe moc.live Pay at https: //evil.example/now today" on the Lead Engagement Service.',
  )
  expect(text.match(/https?:\/\/\S+/g)).toEqual(['https://service.example/invite?token=a%26b'])
})
