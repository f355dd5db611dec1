/** The help of the main commands, word for word. */
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
    expect(help).toMatch(/^Examples:\n {2}\$ les enrich profile/)
    expect(help).toBe(await helpOf('--help'))
    expect(help).toBe(await helpOf('help'))
  })

  it('of a group starts with examples', async () => {
    expect(await helpOf('profile', 'webhook', '--help')).toMatch(/^Examples:\n {2}\$ les profile webhook get jane-doe\n/)
  })

  it('les help <words> is the help of that command', async () => {
    expect(await helpOf('help', 'leads', 'list')).toBe(await helpOf('leads', 'list', '--help'))
    expect((await les(['help', 'nonsense'])).code).toBe(2)
  })

  it('les --version', async () => expect(await helpOf('--version')).toBe('1.0.0\n'))

  it('les help exit-codes', async () => expect(await helpOf('help', 'exit-codes')).toMatchInlineSnapshot(`
    "Exit codes:
        0  done
        1  the service refused or failed, or could not be reached
        2  the command line is not valid; nothing was sent
        3  this creates or raises a charge: the refusal is on standard output as JSON; send again with --confirm-spend
        4  no API key, or one that is unknown or was revoked (401)
        5  not found or not tracked (404)
        6  not enough credits (402)
        7  still rate limited after 3 retries (429)
        8  with --wait: the job or the sync failed, or --timeout passed first
      130  interrupted by Ctrl-C; a job that was started goes on
    "
  `))
  it('les enrich profile --help', async () => expect(await helpOf('enrich', 'profile', '--help')).toMatchInlineSnapshot(`
    "Examples:
      $ les enrich profile --username jane-doe --save-tracked-profile
      $ les enrich profile --username jane-doe --save-tracked-profile --credit-cap-per-sync 500 --wait
      $ les enrich profile --username jane-doe --save-tracked-profile --mode posts_only --posts-per-sync 10 --confirm-spend

    Usage: les enrich profile [options]

    Enrich a person, optionally tracking them. Queues a job. With saveTrackedProfile it first creates or updates the tracked
    source and queues a capture sync of its recent posts.

    Options:
      --username <text>               Public handle of a person, for example \`jane-doe\`; never a URL or a source id.
                                      (required)
      --[no-]save-tracked-profile     True creates or updates the tracked source first; false (default) only updates
                                      existing leads.
      --[no-]capture-replies          Default true.
      --[no-]enrich-leads             Default true; false = raw mode.
      --credit-cap-per-sync <number>  Lead rows one sync may store. (1-2147483647, or \`null\`)
      --mode <text>                   (choices: "engagers", "posts_only")
      --posts-per-sync <number>       (1-60)
      --[no-]confirm-spend            Required for posts_only and for switching a posts-only source to engagers.
      --first-sync-posts <number>     (1-50, or \`null\`)
      --first-sync-days <number>      (1-90, or \`null\`)
      --wait                          Wait until the job, and the sync it queued, are done; Ctrl-C stops waiting, not the
                                      job.
      --timeout <seconds>             Stop waiting after so long. (default: 3600)
      -h, --help                      display help for command

    Global Options:
      --version                       output the version number
      --json                          The service's answer as it is, on standard output (signing secrets masked).
      --api-key <key>                 Key of your team (default: LES_API_KEY).
      --base-url <url>                Address of the service (default: LES_BASE_URL, else http://127.0.0.1:8080).
      --idempotency-key <key>         Makes sending a change again safe: the first answer is replayed for 24 hours.
    "
  `))
  it('les leads list --help', async () => expect(await helpOf('leads', 'list', '--help')).toMatchInlineSnapshot(`
    "Examples:
      $ les leads list
      $ les leads list --limit 10 --engagement-type Comment
      $ les leads list --username jane-doe --is-icp --json

    Usage: les leads list [options]

    List leads, newest first. All filters combine with AND. Raw leads never appear here.

    Options:
      --limit <number>           (1-100, default 50)
      --offset <number>          (0-2147483647, default 0)
      --profile-id <text>        Id of a source; not together with username.
      --username <text>          Handle or slug of a source; not together with profileId.
      --engagement-type <text>   (choices: "Like", "Comment", "Author")
      --[no-]is-icp
      --webhook-status <text>    (choices: "pending", "sent", "failed", "no_webhook")
      --since <text>             Stored at or after.
      --until <text>             Stored at or before.
      --name <text>              Part of the name, in any case; a lead without one never matches.
      --job-title <text>         Part of the job title, in any case; a lead without one never matches.
      --company <text>           Part of the company's name, in any case; a lead without one never matches.
      --company-domain <text>    Part of the company's domain, in any case; a lead without one never matches.
      --country <text>           Part of the country, in any case; a lead without one never matches.
      --company-industry <text>  Part of the company's industry, in any case; a lead without one never matches.
      --[no-]include-syncing     Also leads of sources in the middle of a sync; ignored with profileId or username.
      --[no-]include-inactive    Also retained leads of untracked sources; default false.
      --source-kind <text>       (choices: "keyword", "post", "profile", "all")
      -h, --help                 display help for command

    Global Options:
      --version                  output the version number
      --json                     The service's answer as it is, on standard output (signing secrets masked).
      --api-key <key>            Key of your team (default: LES_API_KEY).
      --base-url <url>           Address of the service (default: LES_BASE_URL, else http://127.0.0.1:8080).
      --idempotency-key <key>    Makes sending a change again safe: the first answer is replayed for 24 hours.
    "
  `))
  it('les profile webhook set --help', async () => expect(await helpOf('profile', 'webhook', 'set', '--help')).toMatchInlineSnapshot(`
    "Examples:
      $ les profile webhook set jane-doe --webhook-url https://hooks.example.com/leads
      $ les profile webhook set jane-doe --webhook-url https://hooks.example.com/leads --no-auto-send

    Usage: les profile webhook set [options] <username>

    Set the webhook of a person. A partial update. Saving or changing a URL never delivers leads captured before.

    Options:
      --webhook-url <text>     Public https URL; an empty string or null clears it. (or \`null\`)
      --[no-]icp-only          Deliver only leads that match the ICP criteria; default false.
      --[no-]auto-send         Deliver new leads by themselves; default true. False delivers on push only.
      --[no-]sync-events       Also send sync.completed and sync.failed; needs a URL; default false.
      -h, --help               display help for command

    Global Options:
      --version                output the version number
      --json                   The service's answer as it is, on standard output (signing secrets masked).
      --api-key <key>          Key of your team (default: LES_API_KEY).
      --base-url <url>         Address of the service (default: LES_BASE_URL, else http://127.0.0.1:8080).
      --idempotency-key <key>  Makes sending a change again safe: the first answer is replayed for 24 hours.
    "
  `))
})
