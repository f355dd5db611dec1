/** Reads search parameters; anything unexpected is dropped, never an error. */

export type Raw = Readonly<Record<string, unknown>>

/** Reads one parameter; undefined when it is not what the page expects. */
export type Reader<T> = (raw: Raw, name: string) => T | undefined

/** Text; numbers and booleans the router has parsed become text again. */
export const text: Reader<string> = (raw, name) => {
  const value = raw[name]
  if (typeof value === 'string') return value === '' ? undefined : value.slice(0, 2_000)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** Text, cut. */
export const upTo =
  (characters: number): Reader<string> =>
  (raw, name) =>
    text(raw, name)?.slice(0, characters)

export const oneOf =
  <const W extends string>(words: readonly W[]): Reader<W> =>
  (raw, name) =>
    words.find((word) => word === text(raw, name))

const ids = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isUuid = (value: string): boolean => ids.test(value)

export const shaped =
  (shape: RegExp): Reader<string> =>
  (raw, name) => {
    const value = text(raw, name)
    return value !== undefined && shape.test(value) ? value : undefined
  }

/** A UUID in lower case. */
export const uuid: Reader<string> = (raw, name) => shaped(ids)(raw, name)?.toLowerCase()

export const day: Reader<string> = shaped(/^\d{4}-\d\d-\d\d$/)

/** An integer of at least `least`. */
export const whole =
  (least = 0): Reader<number> =>
  (raw, name) => {
    const value = Number(text(raw, name) ?? Number.NaN)
    return Number.isSafeInteger(value) && value >= least ? value : undefined
  }

export const flag: Reader<boolean> = (raw, name) => {
  const value = text(raw, name)
  return value === 'true' ? true : value === 'false' ? false : undefined
}

/** The parameters of a page, each by its reader; those that are not what it expects are left out. */
export const page =
  <P extends Readonly<Record<string, Reader<unknown>>>>(readers: P) =>
  (raw: Raw) =>
    compact(Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(raw, name)]))) as {
      [Name in keyof P]?: Exclude<ReturnType<P[Name]>, undefined>
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
  to: page({ to: text }),
  signIn: page({ to: text, verify: text }),
  token: page({ token: text, error: text }),
}
