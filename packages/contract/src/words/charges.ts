/** What a captured person costs, in the words of every text that a customer reads (G163). */

/** The rule, within a sentence. */
export const creditAPerson = 'each new person of a source costs one credit, once'

/** The same with what follows where two sources share people. */
export const creditAPersonSaid = `E${creditAPerson.slice(1)}; somebody whom two sources find is paid for at both`
