/** The public face of source labels. */
export { labelJoins, labelLookups, labelOfSource, nameOfSource, personOfSource } from './label.ts'
