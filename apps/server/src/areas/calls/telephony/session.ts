/** Prefix of sessions of calls dialled from the screen, passed to the exchange. */
export const OWN_SESSION = 'ord-'
