/** Tools made from the contract's registry. */
export {}
