/**
 * Rights on all calls, and who dials; one's own legs and recordings are told by the server's scope. Apart, since the shell
 * asks for it.
 */
export const callAccess = { view: 'viewCallJournal' } as const
