/** What a request searches for: terms or an expression (specification «Keyword searches»; KEY-10..KEY-14; G60, G61, G63). */
import { signedWordIn, withoutSign } from '@les/contract'
import { canonicalText, identityOfExpression, parseExpression, requiredTerms, warningsOf } from './expression.ts'
import { identityOfTerms, joinTerms, normaliseTerm, operatorIn, termFault } from './terms.ts'

/** As sent: exactly one of them. */
export type SentSubject = {
  readonly keywords?: readonly string[] | undefined
  readonly keyword?: string | undefined
  readonly expression?: string | undefined
}

/** What identifies a search: `username` is shown, `identity` compared. `warnings` are about what is accepted but hardly meant. */
export type Subject = {
  readonly terms: readonly string[]
  readonly expression: string | null
  readonly username: string
  readonly identity: string
  readonly warnings: readonly string[]
}

type Read = { readonly ok: true; readonly subject: Subject } | { readonly ok: false; readonly message: string }

const shownBare = (text: string): string => (text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text)
const shown = (text: string): string => `"${shownBare(text)}"`

const wrong = (message: string): Read => ({ ok: false, message })

function readTerms(sent: readonly string[], field: string): Read {
  const terms = sent.map(normaliseTerm)
  const seen = new Set<string>()
  for (const [index, term] of terms.entries()) {
    const at = field === 'keyword' ? '`keyword`' : `\`keywords[${index}]\``
    const fault = termFault(term)
    if (fault !== null) return wrong(`${at} must be words or a phrase in double quotes: ${shown(term)} ${fault}`)
    const operator = operatorIn(term)
    if (operator !== null)
      return wrong(
        `${at} holds the operator ${operator}: ${shown(term)}. Send it as \`expression\` to join terms, ` +
          `or write ${operator.toLowerCase()} in lower case, or the term in double quotes, to search for the word`,
      )
    const signed = signedWordIn(term)
    if (signed !== null)
      return wrong(
        `${at} has a sign before a word, which leaves nothing out: ${shown(term)}. Send it as \`expression\` with ` +
          `AND NOT ${shownBare(withoutSign(signed) ?? signed)}, or put the word in double quotes to search for it as text`,
      )
    const key = identityOfTerms([term])
    if (seen.has(key)) return wrong(`${at} must differ from the other terms: ${shown(term)} is there twice`)
    seen.add(key)
  }
  return {
    ok: true,
    subject: { terms, expression: null, username: joinTerms(terms), identity: identityOfTerms(terms), warnings: [] },
  }
}

/** Reads what to search for, or says which term or token is wrong. */
export function readSubject(sent: SentSubject): Read {
  if (sent.expression === undefined)
    return sent.keyword === undefined
      ? readTerms(sent.keywords ?? [], 'keywords')
      : readTerms([sent.keyword], 'keyword')
  const parsed = parseExpression(sent.expression)
  if (!parsed.ok) return wrong(`\`expression\` is malformed. ${parsed.message}`)
  const { expression } = parsed
  const canonical = canonicalText(expression)
  return {
    ok: true,
    subject: {
      terms: requiredTerms(expression),
      expression: canonical,
      username: canonical,
      identity: identityOfExpression(expression),
      warnings: warningsOf(expression),
    },
  }
}
