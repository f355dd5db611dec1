declare module 'virtual:operations' {
  /** What is needed to call each operation, by its id. */
  export const calls: Readonly<Record<string, import('./api/lay-out.ts').Call>>
}

declare module 'virtual:values' {
  type Contract = typeof import('@les/contract')
  /** The value-bounds table of the contract. */
  export const bounds: Contract['bounds']
  export const leadFilterColumns: Contract['leadFilterColumns']
  export const agentFilterColumns: Contract['agentFilterColumns']
  export const leadFilterValues: Contract['leadFilterValues']
  export const agentFilterValues: Contract['agentFilterValues']
  export const operatorsOf: Contract['operatorsOf']
  export const filterOperands: Contract['filterOperands']
  /** What a keyword search, and what any source, is set to when nobody has said anything. */
  export const initialSearch: Contract['initialSearch']
  export const initialSettings: Contract['initialSettings']
}

declare module '*.css'

/** The text of a file. */
declare module '*?raw' {
  const text: string
  export default text
}
