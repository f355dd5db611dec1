/** Reads search parameters; anything unexpected is dropped, never an error. */

export type Raw = Readonly<Record<string, unknown>>

/** Text, or undefined; numbers and booleans the router has parsed become text again. */
export function text(raw: Raw, name: string): string | undefined {
  const value = raw[name]
  if (typeof value === 'string') return value === '' ? undefined : value.slice(0, 2_000)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

export function oneOf<const W extends string>(raw: Raw, name: string, words: readonly W[]): W | undefined {
  const value = text(raw, name)
  return words.find((word) => word === value)
}

const ids = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isUuid = (value: string): boolean => ids.test(value)

export function shaped(raw: Raw, name: string, shape: RegExp): string | undefined {
  const value = text(raw, name)
  return value !== undefined && shape.test(value) ? value : undefined
}

/** A UUID in lower case, or undefined. */
export const uuid = (raw: Raw, name: string): string | undefined => shaped(raw, name, ids)?.toLowerCase()

export const day = (raw: Raw, name: string): string | undefined => shaped(raw, name, /^\d{4}-\d\d-\d\d$/)

/** An integer of at least `least`, or undefined. */
export function whole(raw: Raw, name: string, least = 0): number | undefined {
  const value = Number(text(raw, name) ?? Number.NaN)
  return Number.isSafeInteger(value) && value >= least ? value : undefined
}

export function flag(raw: Raw, name: string): boolean | undefined {
  const value = text(raw, name)
  return value === 'true' ? true : value === 'false' ? false : undefined
}

/** Keeps only what a page reads: the router merges this over the raw parameters, so those that were dropped are unset. */
export const only =
  <S extends object>(read: (raw: Raw) => S) =>
  (raw: Raw): S => ({ ...Object.fromEntries(Object.keys(raw).map((name) => [name, undefined])), ...read(raw) })

/** An object without undefined properties, to keep addresses short. */
export function compact<T extends object>(search: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** A path of this site to continue to; `/home` for anything else. */
export function ownPath(path: string | undefined): string {
  if (path === undefined || !/^\/(?![/\\])/.test(path) || /[\u0000-\u001f\\]/.test(path)) return '/home'
  const url = new URL(path, 'https://self.invalid')
  return url.origin === 'https://self.invalid' ? `${url.pathname}${url.search}${url.hash}` : '/home'
}

export const open = {
  to: (raw: Raw) => compact({ to: text(raw, 'to') }),
  signIn: (raw: Raw) => compact({ to: text(raw, 'to'), verify: text(raw, 'verify') }),
  token: (raw: Raw) => compact({ token: text(raw, 'token'), error: text(raw, 'error') }),
}
