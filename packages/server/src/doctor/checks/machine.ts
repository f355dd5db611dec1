import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { bad, ok, skipped, warn, type Check, type Finding } from '../check.ts'
import { connect as connectTls } from 'node:tls'
import { connect } from 'node:net'

const littleBytes = 2 * 1024 ** 3
const tooLittleBytes = 256 * 1024 ** 2

/** Judges the free space. */
export function judgeRoom(freeBytes: number, folder: string): Finding {
  const text = `${(freeBytes / 1024 ** 3).toFixed(1)} GB free under ${folder}`
  if (freeBytes < tooLittleBytes) return bad(text, 'make room: a full disk ends every write')
  return freeBytes < littleBytes ? warn(text, 'make room soon') : ok(text)
}

async function nearest(folder: string): Promise<string> {
  return access(folder).then(
    () => folder,
    () => (dirname(folder) === folder ? folder : nearest(dirname(folder))),
  )
}

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
        : [bad(`${folder} cannot be written by this user`, 'give it to the user of the service, or set LES_DATA_DIR')]),
    ]
  },
}

const waitLimitMs = 5_000
const dayMs = 86_400_000
const soonDays = 14
const lateDays = 3
const skewMs = 30_000

/** Judges how long a certificate is still valid. */
export function judgeCertificate(endsAt: number, nowMs: number, host: string): Finding {
  const days = Math.floor((endsAt - nowMs) / dayMs)
  const text = `the certificate of ${host} is good for ${days} days`
  const advice = 'renew it: a proxy such as Caddy does so by itself'
  if (days < lateDays) return bad(text, advice)
  return days < soonDays ? warn(text, advice) : ok(text)
}

/** Compares our clock with another's (an HTTP `date`): sign-in keys, signatures and rate windows depend on time. */
export function judgeClock(theirs: string | undefined, nowMs: number): Finding {
  const other = Date.parse(theirs ?? '')
  if (Number.isNaN(other)) return skipped('the clock: nobody told us another time')
  const apartMs = Math.abs(other - nowMs)
  return apartMs > skewMs
    ? bad(
        `the clock of this machine and that of the public address are ${Math.round(apartMs / 1_000)} s from each other`,
        'let both follow a time server (systemd-timesyncd, chrony)',
      )
    : ok('the clock agrees with that of the public address')
}

/** When a host's certificate ends; rejects with what makes it invalid. */
const certificateEnd = (host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ host, port, servername: host }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to))
      socket.destroy()
    })
    socket.setTimeout(waitLimitMs, () => socket.destroy(new Error(`no answer within ${waitLimitMs} ms`)))
    socket.once('error', reject)
  })

export const address: Check = {
  name: 'address',
  about: 'the public address leads here, its certificate, the clock',
  run: async ({ config, egress, system }) => {
    if (config.publicUrl === null) return [skipped('LES_PUBLIC_URL is not set: people reach the address it listens on')]
    const url = new URL(config.publicUrl)
    const found: Finding[] = []
    if (url.protocol === 'https:')
      found.push(
        await certificateEnd(url.hostname, Number(url.port || 443)).then(
          (endsAt) => judgeCertificate(endsAt, system.nowMs(), url.hostname),
          (error: Error): Finding =>
            bad(
              `${url.host}: ${error.message}`,
              'see that the name leads to the proxy, and that the proxy has a certificate for it',
            ),
        ),
      )
    const answer = await egress
      .request({ method: 'GET', url: `${config.publicUrl}/readyz`, timeoutMs: waitLimitMs, maxBytes: 4_096 })
      .catch((error: Error) => error)
    if (answer instanceof Error)
      return [
        ...found,
        warn(
          `${config.publicUrl} does not answer from here: ${answer.message}`,
          'start the service and its proxy; a machine that cannot reach itself by its public name is no fault',
        ),
      ]
    const ours = answer.body.toString('utf8').includes('"roles"')
    found.push(
      ours
        ? ok(`${config.publicUrl} leads to the service`)
        : bad(
            `${config.publicUrl}/readyz answers ${answer.status}, and not as the service does`,
            'see where the proxy sends requests',
          ),
      judgeClock(answer.headers.date, system.nowMs()),
    )
    return found
  },
}

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

export const mail: Check = {
  name: 'mail',
  about: 'the mail server greets',
  run: async ({ config }) => {
    if (config.mail === null)
      return [
        warn(
          'no mail server is set: invitations and links are written to files in the data folder',
          'set LES_SMTP_URL and LES_MAIL_FROM before others sign up',
        ),
      ]
    const url = new URL(config.mail.url)
    try {
      const greeting = await greetingOf(url)
      return greeting.startsWith('220')
        ? [ok(`${url.hostname} greets; mail comes from ${config.mail.from}`)]
        : [bad(`${url.hostname} does not greet as a mail server does`, 'see LES_SMTP_URL')]
    } catch (error) {
      return [
        bad(
          `${url.hostname}: ${(error as Error).message}`,
          'see LES_SMTP_URL, and that this machine may connect there',
        ),
      ]
    }
  },
}
