/** What a PUT of a webhook configuration comes to (specification «Webhook configuration»; G46, G134; CON-04). */

/** The settings of a webhook. */
export type WebhookSettings = {
  readonly url: string | null
  readonly icpOnly: boolean
  readonly autoSend: boolean
  readonly syncEvents: boolean
}

/** The settings of an owner that never set any (G46). */
export const defaultSettings: WebhookSettings = { url: null, icpOnly: false, autoSend: true, syncEvents: false }

/** What a request names; an absent field stays as it is. `""` and null clear the URL. */
export type SettingsChange = {
  readonly webhookUrl?: string | null | undefined
  readonly icpOnly?: boolean | undefined
  readonly autoSend?: boolean | undefined
  readonly syncEvents?: boolean | undefined
}

/** The URL a request names: undefined when it names none, null when it clears it. */
export const namedUrl = (change: SettingsChange): string | null | undefined =>
  change.webhookUrl === '' ? null : change.webhookUrl

/** True when the request by itself asks for sync events and clears the URL they need. */
export const contradictsItself = (change: SettingsChange): boolean =>
  change.syncEvents === true && namedUrl(change) === null

/** The outcome of a change. `isNamed`: the request named a URL, so a disabled endpoint is tried again. */
type SettingsDecision =
  | { readonly kind: 'needs_url' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly settings: WebhookSettings; readonly isNamed: boolean }

/** Decides; sync events are judged on the settings that result. */
export function decideSettings(stored: WebhookSettings, change: SettingsChange): SettingsDecision {
  const named = namedUrl(change)
  const url = named === undefined ? stored.url : named
  if (change.syncEvents === true && url === null) return { kind: 'needs_url' }
  const settings: WebhookSettings = {
    url,
    icpOnly: change.icpOnly ?? stored.icpOnly,
    autoSend: change.autoSend ?? stored.autoSend,
    syncEvents: url !== null && (change.syncEvents ?? stored.syncEvents),
  }
  const nothingNamed =
    named === undefined &&
    change.icpOnly === undefined &&
    change.autoSend === undefined &&
    change.syncEvents === undefined
  if (nothingNamed) return { kind: 'unchanged' }
  return { kind: 'changed', settings, isNamed: typeof named === 'string' }
}
