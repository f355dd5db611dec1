/** Mail that leaves the machine goes over TLS, because its links grant access. */
import { createServer, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { openLog } from '../../src/platform/log.ts'
import { machineIds } from '../../src/platform/random.ts'
import { mayGoInTheClear } from '../../src/sign-in/mail.ts'
import { openMail } from '../../src/sign-in/index.ts'

/** A mail server that offers no TLS, like a man in the middle; it keeps the lines it receives. */
async function openServer() {
  const lines: string[] = []
  const server = createServer((socket) => {
    let isData = false
    socket.on('error', () => {})
    socket.write('220 mail.example.com ESMTP\r\n')
    socket.on('data', (bytes) => {
      for (const line of bytes.toString().split('\r\n').filter(Boolean)) {
        lines.push(line)
        if (isData) {
          if (line !== '.') continue
          isData = false
          socket.write('250 ok\r\n')
        } else if (line.startsWith('DATA')) {
          isData = true
          socket.write('354 go on\r\n')
        } else socket.write(line.startsWith('STARTTLS') ? '502 not here\r\n' : '250 mail.example.com\r\n')
      }
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { lines, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

it('a server without TLS gets no mail unless it is on this machine, and what is logged says what to do [SEC-20]', async () => {
  const server = await openServer()
  const parts = { dataDir: '/nowhere', ids: machineIds(), system: systemClock, log: openLog('silent') }
  const mail = { to: 'ada@example.com', subject: 'A link', text: 'https://leads.example.com/reset?token=abc\n' }
  // An address of this machine that is not a loopback name.
  const away = openMail({ ...parts, server: { url: `smtp://0.0.0.0:${server.port}`, from: 'leads@example.com' } })
  await expect(away.send(mail)).rejects.toThrow(/LES_SMTP_URL.*smtps:\/\//)
  expect(server.lines.join('\n')).not.toContain('token=abc')
  const here = openMail({ ...parts, server: { url: `smtp://127.0.0.1:${server.port}`, from: 'leads@example.com' } })
  await here.send(mail)
  expect(server.lines.join('\n')).toContain('token=abc')
  away.close()
  here.close()
  server.close()
})

it.each([
  ['smtp://127.0.0.1', true],
  ['smtp://127.1.2.3:25', true],
  ['smtp://user:p@localhost:1025', true],
  ['smtp://[::1]:25', true],
  ['smtp://mail.example.com', false],
  ['smtp://localhost.example.com', false],
  ['smtp://127.0.0.1.example.com', false],
  ['smtp://10.0.0.1', false],
])('%s in the clear: %s [SEC-20]', (url, may) => expect(mayGoInTheClear(url)).toBe(may))
