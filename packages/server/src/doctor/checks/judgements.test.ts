import { createServer, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { readConfig } from '../../config/env.ts'
import type { DoctorParts } from '../check.ts'
import { judgeCertificate, judgeClock, judgeRoom, mail } from './machine.ts'

const day = 86_400_000

it('a certificate is told in time, a clock that is off is bad, and so is a disk that is full', () => {
  expect([60, 13, 2, -1].map((days) => judgeCertificate(days * day, 0, 'leads.example.com').level)).toEqual([
    'ok',
    'warn',
    'bad',
    'bad',
  ])
  const now = Date.parse('2026-01-01T00:00:00Z')
  expect(judgeClock('Thu, 01 Jan 2026 00:00:20 GMT', now).level).toBe('ok')
  expect(judgeClock('Thu, 01 Jan 2026 00:01:00 GMT', now).level).toBe('bad')
  expect(judgeClock(undefined, now).level).toBe('skipped')
  expect([5e9, 1e9, 1e8].map((bytes) => judgeRoom(bytes, '/data').level)).toEqual(['ok', 'warn', 'bad'])
})

it('a mail server that greets is in order; what is no mail server, or is away, is bad', async () => {
  let greeting = '220 mail.example.com ESMTP\r\n'
  const server = createServer((socket) =>
    socket
      .on('error', () => {})
      .resume()
      .end(greeting),
  ).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const config = readConfig({ LES_SMTP_URL: `smtp://127.0.0.1:${port}`, LES_MAIL_FROM: 'leads@example.com' })
  const levels = async () => (await mail.run({ config } as DoctorParts)).map(({ level }) => level)
  expect(await levels()).toEqual(['ok'])
  greeting = 'SSH-2.0-OpenSSH\r\n'
  expect(await levels()).toEqual(['bad'])
  await new Promise((resolve) => server.close(resolve))
  expect(await levels()).toEqual(['bad'])
  expect((await mail.run({ config: readConfig({}) } as DoctorParts))[0]!.level).toBe('warn')
})
