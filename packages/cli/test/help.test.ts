/** The help of the program and of one command word for word; that of the others is in the generated reference. */
import { describe, expect, it } from 'vitest'
import { les } from './shell.ts'

const helpOf = async (...argv: string[]): Promise<string> => {
  const { code, stdout, stderr } = await les(argv)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

describe('help', () => {
  it('of nothing is that of the program, and starts with examples', async () => {
    const help = await helpOf()
    expect(help).toMatch(/^Examples:\n {2}\$ les auth login/)
    expect(help).toBe(await helpOf('--help'))
    expect(help).toBe(await helpOf('help'))
  })

  it('of a group starts with examples', async () => {
    expect(await helpOf('profile', 'webhook', '--help')).toMatch(
      /^Examples:\n {2}\$ les profile webhook get jane-doe\n/,
    )
  })

  it('les help <words> is the help of that command', async () => {
    expect(await helpOf('help', 'leads', 'list')).toBe(await helpOf('leads', 'list', '--help'))
    expect((await les('help nonsense')).code).toBe(2)
  })

  it('les --version', async () => expect(await helpOf('--version')).toBe('1.0.0\n'))

  it('les help environment', async () =>
    expect(await helpOf('help', 'environment')).toMatchInlineSnapshot(`
      "Environment variables:
        LES_API_KEY         key of your team; goes before the profile, not before --profile
        LES_BASE_URL        address of the service; without it, that of a service started in this folder
        LES_DATA_DIR        data folder of a service on this machine, in which its address is looked up, else ./.data
        LES_PROFILE         profile to use instead of the current one
        LES_SIGNING_SECRET  signing secret (whsec_…) for les webhooks
        XDG_CONFIG_HOME     where les/config.json is kept, else ~/.config
        XDG_CACHE_HOME      where compiled code is kept, else ~/.cache
        NO_COLOR            set to anything: no colours
        FORCE_COLOR         set to 1: colours where there is no terminal too; NO_COLOR wins
        TERM                dumb: no colours
      "
    `))
  it('les help exit-codes', async () =>
    expect(await helpOf('help', 'exit-codes')).toMatchInlineSnapshot(`
    "Exit codes:
        0  done
        1  the service refused or failed, or could not be reached
        2  the command line is not valid; nothing was sent
        3  this creates or raises a charge: the refusal is on standard output as JSON; send again with --confirm-spend
        4  no API key, or one that is unknown or was revoked (401)
        5  not found or not tracked (404)
        6  not enough credits (402)
        7  still rate limited after 3 retries (429)
        8  with --wait: the work failed; or --timeout passed before it was done
      130  interrupted by Ctrl-C; work that was started goes on
    "
  `))
})
