/** Mail: does the server that is set greet us? Nothing is sent. */
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Check } from '../check.ts'

const waitLimitMs = 5_000

/** The first line a mail server says. */
const greetingOf = (url: URL): Promise<string> =>
  new Promise((resolve, reject) => {
    const secure = url.protocol === 'smtps:'
    const to = { host: url.hostname, port: Number(url.port || (secure ? 465 : 587)) }
    const socket = secure ? connectTls({ ...to, servername: url.hostname }) : connect(to)
    socket.setTimeout(waitLimitMs, () => socket.destroy(new Error(`no answer within ${waitLimitMs} ms`)))
    socket.once('error', reject)
    socket.once('data', (bytes: Buffer) => {
      resolve(bytes.toString('utf8').split('\r\n')[0]!)
      socket.end('QUIT\r\n', () => socket.destroy())
    })
  })

/** The check of mail. */
export const mail: Check = {
  name: 'mail',
  about: 'the mail server greets',
  run: async ({ config }) => {
    if (config.mail === null)
      return [
        {
          level: 'warn',
          text: 'no mail server is set: invitations and links are written to files in the data folder',
          advice: 'set LES_SMTP_URL and LES_MAIL_FROM before others sign up',
        },
      ]
    const url = new URL(config.mail.url)
    try {
      const greeting = await greetingOf(url)
      return greeting.startsWith('220')
        ? [{ level: 'ok', text: `${url.hostname} greets; mail comes from ${config.mail.from}` }]
        : [{ level: 'bad', text: `${url.hostname} does not greet as a mail server does`, advice: 'see LES_SMTP_URL' }]
    } catch (error) {
      return [
        {
          level: 'bad',
          text: `${url.hostname}: ${(error as Error).message}`,
          advice: 'see LES_SMTP_URL, and that this machine may connect there',
        },
      ]
    }
  },
}
