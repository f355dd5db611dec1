/** The machine and what it reaches: the disk of the data folder, the public address with its certificate and clock, the mail server. */
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Check, Finding } from '../check.ts'
import { connect as connectTls } from 'node:tls'
import { connect } from 'node:net'

const littleBytes = 2 * 1024 ** 3
const tooLittleBytes = 256 * 1024 ** 2

/** What free room means. */
export function judgeRoom(freeBytes: number, folder: string): Finding {
  const text = `${(freeBytes / 1024 ** 3).toFixed(1)} GB free under ${folder}`
  if (freeBytes < tooLittleBytes) return { level: 'bad', text, advice: 'make room: a full disk ends every write' }
  return freeBytes < littleBytes ? { level: 'warn', text, advice: 'make room soon' } : { level: 'ok', text }
}

/** The nearest folder that is there. */
async function nearest(folder: string): Promise<string> {
  return access(folder).then(
    () => folder,
    () => (dirname(folder) === folder ? folder : nearest(dirname(folder))),
  )
}

/** The check of the disk. */
export const disk: Check = {
  name: 'disk',
  about: 'room and rights in the data folder',
  run: async ({ config }) => {
    const folder = await nearest(config.dataDir)
    const { bavail, bsize } = await statfs(folder)
    const writable = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    )
    return [
      judgeRoom(bavail * bsize, folder),
      ...(writable
        ? []
        : [
            {
              level: 'bad',
              text: `${folder} cannot be written by this user`,
              advice: 'give it to the user of the service, or set LES_DATA_DIR',
            } satisfies Finding,
          ]),
    ]
  },
}

const waitLimitMs = 5_000
const dayMs = 86_400_000
const soonDays = 14
const lateDays = 3
const skewMs = 30_000

/** What the end of a certificate means. */
export function judgeCertificate(endsAt: number, nowMs: number, host: string): Finding {
  const days = Math.floor((endsAt - nowMs) / dayMs)
  const text = `the certificate of ${host} is good for ${days} days`
  const advice = 'renew it: a proxy such as Caddy does so by itself'
  if (days < lateDays) return { level: 'bad', text, advice }
  return days < soonDays ? { level: 'warn', text, advice } : { level: 'ok', text }
}

/** What another clock says of ours: keys of sign-in, signatures and windows are judged by time. */
export function judgeClock(theirs: string | undefined, nowMs: number): Finding {
  const other = Date.parse(theirs ?? '')
  if (Number.isNaN(other)) return { level: 'skipped', text: 'the clock: nobody told us another time' }
  const apartMs = Math.abs(other - nowMs)
  return apartMs > skewMs
    ? {
        level: 'bad',
        text: `the clock of this machine and that of the public address are ${Math.round(apartMs / 1_000)} s from each other`,
        advice: 'let both follow a time server (systemd-timesyncd, chrony)',
      }
    : { level: 'ok', text: 'the clock agrees with that of the public address' }
}

/** When the certificate that a host shows ends; throws what makes it unacceptable. */
const certificateEnd = (host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ host, port, servername: host }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to))
      socket.destroy()
    })
    socket.setTimeout(waitLimitMs, () => socket.destroy(new Error(`no answer within ${waitLimitMs} ms`)))
    socket.once('error', reject)
  })

/** The check of the public address, its certificate and the clock. */
export const address: Check = {
  name: 'address',
  about: 'the public address leads here, its certificate, the clock',
  run: async ({ config, egress, system }) => {
    if (config.publicUrl === null)
      return [{ level: 'skipped', text: 'LES_PUBLIC_URL is not set: people reach the address it listens on' }]
    const url = new URL(config.publicUrl)
    const found: Finding[] = []
    if (url.protocol === 'https:')
      found.push(
        await certificateEnd(url.hostname, Number(url.port || 443)).then(
          (endsAt) => judgeCertificate(endsAt, system.nowMs(), url.hostname),
          (error: Error): Finding => ({
            level: 'bad',
            text: `${url.host}: ${error.message}`,
            advice: 'see that the name leads to the proxy, and that the proxy has a certificate for it',
          }),
        ),
      )
    const answer = await egress
      .request({ method: 'GET', url: `${config.publicUrl}/readyz`, timeoutMs: waitLimitMs, maxBytes: 4_096 })
      .catch((error: Error) => error)
    if (answer instanceof Error)
      return [
        ...found,
        {
          level: 'warn',
          text: `${config.publicUrl} does not answer from here: ${answer.message}`,
          advice: 'start the service and its proxy; a machine that cannot reach itself by its public name is no fault',
        },
      ]
    const ours = answer.body.toString('utf8').includes('"roles"')
    found.push(
      ours
        ? { level: 'ok', text: `${config.publicUrl} leads to the service` }
        : {
            level: 'bad',
            text: `${config.publicUrl}/readyz answers ${answer.status}, and not as the service does`,
            advice: 'see where the proxy sends requests',
          },
      judgeClock(answer.headers.date, system.nowMs()),
    )
    return found
  },
}

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
