/** How the sessions of calls that are dialled from the screen begin: the exchange is told them. */
export const OWN_SESSION = 'ord-'
