/** Signing secrets are masked in everything that is printed, `--json` too, unless asked for (G46). */

const signingSecret = /("signingSecret"\s*:\s*")((?:[^"\\]|\\.)*)(")/g

/** Masks each signing secret in the text of an answer and leaves every other character as it is. */
export function maskSecrets(text: string): string {
  return text.replace(signingSecret, (_, before: string, secret: string, after: string) => `${before}${secret.startsWith('whsec_') ? 'whsec_' : ''}********${after}`)
}
