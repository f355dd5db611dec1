/** The settings of the service, each with its default and its meaning; docs/generated/settings.md is made of it. */
import { destinationSettings } from './destinations.ts'
import { networkVendorIds, vendorSetting } from './network-vendors.ts'

/** A setting as the page of settings shows it; `usual` is its default in words, `meaning` may hold Markdown. */
type Setting = { readonly name: string; readonly usual: string; readonly meaning: string }

const setting = (name: string, usual: string, meaning: string): Setting => ({ name, usual, meaning })

const ofVendors = networkVendorIds.flatMap((id, at) => [
  setting(
    vendorSetting(id, 'KEY'),
    'none',
    `the key of ${at === 0 ? 'the primary vendor' : 'the fallback vendor'} of network data`,
  ),
  setting(vendorSetting(id, 'URL'), "the vendor's", 'its address'),
  setting(
    vendorSetting(id, 'DAILY_DOLLARS'),
    'none',
    'what it may cost in a day (UTC), over all teams; work beyond it waits for the next day',
  ),
])

const ofAi = ['OPENAI', 'ANTHROPIC', 'GOOGLE', 'MISTRAL'].map((vendor) =>
  setting(`LES_${vendor}_URL`, "the vendor's", 'address of this AI vendor, version path included'),
)

/** Every setting, in the order of the page. */
export const settings: readonly Setting[] = [
  setting('PORT', '8080', 'where HTTP is served'),
  setting('HOST', '127.0.0.1', 'the address it listens on'),
  setting('DATABASE_URL', 'the embedded PostgreSQL', 'an external PostgreSQL, version 15 to 18'),
  setting(
    'DATABASE_DIRECT_URL',
    '`DATABASE_URL`',
    'the same database past a pooler, for what needs a session of its own ([scaling](../scaling.md))',
  ),
  setting(
    'DATABASE_REPLICA_URL',
    'none',
    'a streaming replica that answers reads, each of which sees what was done before it ([scaling](../scaling.md))',
  ),
  setting(
    'LES_PUBLIC_URL',
    'the address it listens on',
    'where people reach the service: `https://leads.example.com`; https unless it is this machine',
  ),
  setting(
    'LES_TRUSTED_PROXIES',
    'none',
    'addresses or ranges of the proxies before it, whose `X-Forwarded-For` is believed: limits of sign-in count by address',
  ),
  setting(
    'LES_SIGN_UP',
    '`invited`; `open` with the synthetic network',
    'who may make an account: `open` everybody with a proven address, `invited` whoever was invited by mail, `off` nobody',
  ),
  setting(
    'LES_REDIRECT_SCHEMES',
    '`cursor,vscode,vscode-insiders`',
    'schemes of desktop programs that sign-in of agent tools may lead back to, separated by commas; `none` for none',
  ),
  setting(
    'LES_SMTP_URL',
    'none',
    'the mail server (`smtps://user:password@mail.example.com`); without one mail is written to `mail/` in the data folder',
  ),
  setting('LES_MAIL_FROM', 'none', 'the sender of mails'),
  setting('LES_DATA_DIR', '`./.data`', 'where the embedded database, kept secrets and mail without a mail server live'),
  setting('LES_ROLES', '`http,worker,clock`', 'what this process does'),
  setting(
    'LES_MASTER_KEY',
    'made and kept when embedded',
    '32 bytes in base64; encrypts secrets at rest; required with `DATABASE_URL`',
  ),
  setting(
    'LES_OPERATOR_TOKEN',
    'made, kept and printed when embedded',
    'bearer token of `/operator`, of at least 24 bytes',
  ),
  setting(
    'LES_SECURITY_CONTACT',
    "the service's address",
    'where `/.well-known/security.txt` sends who found a hole: a mail address, or a page by https',
  ),
  ...ofVendors,
  setting(
    'LES_FALLBACK_PAGES',
    '30',
    "pages of one read (a post's reactions, a search term) that background work asks of the fallback, which costs much more",
  ),
  setting(
    'LES_AI_DAILY_DOLLARS',
    'none',
    'what the AI keys of a team may cost that team in a day (UTC); its searches then wait for the next day',
  ),
  setting('LES_CREDIT_DOLLARS', 'none', 'what one credit brings, for the margins at `/operator/margins`'),
  setting(
    'LES_OPERATORS',
    'nobody',
    'mail addresses, separated by commas; whoever is signed in with one sees the page «Operations» of the dashboard',
  ),
  setting('LES_OPERATOR_MAIL', 'none', "who hears by mail that a vendor's balance is at 20, 10 and 0 %"),
  setting('LES_OUTREACH_URL', "the platform's", 'address of the outreach platform, `/api/public` included'),
  ...ofAi,
  ...destinationSettings.map(([name, usual, meaning]) => setting(name, usual, meaning)),
  setting('LES_AGENT', '`on`', '`off`: every agent route answers 503'),
  setting(
    'LES_KEYWORD_CUTOVER_AT',
    '2026-11-01T00:00:00Z',
    'from when on keyword searches need the spend contract; `none`: never',
  ),
  setting(
    'LES_SANDBOX',
    'on only when no vendor is named and the database is embedded',
    '`1`: the synthetic network; never together with a vendor',
  ),
  setting('LES_ALLOW_PRIVATE_DESTINATIONS', '0', '`1`: webhooks may go to http and private addresses'),
  setting('LES_CLOCK', '`system`', '`manual`: service time stands still until `POST /operator/clock` moves it'),
  setting('LES_CLOCK_START', 'now', 'where a manual clock begins'),
  setting('LES_FAULTS', '0', '`1`: faults can be armed through `/operator/faults`'),
  setting('LES_SEED_DEMO', '1 with the embedded database and the sandbox', 'the demo of a first start'),
  setting('LES_METRICS_PORT', 'off', 'Prometheus metrics at `/metrics`'),
  setting('LES_OPERATOR_PORT', 'off', 'a port of its own for `/operator`, which the public port then answers with 404'),
  setting(
    'LES_KEEP_DAYS',
    'none',
    'days that old rows are kept, where they differ from the defaults: `jobs=14,audit=800` ([retention](../retention.md))',
  ),
  setting('LES_LOG_LEVEL', '`info`; `warn` at a terminal', '`debug`, `info`, `warn`, `error`, `silent`'),
  setting('LES_API_KEY', 'none', 'read by the command line and its agent tools, not by the service'),
  setting('LES_BASE_URL', 'none', "the service's address, read by the command line and its agent tools"),
]

/** The names of the settings; a variable that begins with `LES_` and is not among them is a mistake. */
export const known: readonly string[] = settings.map(({ name }) => name)
