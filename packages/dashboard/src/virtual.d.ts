declare module 'virtual:operations' {
  /** How to call each operation, by id. */
  export const calls: Readonly<Record<string, import('./api/lay-out.ts').Call>>
}

declare module 'virtual:values' {
  type Contract = typeof import('@les/contract')
  /** The contract's table of value bounds. */
  export const bounds: Contract['bounds']
  export const leadFilterColumns: Contract['leadFilterColumns']
  export const agentFilterColumns: Contract['agentFilterColumns']
  export const leadFilterValues: Contract['leadFilterValues']
  export const agentFilterValues: Contract['agentFilterValues']
  export const operatorsOf: Contract['operatorsOf']
  export const filterOperands: Contract['filterOperands']
  /** The default settings of a keyword search, and of any source. */
  export const initialSearch: Contract['initialSearch']
  export const initialSettings: Contract['initialSettings']
}

declare module '*.css'

declare module '*?raw' {
  const text: string
  export default text
}
