/** A form that others' changes, and its own saves, reach while it is edited: fields by name, compared by their JSON. */

/** Whether two values are the same as JSON. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** `edited` once what it began with, `before`, has become `stored`: fields that were left alone follow, those that were edited stay. */
export const followed = <T extends object>(edited: T, before: T, stored: T): T => {
  const entries = (Object.keys(stored) as (keyof T)[]).map((name) => [
    name,
    isSame(edited[name], before[name]) ? stored[name] : edited[name],
  ])
  return Object.fromEntries(entries) as T
}

/** The fields of `request` that the form has edited. */
export const editedOf = <R extends object, T extends object>(request: R, edited: T, before: T): Partial<R> =>
  Object.fromEntries(
    Object.entries(request).filter(([name]) => !isSame(edited[name as keyof T], before[name as keyof T])),
  ) as Partial<R>
