/** The public face of source labels. */
export { labelJoins, labelOfSource } from './label.ts'
