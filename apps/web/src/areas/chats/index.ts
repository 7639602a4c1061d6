/** Public parts of the chats area. */

export { chatLinks } from './chatLinks.ts'
export { useCounts as useChatCounts } from './useCounts.ts'
