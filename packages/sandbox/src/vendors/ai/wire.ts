import type { IncomingHttpHeaders } from 'node:http'
import type { Reply } from '../vendor.ts'
import type { Said } from './answer.ts'

/** A request's JSON. */
export type Body = Readonly<Record<string, unknown>>
/** What a request names in its path or body. */
export type Asked = { operation: string; model: string; maxOutputTokens: number | undefined }

/** What an answer is made of: the request, the model's words, and the number of the answer. */
export type Replied = { asked: Asked; body: Body; said: Said; number: number }

/** How one AI vendor looks on the wire. */
export type Wire = {
  name: 'openai' | 'anthropic' | 'google' | 'mistral'
  prefix: string
  /** The operation and model of a request; undefined when the path means nothing. */
  asked(path: string, body: Body): Asked | undefined
  keyOf(headers: IncomingHttpHeaders): string
  /** The answer that carries the model's words. */
  reply(given: Replied): unknown
  failure(status: number, message: string): Reply
  /** A wrong key and an unknown model, where they differ from a plain failure. */
  badKey(): Reply
  unknownModel(model: string): Reply
}

/** The first of these that is a number. */
export const numberOf = (...values: unknown[]): number | undefined => values.find((value) => typeof value === 'number')
/** The key of a bearer header. */
export const bearer = (headers: IncomingHttpHeaders): string =>
  String(headers.authorization ?? '').replace(/^Bearer /, '')
/** About how many tokens a text has. */
export const tokens = (text: string): number => Math.ceil(text.length / 4)
/** The id of the answer of that number. */
export const id = (prefix: string, number: number): string => `${prefix}_sandbox${String(number).padStart(8, '0')}`
/** When the answer of that number was made: seconds since 1970. */
export const secondsOf = (number: number): number => 1_795_000_000 + number
