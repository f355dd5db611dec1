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
  it('les --help', async () =>
    expect(await helpOf('--help')).toMatchInlineSnapshot(`
      "Examples:
        $ les auth login
        $ les enrich profile --username jane-doe --save-tracked-profile --wait
        $ les leads list --username jane-doe --limit 10
        $ les leads list --all --csv
        $ les credits show --json

      Usage: les [options] [command]

      Lead Engagement Service: captures who engages, enriches them and delivers them as leads.

      Commands:
        enrich                         Enrich people and companies, optionally tracking them
        sources                        Tracked sources of any kind
        profile                        One tracked person
        company                        One tracked company
        push                           Pushes of captured leads
        post                           One post: tracking it, and who engaged with it
        keyword                        Keyword searches
        leads                          Captured people
        engagers                       Captured people, one row each
        discover                       Searches for people who post about a topic
        outreach                       The outreach platform
        agent                          The Engagement Agent
        credits                        Balance and charges
        keys                           API keys
        jobs                           Background jobs
        requests                       The log of calls, for a person who signed in
        deliveries                     The log of deliveries, for a person who signed in
        auth                           Sign in, and profiles
        config                         Settings of this program
        usage [options]                Show what was charged, by day or by source
        open [options] [page]          Open a page of the dashboard in the browser
        doctor                         Look for what may be wrong
        webhooks                       Webhook development on this machine
        mcp [options]                  Serve the agent tools over standard input and output
        completion <shell>             Print the completion script of a shell
        api [options] <method> <path>  Send any request
        help [words...]                Help for a command, or about exit-codes or environment or flags

      Options:
        --version                      output the version number
        --json [fields]                The service's answer as JSON, just as it came; or only the fields named, by commas.
                                       Alone on a terminal it also lists the fields there are.
        --jq <filter>                  The answer through a jq filter (built in); texts come without quotes.
        --profile <name>               Use the key and the address of this profile (default: LES_PROFILE, else the current
                                       one).
        --base-url <url>               Address of the service (default: LES_BASE_URL, else the profile's, else that of a
                                       service started in this folder, else http://127.0.0.1:8080).
        --idempotency-key <key>        Makes sending a change again safe: the first answer is replayed for 24 hours.
        --timeout <seconds>            Give up on a request after so long (default: 60), and with --wait on waiting (default:
                                       3600).
        --yes                          Do not ask before deleting or overwriting; never confirms spending.
        --no-input                     Never ask anything.
        --no-color                     No colours (also: NO_COLOR, TERM=dumb).
        --quiet                        Only data and failures: no notes, no progress.
        --debug                        Requests and answers on standard error, keys and secrets redacted.
        -h, --help                     display help for command
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
  it('les enrich profile --help', async () =>
    expect(await helpOf('enrich', 'profile', '--help')).toMatchInlineSnapshot(`
      "Examples:
        $ les enrich profile --username jane-doe --save-tracked-profile
        $ les enrich profile --username jane-doe --save-tracked-profile --credit-cap-per-sync 500 --wait
        $ les enrich profile --username jane-doe --save-tracked-profile --mode posts_only --posts-per-sync 10 --confirm-spend

      Usage: les enrich profile [options]

      Enrich a person, optionally tracking them. Queues a job. Leads that still wait for their enrichment are filled for
      nothing; one credit for each that enrichment had given up on. With saveTrackedProfile it first creates or updates the
      tracked source and queues a capture sync of its recent posts: each new person of a source costs one credit, once.

      Options:
        --username <text>               Handle (\`jane-doe\`) or member id (\`ACoAA…\`, case counts) of a person; never a URL or a
                                        source id. (required)
        --[no-]save-tracked-profile     True creates or updates the tracked source first; false (default) only updates
                                        existing leads.
        --[no-]capture-replies          Default true.
        --[no-]enrich-leads             Default true; false = raw mode.
        --credit-cap-per-sync <number>  Lead rows one sync may store. (1-2147483647, or \`null\`)
        --mode <text>                   Default engagers. (choices: "engagers", "posts_only")
        --posts-per-sync <number>       (1-60)
        --first-sync-posts <number>     (1-50, or \`null\`)
        --first-sync-days <number>      (1-90, or \`null\`)
        --[no-]confirm-spend            Required for posts_only, for tracking an untracked posts-only watch again, and for
                                        switching a posts-only source to engagers.
        --[no-]wait                     Wait until the work is done, or the time of --timeout is up; Ctrl-C stops waiting, not
                                        the work.
        -h, --help                      display help for command

      Global Options:
        --version                       output the version number
        --json [fields]                 The service's answer as JSON, just as it came; or only the fields named, by commas.
                                        Alone on a terminal it also lists the fields there are.
        --jq <filter>                   The answer through a jq filter (built in); texts come without quotes.
        --profile <name>                Use the key and the address of this profile (default: LES_PROFILE, else the current
                                        one).
        --base-url <url>                Address of the service (default: LES_BASE_URL, else the profile's, else that of a
                                        service started in this folder, else http://127.0.0.1:8080).
        --idempotency-key <key>         Makes sending a change again safe: the first answer is replayed for 24 hours.
        --timeout <seconds>             Give up on a request after so long (default: 60), and with --wait on waiting (default:
                                        3600).
        --yes                           Do not ask before deleting or overwriting; never confirms spending.
        --no-input                      Never ask anything.
        --no-color                      No colours (also: NO_COLOR, TERM=dumb).
        --quiet                         Only data and failures: no notes, no progress.
        --debug                         Requests and answers on standard error, keys and secrets redacted.
      "
    `))
})
