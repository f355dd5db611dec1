/** How the driver sends a value; it exports this without a type. */
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): unknown
}
