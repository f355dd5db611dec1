/** Signing secrets are masked in all output, `--json` included, unless asked for (G46). */

const signingSecret = /("signingSecret"\s*:\s*")((?:[^"\\]|\\.)*)"/g
const plaintextKey = /("key"\s*:\s*")(?:[^"\\]|\\.)*"/g

/** Masks each signing secret and keeps every other character. */
export function maskSecrets(text: string): string {
  return text.replace(
    signingSecret,
    (_, before: string, secret: string) => `${before}${secret.startsWith('whsec_') ? 'whsec_' : ''}********"`,
  )
}

/** Masks what `--debug` must not show: signing secrets, and a new key. */
export function maskAll(text: string): string {
  return maskSecrets(text).replace(plaintextKey, (_, before: string) => `${before}********"`)
}

/** Shows only the beginning of an API key, by which people recognise it. */
export function maskKey(key: string): string {
  return `${key.startsWith('cs_') ? key.slice(0, 6) : ''}********`
}
