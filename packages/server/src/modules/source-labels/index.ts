/** The public face of source labels. */
export { labelJoins, labelOfSource, nameOfSource, personOfSource } from './label.ts'
