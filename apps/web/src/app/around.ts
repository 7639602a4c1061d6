/** Parts of the frame around every page, in one file: they come beside the page, which is not waiting for them. */

export { default as IncomingCalls } from '#areas/calls/incoming/IncomingCalls.tsx'
export { default as Duty } from '#areas/chats/Duty.tsx'
export { default as Bell } from '#areas/notifications/Bell.tsx'
