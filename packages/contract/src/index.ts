/** The contract: the one truth about the interface. */
export * from './client.ts'
export * from './errors.ts'
export * from './events.ts'
export * from './openapi.ts'
export * from './operation.ts'
export * from './registry.ts'
export * from './resources/index.ts'
export * from './values/index.ts'
