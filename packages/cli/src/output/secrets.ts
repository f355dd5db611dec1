/** Signing secrets are masked in everything that is printed, `--json` too, unless asked for (G46). */

const signingSecret = /("signingSecret"\s*:\s*")((?:[^"\\]|\\.)*)"/g
const plaintextKey = /("key"\s*:\s*")(?:[^"\\]|\\.)*"/g

/** Masks each signing secret in the text of an answer and leaves every other character as it is. */
export function maskSecrets(text: string): string {
  return text.replace(
    signingSecret,
    (_, before: string, secret: string) => `${before}${secret.startsWith('whsec_') ? 'whsec_' : ''}********"`,
  )
}

/** Masks what `--debug` must not show: signing secrets, and the key that an answer shows once. */
export function maskAll(text: string): string {
  return maskSecrets(text).replace(plaintextKey, (_, before: string) => `${before}********"`)
}

/** An API key as people recognise it: how it begins, never how it goes on. */
export function maskKey(key: string): string {
  return `${key.startsWith('cs_') ? key.slice(0, 6) : ''}********`
}
