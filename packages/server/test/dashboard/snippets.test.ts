/** Runs the receivers' code that the page Webhooks shows, for each language that is installed. */
import { execFileSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { snippets } from '../../../dashboard/src/pages/webhooks/snippets.ts'

const folder = mkdtempSync(join(tmpdir(), 'snippets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const codeOf = (id: string): string => snippets.find((snippet) => snippet.id === id)!.code
const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const key = randomBytes(32)
const secret = `whsec_${key.toString('base64')}`
const body = '{"event":"lead.detected","lead":{"name":"Zoë “Z” Ågren"}}'
const sign = (timestamp: string, text: string) =>
  `v1=${createHmac('sha256', key).update(`${timestamp}.${text}`).digest('hex')}`
const now = () => String(Math.floor(Date.now() / 1000))

const cases = () => {
  const fresh = now()
  const old = String(Number(fresh) - 301)
  const other = `v1=${'0'.repeat(64)}`
  return [
    { name: 'a genuine delivery', timestamp: fresh, signature: sign(fresh, body), genuine: true },
    {
      name: 'one of two signatures, while the secret is rotated',
      timestamp: fresh,
      signature: `${other},${sign(fresh, body)}`,
      genuine: true,
    },
    { name: 'another body', timestamp: fresh, signature: sign(fresh, `${body} `), genuine: false },
    { name: 'another secret', timestamp: fresh, signature: other, genuine: false },
    { name: 'another time', timestamp: fresh, signature: sign(old, body), genuine: false },
    { name: 'an old delivery', timestamp: old, signature: sign(old, body), genuine: false },
    { name: 'no signature', timestamp: fresh, signature: '', genuine: false },
  ]
}

const drivers = [
  {
    id: 'node',
    program: process.execPath,
    file: 'run.mjs',
    tail:
      '\n' +
      'const { headers, body, secret } = JSON.parse(process.argv[2])\n' +
      "process.stdout.write(String(isGenuine({ 'x-service-timestamp': headers.timestamp, " +
      "'x-service-signature': headers.signature }, body, secret)))\n",
  },
  {
    id: 'python',
    program: 'python3',
    file: 'run.py',
    tail:
      '\n' +
      'import json, sys\n' +
      'given = json.loads(sys.argv[1])\n' +
      'print(str(is_genuine({"X-Service-Timestamp": given["headers"]["timestamp"], ' +
      '"X-Service-Signature": given["headers"]["signature"]}, given["body"].encode(), given["secret"])).lower(), end="")\n',
  },
  {
    id: 'php',
    program: 'php',
    file: 'run.php',
    tail:
      '\n' +
      '$given = json_decode($argv[1], true);\n' +
      "echo is_genuine(['X-Service-Timestamp' => $given['headers']['timestamp'], " +
      "'X-Service-Signature' => $given['headers']['signature']], $given['body'], $given['secret']) ? 'true' : 'false';\n",
  },
  {
    id: 'ruby',
    program: 'ruby',
    file: 'run.rb',
    tail:
      '\n' +
      "require 'json'\n" +
      'given = JSON.parse(ARGV[0])\n' +
      "print genuine?({ 'X-Service-Timestamp' => given['headers']['timestamp'], " +
      "'X-Service-Signature' => given['headers']['signature'] }, given['body'], given['secret'])\n",
  },
]

describe('the code for receivers', () => {
  it('is there in six languages', () =>
    expect(snippets.map(({ id }) => id)).toEqual(['node', 'python', 'php', 'ruby', 'go', 'shell']))

  it.each(drivers.filter(({ program }) => has(program)))(
    'in $id tells genuine deliveries from all others',
    ({ id, program, file, tail }) => {
      const path = join(folder, file)
      writeFileSync(path, codeOf(id) + tail)
      for (const { name, timestamp, signature, genuine } of cases())
        expect([
          name,
          execFileSync(program, [path, JSON.stringify({ headers: { timestamp, signature }, body, secret })], {
            encoding: 'utf8',
          }),
        ]).toEqual([name, String(genuine)])
    },
  )

  it('for a shell says the same', () => {
    const script = join(folder, 'run.sh')
    writeFileSync(join(folder, 'body.json'), body)
    const [check] = codeOf('shell').split('\n# and what')
    for (const { name, timestamp, signature, genuine } of cases()) {
      writeFileSync(script, `secret='${secret}'\ntimestamp='${timestamp}'\nsignature='${signature}'\n${check}`)
      expect([name, execFileSync('sh', [script], { cwd: folder, encoding: 'utf8' }).trim()]).toEqual([
        name,
        genuine ? 'genuine' : 'not genuine',
      ])
    }
  })
})
