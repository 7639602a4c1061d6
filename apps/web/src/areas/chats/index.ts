/** What chats publish to others. */

export { chatLinks } from './chatLinks.ts'
export { useCounts as useChatCounts } from './useCounts.ts'
