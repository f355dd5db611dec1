/** How the driver encodes a value; `pg` exports this function without a type. */
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): unknown
}
