/** The settings as a stranger may read them: what is a secret, or names somebody, is only said to be set. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config, VendorSettings } from '../../config/config.ts'
import { networkVendorIds, perNetworkVendor } from '../../config/network-vendors.ts'
import { findMasterKey } from '../../backup/place.ts'
import { readPassword } from '../../platform/db/embedded-cluster.ts'
import { buildPaths } from '../../platform/db/embedded-cluster.ts'

const whether = (value: unknown): 'set' | 'not set' => (value === null || value === undefined ? 'not set' : 'set')

/** Scheme, host and port: a path or a query may hold a key. */
const hostOf = (address: string): string => {
  const url = URL.parse(address)
  return url === null ? 'set' : `${url.protocol}//${url.host}`
}

const vendorOf = (vendor: VendorSettings | null) =>
  vendor === null ? 'not set' : { address: hostOf(vendor.url), key: 'set' }

function vendorsOf(vendors: Config['vendors']) {
  if (vendors.kind === 'sandbox') return { kind: vendors.kind }
  return {
    kind: vendors.kind,
    ...perNetworkVendor((id) => vendorOf(vendors[id])),
    outreach: hostOf(vendors.outreach),
    ai: Object.fromEntries(Object.entries(vendors.ai).map(([name, address]) => [name, hostOf(address)])),
  }
}

/** Every setting, named one by one: a new one does not compile until somebody has said how it may be shown. */
export const shownSettings = (config: Config): Readonly<Record<keyof Config, unknown>> => ({
  port: config.port,
  host: config.host,
  roles: config.roles,
  databaseUrl: config.databaseUrl === null ? 'embedded' : 'external',
  databaseDirectUrl: whether(config.databaseDirectUrl),
  databaseReplicaUrl: whether(config.databaseReplicaUrl),
  // Its path may name a person.
  dataDir: 'set',
  masterKey: whether(config.masterKey),
  operatorToken: whether(config.operatorToken),
  securityContact: whether(config.securityContact),
  vendors: vendorsOf(config.vendors),
  allowPrivateDestinations: config.allowPrivateDestinations,
  signUp: config.signUp,
  redirectSchemes: config.redirectSchemes,
  agentEnabled: config.agentEnabled,
  operators: config.operators?.length ?? 0,
  keywordCutoverAt: config.keywordCutoverAt,
  clock: config.clock,
  faults: config.faults,
  seedDemo: config.seedDemo,
  metricsPort: config.metricsPort,
  operatorPort: config.operatorPort,
  logLevel: config.logLevel,
  publicUrl: config.publicUrl === null ? 'not set' : hostOf(config.publicUrl),
  trustedProxies: config.trustedProxies,
  serving: config.serving && { ...config.serving, operatorMail: whether(config.serving.operatorMail) },
  keepDays: config.keepDays,
  mail: config.mail === null ? 'not set' : { server: hostOf(config.mail.url), from: 'set' },
  tracing: config.tracing && {
    address: hostOf(config.tracing.url),
    headers: Object.keys(config.tracing.headers).length,
    sampling: config.tracing.sampling,
  },
})

/** User and password of an address, as written and as meant. */
function loginOf(address: string | null | undefined): string[] {
  const url = address ? URL.parse(address) : null
  if (url === null) return []
  return [url.username, url.password].flatMap((part) => [part, decoded(part)])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Every secret that this installation is run with, from the settings and from the data folder: none of them may be in
 * what is handed out.
 */
export async function secretsOf(config: Config): Promise<readonly string[]> {
  const { vendors } = config
  const embedded = config.databaseUrl === null
  const kept = [
    await findMasterKey(config).then((key) => key?.toString('base64')),
    ...(embedded
      ? [
          await readFile(join(config.dataDir, 'operator-token'), 'utf8').catch(() => undefined),
          await readPassword(buildPaths(config.dataDir)).catch(() => undefined),
        ]
      : []),
  ]
  return [
    ...kept,
    config.operatorToken,
    config.securityContact,
    config.serving?.operatorMail,
    ...(config.operators ?? []),
    ...(vendors.kind === 'real' ? networkVendorIds.map((id) => vendors[id]?.key) : []),
    ...loginOf(config.databaseUrl).slice(2),
    ...loginOf(config.databaseDirectUrl).slice(2),
    ...loginOf(config.databaseReplicaUrl).slice(2),
    ...loginOf(config.mail?.url),
    ...Object.values(config.tracing?.headers ?? {}),
  ].flatMap((secret) => (typeof secret === 'string' && secret.trim() !== '' ? [secret.trim()] : []))
}
