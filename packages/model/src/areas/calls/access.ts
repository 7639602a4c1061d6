/**
 * Rights on all calls. The server's scope adds the user's own legs and recordings. A separate file, as the shell
 * imports it.
 */
export const callAccess = { view: 'viewCallJournal' } as const
