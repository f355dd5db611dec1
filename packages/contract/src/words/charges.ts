/** The price of a captured person, as every customer-facing text states it (G163). */

export const creditAPerson = 'each new person of a source costs one credit, once'

export const creditAPersonSaid = `E${creditAPerson.slice(1)}; somebody whom two sources find is paid for at both`
