const LEAST = 2
const MOST = 10

/** The code of a currency, in either case. */
export const CURRENCY_PATTERN = new RegExp(`^[A-Za-z0-9]{${LEAST},${MOST}}$`)

/** What messages and the reference say of its characters. */
export const CODE_CHARACTERS = `${LEAST} to ${MOST} letters or digits`
