/** The settings of a webhook. */
export type WebhookSettings = {
  readonly url: string | null
  readonly icpOnly: boolean
  readonly autoSend: boolean
  readonly syncEvents: boolean
}

/** The settings of an owner that never set any (G46). */
export const defaultSettings: WebhookSettings = { url: null, icpOnly: false, autoSend: true, syncEvents: false }

/** The fields of a request; absent ones stay as they are. `""` and null clear the URL. */
export type SettingsChange = {
  readonly webhookUrl?: string | null | undefined
  readonly icpOnly?: boolean | undefined
  readonly autoSend?: boolean | undefined
  readonly syncEvents?: boolean | undefined
}

/** The URL in a request: undefined when absent, null when cleared. */
export const namedUrl = (change: SettingsChange): string | null | undefined =>
  change.webhookUrl === '' ? null : change.webhookUrl

/** True when a request both asks for sync events and clears the URL they need. */
export const contradictsItself = (change: SettingsChange): boolean =>
  change.syncEvents === true && namedUrl(change) === null

/** `namesUrl`: the request contains a URL, so a disabled endpoint is enabled again. */
type SettingsDecision =
  | { readonly kind: 'needs_url' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly settings: WebhookSettings; readonly namesUrl: boolean }

/** Decides a PUT of webhook settings (specification «Webhook configuration»; G46, G134; CON-04) on the settings that result. */
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
  return { kind: 'changed', settings, namesUrl: typeof named === 'string' }
}
