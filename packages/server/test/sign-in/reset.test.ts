/** A forgotten password: the mailed link works once, for an hour, and ends all other sessions. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { machineIds } from '../../src/platform/random.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openMail } from '../../src/sign-in/index.ts'
import { useWorld } from '../world/world.ts'
import { makePerson, newPerson, openBrowser, signedIn } from './browser.ts'

const world = useWorld()
const browser = () => openBrowser(world.service.signIn, world.url)
const session = (of: { headers(): Headers }) => world.service.signIn.session(of.headers())
const linkTo = async (email: string) => {
  await world.service.signIn.settled()
  const { text } = world.mails.findLast(({ to }) => to === email)!
  expect(text).toContain(`${world.url}/reset?token=`)
  return decodeURIComponent(/token=(\S+)/.exec(text)![1]!)
}

describe('a forgotten password', () => {
  it('the link of the mail sets a new one, once; the old one and every session end', async () => {
    const person = newPerson()
    const laptop = browser()
    await signedIn(world.service.signIn, laptop, person)
    const page = browser()
    expect((await page.post('/request-password-reset', { email: person.email, redirectTo: '/reset' })).status).toBe(200)
    const token = await linkTo(person.email)
    expect((await page.post('/reset-password', { token, newPassword: 'short' })).status).toBe(400)
    expect((await page.post('/reset-password', { token, newPassword: 'another horse battery' })).status).toBe(200)
    expect(await session(laptop)).toBeNull()
    expect((await page.post('/sign-in/email', person)).status).toBe(401)
    expect((await page.post('/sign-in/email', { ...person, password: 'another horse battery' })).status).toBe(200)
    expect((await page.post('/reset-password', { token, newPassword: 'a third horse battery' })).status).toBe(400)
  })

  it('an address nobody has is answered the same and gets no mail; the database holds no token', async () => {
    const person = newPerson()
    await makePerson(world.service.signIn, person)
    const known = await browser().post('/request-password-reset', { email: person.email })
    const unknown = await browser().post('/request-password-reset', { email: 'nobody@example.com' })
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    const token = await linkTo(person.email)
    expect(world.mails.filter(({ to }) => to === 'nobody@example.com')).toEqual([])
    const { rows } = await world.database.pool.query('select * from sign_in.verification')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('mail without a mail server', () => {
  const folders: string[] = []
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true })
  })

  it('is a file that its user alone can read, and the log names the file and nothing of the mail', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'les-mail-'))
    folders.push(dataDir)
    const lines: unknown[] = []
    const log = {
      info: (...line: unknown[]) => void lines.push(line),
      warn: () => {},
      error: () => {},
      with: () => log,
    }
    const mail = openMail({ server: null, dataDir, ids: machineIds(), system: systemClock, log })
    await mail.send({
      to: 'ada@example.com',
      subject: 'Grüße\r\nBcc: all@example.com',
      text: 'Hello\nhttps://leads.example.com/reset?token=abc\n',
    })
    const [name] = await readdir(join(dataDir, 'mail'))
    const path = join(dataDir, 'mail', name!)
    expect(name).toMatch(/\.eml$/)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const text = await readFile(path, 'utf8')
    expect(text).toMatch(/^To: ada@example\.com\r$/m)
    expect(text).not.toMatch(/^Bcc:/m)
    expect(text).toContain('/reset?token=abc')
    expect(lines).toEqual([
      ['a mail was written to the folder mail of the data folder', { file: name, because: 'LES_SMTP_URL is not set' }],
    ])
  })
})
