/** The public address: does it lead here, is its certificate good for a while, and does its clock agree with ours? */
import { connect } from 'node:tls'
import type { Check, Finding } from '../check.ts'

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
    const socket = connect({ host, port, servername: host }, () => {
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
