import { expect, it } from 'vitest'
import { operatorAddress, requestOf, runOperatorCommand } from './operator.ts'
import { UsageError } from './report.ts'

it('the operator is asked for at the port and the host that serve it [SEC-11]', () => {
  const config = { host: '127.0.0.1', port: 8080, operatorPort: null }
  expect([
    operatorAddress(config),
    operatorAddress({ ...config, operatorPort: 25301 }),
    operatorAddress({ ...config, host: '0.0.0.0' }),
    operatorAddress({ ...config, host: '::' }),
    operatorAddress({ ...config, host: '10.0.0.5', operatorPort: 9000 }),
    operatorAddress({ ...config, host: 'fd00::1' }),
  ]).toEqual([
    'http://127.0.0.1:8080',
    'http://127.0.0.1:25301',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'http://10.0.0.5:9000',
    'http://[fd00::1]:8080',
  ])
})

it('words become the request of the operator surface that they mean, and nothing else becomes one', () => {
  expect(requestOf('teams', ['add', 'Acme', '--credits', '500']).request).toEqual({
    method: 'POST',
    path: '/teams',
    body: { name: 'Acme', credits: 500 },
  })
  expect(requestOf('teams', ['set', 'a/b', '--status', 'expired']).request).toMatchObject({
    method: 'PATCH',
    path: '/teams/a%2Fb',
    body: { status: 'expired' },
  })
  expect(requestOf('teams', ['set', 'id', '--keep', 'jobs=90, audit=none']).request.body).toEqual({
    keepDays: { jobs: 90, audit: null },
  })
  expect(requestOf('keys', ['add', 'id', 'laptop', '--url', 'http://x']).url).toBe('http://x')
  expect(requestOf('teams', ['close', 'id']).request).toEqual({ method: 'DELETE', path: '/teams/id' })
  expect(requestOf('teams', ['close', 'id', '--now']).request.path).toBe('/teams/id?now=true')
  expect(requestOf('teams', ['restore', 'id']).request).toMatchObject({ method: 'POST', path: '/teams/id/restore' })
  expect(requestOf('credits', ['grant', 'id', '10']).request.body).toEqual({ grantCredits: 10 })
  for (const [name, ...words] of [
    ['teams'],
    ['teams', 'add'],
    ['credits', 'grant', 'id', '-5'],
    ['credits', 'grant', 'id', 'all'],
    ['keys', 'drop', 'id'],
    ['teams', 'add', 'x', '--credit', '5'],
    ['teams', 'set', 'id', '--keep', 'jobs'],
    ['teams', 'close'],
  ])
    expect(() => requestOf(name!, words)).toThrow(UsageError)
})

it.each(['teams', 'keys', 'credits'])(
  '%s tells its usage when it is asked for help, and asks the service nothing',
  async (name) => {
    for (const words of [['--help'], ['-h'], ['add', '--help']]) {
      const told: string[] = []
      const code = await runOperatorCommand(name, words, {
        out: (text) => told.push(text),
        err: () => expect.unreachable(),
      })
      expect({ code, told }).toEqual({ code: 0, told: [expect.stringContaining(`les-server ${name} `)] })
    }
  },
)
